//! Alonso's experiments on smaller networks: floors, what the thresholds do, the closed loop, and intervals.

use crate::experiment::support::{plan, refusal, run_counted};
use powar_evaluation::experiment::{Results, RunOptions, write};
use powar_evaluation::network::{Outcome, Simulation, simulate};
use std::path::Path;
use toml::Table;

/// An experiment of the repository.
fn file(name: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../experiments/{name}.toml"));
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

fn outcome(text: &str) -> Outcome {
    let simulation: Simulation = toml::from_str(text).unwrap();
    simulate(&simulation, &mut |_| {}).unwrap()
}

fn results(text: &str) -> Results {
    let folder = tempfile::tempdir().unwrap();
    run_counted(&plan(text), folder.path(), &RunOptions::default()).0
}

fn close(seen: f64, expected: f64) {
    assert!((seen - expected).abs() < 1e-9, "{seen} is not {expected}");
}

/// Figure 5 of the paper: U_on and U_off are mean plus and minus half the difference, means of i u_max / 8 and differences of j u_max / 6.
#[test]
fn the_settings_are_the_13_of_the_paper() {
    // What the links carry of messages of 16 flits: experiments/alonso-u-max.toml.
    let u_max = 0.76;
    let mut settings = vec![];
    for j in 1..=6 {
        for i in 1..=8 {
            // In units of u_max / 24.
            let (on, off) = (3 * i + 2 * j, 3 * i - 2 * j);
            if off > 0 && on >= 2 * off && on <= 24 {
                settings.push([on, off].map(|units| f64::from(units) * u_max / 24.0));
            }
        }
    }
    assert_eq!(settings.len(), 13);
    for name in ["alonso-static", "alonso-dynamic"] {
        let file = file(name);
        let values = file["sweep"][0]["values"].as_array().unwrap();
        assert_eq!(values.len(), 13);
        for (setting, values) in settings.iter().zip(values) {
            for (place, expected) in setting.iter().enumerate() {
                let value = values[place].as_float().unwrap();
                assert!((value - expected).abs() <= 1e-5, "{name}: {value} is not {expected}");
            }
        }
    }
}

/// POWAR's variant of it, with no traffic to speak of: W_net by equation 1.
fn floor(topology: &str, policy: &str) -> Outcome {
    let file = file("alonso-programs");
    let parameters = &file["simulation"]["mechanism"]["alonso"];
    outcome(&format!(
        "topology = \"{topology}\"\npolicy = \"{policy}\"\nwarm_up = 300000\nmechanism.alonso = {parameters}\n\
         traffic = {{ kind = \"synthetic\", load = 0.0001, cycles = 400000 }}"
    ))
}

/// The least that Alonso's line in POWAR's Figures 4 and 5 can be.
#[test]
fn floors_of_powars_networks() {
    for policy in ["alonso-static", "alonso-dynamic"] {
        // A root, 8 leaves with 8 down-ports and 1 up-port of 16 on, and 7 roots that are off.
        let switch = |on: f64| 0.35 + 0.65 * (0.1 + 0.9 * on);
        let tree = floor("8-ary-2-tree", policy);
        close(tree.power.w_net, (8.0 * switch(9.0 / 16.0) + switch(1.0) + 7.0 * switch(0.0)) / 16.0);
        assert_eq!(format!("{:.3}", tree.power.w_net), "0.616");
        // 80 of 192 ports.
        close(tree.u_port, 80.0 / 192.0);
        // One link of every trunk, those of nodes among them.
        let torus = floor("torus-4x4x4-trunk4", policy);
        close(torus.power.w_net, switch(0.25));
        assert_eq!(format!("{:.3}", torus.power.w_net), "0.561");
    }
}

/// Table 1 by simulation.
#[test]
fn floors_of_links_power() {
    for (topology, printed) in [
        ("2-ary-2-tree", "0.75000"),
        ("4-ary-2-tree", "0.62500"),
        ("4-ary-4-tree", "0.33203"),
        ("8-ary-3-tree", "0.38021"),
    ] {
        let text = format!(
            "topology = \"{topology}\"\npolicy = \"alonso-static\"\nwarm_up = 60000\nmechanism.alonso = {{ start = true }}\n\
             traffic = {{ kind = \"synthetic\", load = 0.0001, cycles = 70000 }}"
        );
        assert_eq!(format!("{:.5}", outcome(&text).links_power), printed, "{topology}");
        let reference = text.replace("alonso-static", "reference");
        close(outcome(&reference).links_power, 1.0);
    }
}

const SETTINGS: &str = r#"
title = "Settings"
[simulation]
topology = "4-ary-2-tree"
hop = "12.8ns"
packet_flits = 16
mechanism.alonso = { litmus = false }
traffic = { kind = "synthetic", packet_flits = 16, cycles = 40000 }
warm_up = 20000
[[sweep]]
name = "policy"
values = ["alonso-static", "alonso-dynamic"]
[[sweep]]
name = "setting"
keys = ["mechanism.alonso.u_on", "mechanism.alonso.u_off"]
values = [[0.16, 0.03], [0.57, 0.19], [0.76, 0.38]]
[[sweep]]
name = "load"
key = "traffic.load"
values = [0.02, 0.2, 0.4, 0.7]
[baseline]
policy = "reference"
"#;

/// Figures 6 to 8 on a small tree.
#[test]
fn settings_do_what_the_paper_says() {
    let results = results(SETTINGS);
    let at = |policy: usize, setting: usize, load: usize, column: &str| {
        results.number(policy * 12 + setting * 4 + load, column).unwrap()
    };
    for policy in 0..2 {
        for setting in 0..3 {
            let power: Vec<f64> = (0..4).map(|load| at(policy, setting, load, "links_power")).collect();
            assert!(power.is_sorted(), "{policy} {setting}: {power:?}");
            // Table 1.
            assert!(power[0] >= 0.625 && power[0] < 0.65, "{policy} {setting}: {power:?}");
            assert!(power[3] > 0.95, "{policy} {setting}: {power:?}");
            assert!(at(policy, setting, 0, "relative.latency_power") < 0.8);
            assert!((0..4).all(|load| at(policy, setting, load, "relative.latency") > 0.999));
        }
        // Aggressive thresholds save more, at any load that leaves something to save.
        assert!(at(policy, 0, 2, "links_power") > at(policy, 2, 2, "links_power") + 0.05);
    }
    // The same U_on with dynamic thresholds saves at a load at which the static one does not.
    assert!(at(1, 1, 2, "links_power") < at(0, 1, 2, "links_power") - 0.05);
}

const CLOSED: &str = r#"
title = "Closed loop"
[simulation]
topology = "4-ary-2-tree"
hop = "12.8ns"
packet_flits = 16
policy = "alonso-static"
traffic = { kind = "synthetic", packet_flits = 16, cycles = 1000000, closed_loop = { outstanding = 1, response_flits = 16, active_nodes = 4, requests = 500 } }
[[sweep]]
name = "setting"
keys = ["mechanism.alonso.u_on", "mechanism.alonso.u_off"]
values = [[0.57, 0.19]]
[baseline]
policy = "reference"
"#;

/// A fixed number of messages takes as long as it takes, and the energy is that of Tables 4 and 5.
#[test]
fn a_closed_loop_ends_with_its_last_message() {
    let results = results(CLOSED);
    let seen = &results.rows[0].outcome;
    assert_eq!((seen.messages, seen.saturated), (2 * 4 * 500, false));
    // One message under way for each active node: by Little's law a node's messages follow each other at its latency.
    let each = seen.cycles as f64 / 1000.0;
    let latency = seen.message_latency.mean.unwrap();
    assert!(each >= latency && each < 1.03 * latency, "{each} cycles a message of {latency} cycles");
    let (power, time) = (seen.links_power, results.number(0, "relative.run_time").unwrap());
    assert!(power < 0.99 && time > 1.0, "{power} {time}");
    close(results.number(0, "relative.e_links").unwrap(), (0.824 * power + 0.176) * time);
}

const RAMP: &str = r#"
title = "Ramp"
[simulation]
topology = "4-ary-2-tree"
hop = "12.8ns"
interval = 2000
mechanism.alonso = { start = true, litmus = false, u_on = 0.5, u_off = 0.1 }
traffic = { kind = "synthetic", load = 0.7, cycles = 90000, ramp = [[10000, 0.0], [40000, 1.0], [70000, 0.02]] }
[[sweep]]
name = "policy"
values = ["alonso-static", "reference"]
[[figure]]
name = "ramp"
title = "Ramp"
kind = "series"
x = "cycle"
series = ["policy"]
panels = [{ y = "links_power", label = "Power", percent = true }]
[[figure]]
name = "hysteresis"
title = "Hysteresis"
kind = "series"
x = "accepted"
series = ["policy"]
panels = [{ y = "links_power", label = "Power", percent = true }]
"#;

#[test]
fn intervals_show_links_come_on_and_go_off() {
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(RAMP), folder.path(), &RunOptions::default());
    let series = &results.rows[0].outcome.series;
    assert_eq!(
        series.iter().map(|interval| interval.cycle).collect::<Vec<_>>(),
        (1..=45).map(|i| 2000 * i).collect::<Vec<_>>()
    );
    let power = |cycle: u64| series[(cycle / 2000 - 1) as usize].links_power;
    close(power(10_000), 0.625);
    assert!(power(20_000) < power(42_000), "{series:?}");
    close(power(42_000), 1.0);
    assert!(power(90_000) < 0.7, "{series:?}");
    // What is given comes in, but for what is under way at the end.
    let sum = |value: fn(&powar_evaluation::network::Interval) -> f64| series.iter().map(value).sum::<f64>();
    assert!((sum(|one| one.offered) - sum(|one| one.accepted)).abs() < 0.01);
    // Shares of 0.7: half of it for 30 000 cycles, 0.51 for 30 000, 0.02 for 20 000.
    assert!((sum(|one| one.offered) * 2000.0 - 0.7 * 30_700.0).abs() < 500.0);
    assert_eq!(series[2].latency, None);
    let whole: f64 = sum(|one| one.links_power) / 45.0;
    close(whole, results.rows[0].outcome.links_power);
    assert!(results.rows[1].outcome.series.iter().all(|one| one.links_power == 1.0));

    let files = write(&results, folder.path()).unwrap();
    let names: Vec<_> = files.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names[3..], ["series.csv", "ramp.svg", "ramp.png", "hysteresis.svg", "hysteresis.png", "index.json"]);
    let text = std::fs::read_to_string(&files[3]).unwrap();
    let of_some = "buffer_utilisation,bit_rate";
    let columns = format!("policy,cycle,offered,accepted,latency,links_power,channels_power,u_port,{of_some}");
    assert_eq!(text.lines().next(), Some(columns.as_str()));
    assert!(text.lines().skip(1).all(|line| line.ends_with(",,")), "Alonso's mechanism has neither: {text}");
    assert_eq!(text.lines().count(), 1 + 2 * 45);
    let svg = |file: usize| std::fs::read_to_string(&files[file]).unwrap();
    let dashed = |file: usize| svg(file).matches("stroke-dasharray").count();
    // Two lines come back, and the legend says what that looks like.
    assert_eq!((dashed(4), dashed(6)), (0, 3));
}

#[test]
fn mistakes_about_intervals_are_said_in_a_line() {
    let says = |from: &str, to: &str, expected: &str| {
        let text = refusal(&RAMP.replace(from, to));
        assert!(text.contains(expected), "{text}");
    };
    says(
        "x = \"cycle\"",
        "x = \"time\"",
        "figure `ramp`: x: column of the intervals: `time` is unknown; it must be one of cycle, offered,",
    );
    says("y = \"links_power\"", "y = \"wake_ups\"", "y: column of the intervals: `wake_ups` is unknown");
    says("interval = 2000", "interval = 3", "interval: 3 is out of range 10..");
    says(
        "y = \"links_power\"",
        "y = \"bit_rate\"",
        "figure `ramp`: y: `bit_rate`: the mechanism alonso has no levels of rate: its links send a flit a cycle or nothing; expected a policy of e_rapid",
    );
    says(
        "x = \"cycle\"",
        "x = \"buffer_utilisation\"",
        "figure `ramp`: x: `buffer_utilisation`: the mechanism alonso does not measure how packets wait for a link; expected a policy of e_rapid",
    );
}
