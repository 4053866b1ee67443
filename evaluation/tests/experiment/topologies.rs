//! `experiments/topologies-64.toml` and its larger sister, as they are read; and a smaller grid of the first: three schedules of a small mix.

use powar_evaluation::experiment::{File, Plan, RunOptions, run, write};
use std::path::{Path, PathBuf};

fn experiments() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments")
}

#[test]
fn both_studies_are_read_and_every_network_is_checked() {
    // Networks x savings x sets x seeds.
    for (name, simulations) in [("topologies-64", 6 * 3 * 3 * 30), ("topologies-256", 10 * 3 * 3 * 30)] {
        let plan = Plan::read(&experiments().join(format!("{name}.toml"))).unwrap();
        assert_eq!((plan.simulations(), plan.points.len()), (simulations, simulations / 30), "{name}");
    }
}

#[test]
fn a_smaller_grid_saves_energy_and_costs_time() {
    let text = std::fs::read_to_string(experiments().join("topologies-64.toml")).unwrap();
    let mut table: toml::Table = text.parse().unwrap();
    table["repeat"]["values"] = vec![1, 2, 3].into();
    table["sweep"][0]["values"] = vec!["jobs/small.toml"].into();
    table["sweep"][0]["labels"] = vec!["Small"].into();
    let file = File::parse(&toml::to_string(&table).unwrap()).unwrap();
    let plan = Plan::new("topologies".into(), file, &experiments()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let results = run(&plan, folder.path(), &RunOptions::default(), &|_| Ok(())).unwrap();
    assert_eq!((plan.simulations(), results.rows.len()), (54, 18));
    let value = |row: usize, column: &str| results.number(row, column).unwrap();
    for network in 0..6 {
        let [none, p, ph] = [0, 1, 2].map(|saving| 3 * network + saving);
        let name = results.label(none, "network");
        assert!(value(none, "u_port") == 1.0 && value(p, "u_port") < value(ph, "u_port"), "{name}");
        assert!(value(p, "watts.e_net") < value(none, "watts.e_net"), "{name}");
        assert!(value(none, "run_time_ns") <= value(ph, "run_time_ns"), "{name}");
    }
    let differ = (0..18).filter(|&row| value(row, "watts.e_net.ci95") > 0.0).count();
    assert!(differ > 6, "{differ} of 18 points have schedules of different energies");
    let files = write(&results, folder.path()).unwrap();
    for figure in ["topologies-64-energy.svg", "topologies-64-front.png"] {
        assert!(files.iter().any(|path| path.ends_with(figure)), "{files:?}");
    }
}
