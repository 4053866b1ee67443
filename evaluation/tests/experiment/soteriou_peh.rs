//! Soteriou and Peh's experiments on shorter runs: what the graphs leave to be saved, and the shapes that results rest on.

use crate::support::shortened;
use powar_evaluation::network::{Outcome, Simulation, simulate};

fn outcome(topology: &str, routing: &str, policy: &str, load: f64) -> Outcome {
    let text = format!(
        "topology = \"{topology}\"\nrouting = \"{routing}\"\npolicy = \"{policy}\"\nwarm_up = 20000\nvcs = 3\nbuffer_flits = 81\n\
         traffic = {{ kind = \"synthetic\", load = {load}, cycles = 60000 }}"
    );
    let simulation: Simulation = toml::from_str(&text).unwrap();
    simulate(&simulation, &mut |_| {}).unwrap()
}

/// Channels that no graph keeps on, where there is next to no traffic: the shares of docs/connectivity.md.
#[test]
fn idle_networks_draw_what_their_graph_keeps_on() {
    for (topology, graph, kept) in [
        ("mesh-8x8", "staircase", 0.5),
        ("torus-8x8", "staircase", 0.5),
        ("mesh-8x8", "alternating", 0.625),
        ("torus-8x8", "alternating", 0.5),
    ] {
        let routing = format!("{graph}-escape");
        let seen = outcome(topology, &routing, &format!("on-off-{graph}"), 0.0001);
        let power = seen.channels_power.unwrap();
        assert!((power - kept).abs() < 0.002, "{topology}, {graph}: {power}");
        // Ports to nodes are always on, so both figures say the same.
        let channels = (seen.ports - seen.nodes) as f64;
        let links = (power * channels + 2.0 * seen.nodes as f64) / (channels + 2.0 * seen.nodes as f64);
        assert!((links - seen.links_power).abs() < 1e-12, "{topology}, {graph}: {links}");
        let reference = outcome(topology, &routing, "reference", 0.0001);
        assert_eq!((reference.channels_power, reference.links_power), (Some(1.0), 1.0));
    }
    let star: Simulation =
        toml::from_str("topology = \"star-4\"\ntraffic = { kind = \"synthetic\", cycles = 1000 }").unwrap();
    assert_eq!(simulate(&star, &mut |_| {}).unwrap().channels_power, None);
}

/// Figure 10: at little load nearly all candidates are off and packets go round; with more load links come on.
#[test]
fn more_load_leaves_less_to_be_saved() {
    let changes =
        [("cycles = 10100000", "cycles = 200000"), ("values = [0.5, 1.0, 1.9, 2.5, 3.0]", "values = [0.25, 1.9]")];
    let results = shortened("soteriou-peh-fig10", &changes);
    let at = |row, column| results.number(row, column).unwrap();
    // Loads outside, links inside: always on, off and on.
    for load in [0, 2] {
        assert_eq!(at(load, "channels_power"), 1.0);
        assert!(at(load + 1, "relative.network_latency") > 1.05);
    }
    assert!(at(1, "channels_power") < 0.65 && at(3, "channels_power") > at(1, "channels_power") + 0.1);
}

/// Table II's file: a row is the mean over loads.
#[test]
fn rows_of_table_ii_are_means_over_loads() {
    let changes = [
        ("cycles = 10100000", "cycles = 150000"),
        ("values = [0.5, 1.0, 1.5, 2.0, 2.5]", "values = [0.25, 0.5]"),
        ("values = [50, 100]", "values = [50]"),
        ("values = [\"1us\", \"10us\"]\nlabels = [\"1000\", \"10 000\"]", "values = [\"1us\"]\nlabels = [\"1000\"]"),
    ];
    let results = shortened("soteriou-peh-table2", &changes);
    assert_eq!(results.rows.len(), 4);
    let power = |row| results.number(row, "channels_power").unwrap();
    for row in 0..4 {
        assert!(power(row) < 1.0 && power(row) > 0.49, "{row}: {}", power(row));
        assert!(results.number(row, "relative.network_latency").unwrap() > 1.0);
    }
    // The staircase has more candidates than the alternating graph in a mesh.
    assert!(power(1) < power(0) - 0.03, "{} {}", power(1), power(0));
}

/// Beside it, thresholds and a routing that the paper has not: halved thresholds save less.
#[test]
fn halved_thresholds_save_less() {
    let others = [
        "    [\"mesh-8x8\", \"on-off-alternating\", \"alternating-escape\"],\n",
        "    [\"mesh-8x8\", \"on-off-staircase\", \"staircase-escape\"],\n",
        "    [\"torus-8x8\", \"on-off-alternating\", \"alternating-escape\"],\n",
        "    [\"torus-8x8\", \"on-off-staircase\", \"staircase-escape\"],\n",
        "    [\"10us\", 0.02, 0.02, 0.15, 0.02],\n",
        "    [\"10us\", 0.01, 0.01, 0.075, 0.01],\n",
    ];
    let labels = [
        ("labels = [\"1000\", \"10 000\", \"1000, halved\", \"10 000, halved\"]", "labels = [\"1000\", \"halved\"]"),
        (
            "labels = [\"mesh, streets\", \"mesh, last turns\", \"mesh, stairs\", \"torus, streets\", \"torus, stairs\"]",
            "labels = [\"mesh, last turns\"]",
        ),
        ("cycles = 600000", "cycles = 150000"),
        ("values = [0.5, 1.0, 1.5, 2.0, 2.5]", "values = [0.25, 0.5]"),
        ("values = [50, 100]", "values = [50]"),
    ];
    let changes: Vec<_> = others.into_iter().map(|line| (line, "")).chain(labels).collect();
    let results = shortened("soteriou-peh-table2-variants", &changes);
    assert_eq!(results.rows.len(), 2);
    let power = |row| results.number(row, "channels_power").unwrap();
    assert!(power(0) < power(1) && power(1) < 1.0, "{} {}", power(0), power(1));
}

/// Tables IV and V: shorter idle times save more; with less traffic more is saved.
#[test]
fn short_idle_times_save_more() {
    let changes = [
        (
            "values = [\"10ns\", \"100ns\", \"1us\"]\nlabels = [\"10\", \"100\", \"1000\"]",
            "values = [\"100ns\"]\nlabels = [\"100\"]",
        ),
        ("values = [1, 2, 3, 4, 5]", "values = [1, 2]"),
    ];
    let results = shortened("soteriou-peh-on-demand", &changes);
    assert_eq!(results.rows.len(), 12);
    let at = |row, column| results.number(row, column).unwrap();
    // Stand-ins outside; inside X and Y of packets that go round, then of those that wait.
    for stand_in in [0, 4, 8] {
        let power: Vec<f64> = (stand_in..stand_in + 4).map(|row| at(row, "channels_power")).collect();
        assert!(power[0] < power[1] && power[2] < power[3] && power[0] < power[2], "{power:?}");
    }
    assert!(at(8, "channels_power") < at(4, "channels_power") && at(4, "channels_power") < at(0, "channels_power"));
    // Whoever waits waits for wake-ups.
    assert!(at(10, "relative.network_latency") > at(8, "relative.network_latency"));
}
