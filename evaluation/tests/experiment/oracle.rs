//! Idle gaps and the oracle as columns, as figures, and beside what else is known of links.

use crate::experiment::support::{plan, refusal, run_counted};
use powar_evaluation::experiment::{RunOptions, write};
use powar_evaluation::network::{Outcome, Simulation, Traffic, simulate};
use powar_traffic::synthetic::{ClosedLoopOptions, SyntheticOptions, TasksOptions};
use std::fs;

const FILE: &str = r#"
title = "Oracle"

[simulation]
topology = "torus-4x4"
policy = "reference"
oracle = [0, 1, 100, 2000]
traffic = { kind = "synthetic", pattern = "tasks", packet_flits = 5, cycles = 30000 }
warm_up = 2000

[[sweep]]
name = "tasks"
key = "traffic.tasks.concurrent"
values = [4, 50]

[[sweep]]
name = "load"
key = "traffic.load"
values = [0.02, 0.1]

[[figure]]
name = "off"
title = "What an oracle switches off"
kind = "profile"
series = ["tasks"]
groups = ["load"]
x_label = "t_trans"
panels = [{ y = "idle.oracle", label = "Off, %", percent = true, max = 100 }, { y = "idle.lengths", label = "Gaps" }]
"#;

#[test]
fn columns_and_figures_of_the_oracle() {
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(FILE), folder.path(), &RunOptions::default());
    for row in 0..4 {
        let number = |column: &str| results.number(row, column).unwrap_or_else(|| panic!("{column}"));
        let off = [0, 1, 100, 2000].map(|t_trans| number(&format!("idle.oracle.{t_trans}")));
        assert!(off.is_sorted_by(|fast, slow| fast > slow) && off[3] >= 0.0, "{off:?}");
        assert!((off[0] + number("idle.busy") - 1.0).abs() < 1e-12);
        // Counters of ports are registers, a cycle beside the link at each end of the window.
        assert!((number("idle.busy") - number("link_utilisation.mean")).abs() <= 2.0 / 30_000.0);
        assert_eq!(number("idle.links"), 64.0);
        let gaps: f64 = (0..32).map(|place| number(&format!("idle.lengths.{}", 1_u64 << place))).sum();
        assert_eq!(gaps, number("idle.gaps"));
        let idle: f64 = (0..32).map(|place| number(&format!("idle.shares.{}", 1_u64 << place))).sum();
        assert!((idle + number("idle.edge_share") - off[0]).abs() < 1e-9);
    }
    // At the higher load less can be off.
    assert!(results.number(0, "idle.oracle.1") > results.number(1, "idle.oracle.1"));
    write(&results, folder.path()).unwrap();
    let svg = fs::read_to_string(folder.path().join("off.svg")).unwrap();
    for text in ["load 0.02", "load 0.1", "2000", "t_trans", "Gaps", "tasks", "50"] {
        assert!(svg.contains(&format!(">{text}</text>")), "{text} is not in {svg}");
    }
    // Columns of a few are in the table for readers, those of a distribution are not.
    let table = results.table();
    assert!(table.contains("| idle.oracle.100 |") && !table.contains("idle.lengths"), "{table}");
}

#[test]
fn seeds_have_means_and_intervals() {
    let repeated = format!("{FILE}\n[repeat]\nkey = \"traffic.seed\"\nvalues = [1, 2, 3]\n");
    let folder = tempfile::tempdir().unwrap();
    let (results, runs) = run_counted(&plan(&repeated), folder.path(), &RunOptions::default());
    assert_eq!(runs, 12);
    assert!((0..4).all(|row| results.half_width(row, "idle.oracle.100").is_some_and(|half_width| half_width > 0.0)));
    write(&results, folder.path()).unwrap();
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |from: &str, to: &str, named: &str| {
        let said = refusal(&FILE.replacen(from, to, 1));
        assert!(said.contains(named), "{said:?} does not say {named:?}");
    };
    refused("oracle = [0, 1, 100, 2000]", "", "y: column of the results: `idle.oracle` is unknown");
    refused("oracle = [0, 1, 100, 2000]", "", "; simulation.oracle makes those of idle links");
    refused("oracle = [0, 1, 100, 2000]", "oracle = [1, 1]", "oracle: 1 is there twice");
    refused("oracle = [0, 1, 100, 2000]", "oracle = [5000000000]", "oracle: 5000000000 is out of range 0..=4294967295");
    refused("key = \"traffic.load\"", "key = \"oracle\"", "oracle: its columns are those of all points");
    refused("[[figure]]", "[baseline]\noracle = [3]\n[[figure]]", "oracle: its columns are those of all points");
    refused("groups = [\"load\"]", "x = \"load\"", "x: a profile is over the numbers");
    refused("values = [4, 50]", "values = [1, 50]", "traffic: tasks.concurrent is `1`, expected 1.6 or more");
    refused("groups = [\"load\"]", "groups = [\"load\", \"tasks\"]", "groups: 2 sweeps, 1 at most");
}

fn run(simulation: &Simulation) -> Outcome {
    simulate(simulation, &mut |_| {}).unwrap()
}

/// Whoever looks, everything else comes out the same; with programs, closed loops and intervals, too.
#[test]
fn looking_changes_nothing() {
    let synthetic = |options: SyntheticOptions| Traffic::Synthetic(SyntheticOptions { cycles: 5_000, ..options });
    let closed = ClosedLoopOptions { requests: Some(20), ..Default::default() };
    let tasks = Some(TasksOptions { concurrent: 5.0, ..Default::default() });
    for (traffic, interval) in [
        (synthetic(SyntheticOptions::default()), 0),
        (synthetic(SyntheticOptions::default()), 700),
        (synthetic(SyntheticOptions { pattern: "tasks".into(), tasks, ..Default::default() }), 0),
        (synthetic(SyntheticOptions { closed_loop: Some(closed), ..Default::default() }), 0),
        (toml::from_str("kind = 'trace'\nskeleton = 'halo-fft:x=2,y=2,z=1,steps=1'").unwrap(), 0),
    ] {
        let blind = Simulation { topology: "2-ary-3-tree".into(), traffic, interval, ..Simulation::default() };
        let looking = Simulation { oracle: vec![0, 50], ..blind.clone() };
        let (without, with) = (run(&blind), run(&looking));
        let idle = with.idle.clone().unwrap();
        assert!((idle.busy - with.link_utilisation.mean.unwrap()).abs() <= 2.0 / with.cycles as f64, "{idle:?}");
        assert!((idle.oracle[&0] + idle.busy - 1.0).abs() < 1e-12, "{idle:?}");
        assert_eq!(without, Outcome { idle: None, ..with });
    }
}
