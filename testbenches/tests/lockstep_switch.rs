//! The whole switch against its golden twin, every register in every cycle, under every kind of traffic; the monitors watch.
//!
//! The seeds are fixed, so a failure replays as it is.

use crate::effort::{half_of, is_long};
use powar_config::{Config, Routing, Sees, presets};
use powar_evaluation::packets_of_trace;
use powar_testbenches::dut::Dut;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::expected_routing::ExpectedRouting;
use powar_testbenches::mechanisms::{Variant, variants};
use powar_testbenches::monitor::{Monitored, SwitchMonitor, Totals};
use powar_testbenches::random::Random;
use powar_testbenches::stimulus::{LinkOptions, LinkTraffic, Scenario, TrafficKind};
use powar_testbenches::test_switches::{self, TestSwitch};
use powar_testbenches::{lockstep, trials, twins};
use powar_tools::{Progress, tools_or_skip};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn config(preset: &str) -> Config {
    presets::by_name(preset).expect("a preset")
}

/// Runs a design and the golden switch under traffic on their links.
fn run(config: &Config, dut: &mut dyn Dut, routing: &ExpectedRouting, options: LinkOptions, cycles: u64) -> Totals {
    let what = format!("{} under {options:?}", config.name);
    let mut golden = twins::golden(config, twins::SWITCH).expect("a switch");
    let layout = golden.layout().clone();
    let traffic = LinkTraffic::new(config, routing, &layout, options).expect("a switch");
    let monitor = SwitchMonitor::new(config, routing, &layout).expect("a switch");
    let mut watched = Monitored::new(traffic, monitor);
    let monitor = watched.monitor();
    let outcome = lockstep::run(&mut *golden, dut, &mut watched, cycles, &mut |_| ()).expect("the same signals");
    if let Err(difference) = outcome.equal() {
        panic!("{what}: {difference}");
    }
    let monitor = monitor.lock().expect("no monitor panics");
    assert!(monitor.violations().is_empty(), "{what}\n{}", monitor.violations().join("\n"));
    println!("{what}: {:?}", monitor.totals());
    monitor.totals().clone()
}

/// Every kind of traffic at one switch in Verilator, with each mechanism that is for it: with all that can go wrong, and without.
fn every_kind(config: &Config, trace: Option<&str>, cycles: u64) {
    for variant in variants(config) {
        every_kind_with(&variant.config, trace, cycles);
    }
}

/// The same without mechanisms that see nothing of the switch around them, but for the configuration's own: they do at one switch what they do at any, and
/// each is minutes of compiling. In the long form they are there.
fn every_kind_that_sees_it(config: &Config, trace: Option<&str>, cycles: u64) {
    for Variant { config: variant, .. } in variants(config) {
        let is_own = variant.mechanism().name == config.mechanism().name;
        if is_own || is_long() || variant.mechanism().sees != Sees::default() {
            every_kind_with(&variant, trace, cycles);
        }
    }
}

fn every_kind_with(config: &Config, trace: Option<&str>, cycles: u64) {
    let Some(tools) = tools_or_skip(&config.name) else { return };
    let preset = &config.name;
    let layout = twins::golden(config, twins::SWITCH).expect("a switch").layout().clone();
    let library: PathBuf = twins::verilated(config, twins::SWITCH, &layout, &tools, &Progress::silent())
        .unwrap_or_else(|error| panic!("{preset}: {error:#}"));
    let load = || Verilator::load(&library, layout.clone(), None).expect("it has just been built");
    let kinds =
        [TrafficKind::Uniform, TrafficKind::HotSpot, TrafficKind::Permutation, TrafficKind::Bursty { cycles: 100 }];
    for (seed, kind) in (20..).zip(kinds) {
        let routing = ExpectedRouting::any(config, &mut Random::new(seed)).expect("it exists");
        let totals = run(config, &mut load(), &routing, LinkOptions::rough(kind.clone(), 0.9, seed), cycles);
        assert!(totals.packets_out > 300 && totals.packets_dropped > 10 && totals.not_sending > 100, "{totals:?}");
        let totals = run(config, &mut load(), &routing, LinkOptions::lively(kind, 0.4, seed), cycles);
        assert!(totals.packets_out > 300 && totals.packets_dropped == 0 && totals.not_sending > 20, "{totals:?}");
    }
    // Neighbours that are off for long, and all of them at once: what goes off and on with them does.
    for seed in 24..28 {
        let routing = ExpectedRouting::any(config, &mut Random::new(seed)).expect("it exists");
        let totals = run(config, &mut load(), &routing, LinkOptions::sleepy(TrafficKind::Uniform, 0.03, seed), cycles);
        assert!(totals.packets_out > 20 && totals.not_sending > 100, "{totals:?}");
    }
    if let Some(trace) = trace {
        let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces").join(trace);
        let mut packets = packets_of_trace(config, &trace, 0, 400_000).expect("a shipped trace");
        // From the first packet on.
        let first = packets.first().map_or(0, |packet| packet.cycle);
        packets.iter_mut().for_each(|packet| packet.cycle -= first);
        let routing = ExpectedRouting::new(config, 0, 0).expect("it exists");
        let kind = TrafficKind::Trace { packets: Arc::new(packets) };
        let totals = run(config, &mut load(), &routing, LinkOptions::lively(kind, 0.0, 4), 2 * cycles);
        assert!(totals.packets_out > 20 && totals.not_sending > 100, "{totals:?}");
    }
    // Inputs that no neighbour would ever drive.
    for seed in [1, 2] {
        let mut golden = twins::golden(config, twins::SWITCH).expect("a switch");
        let mut stimulus = Scenario { reset_every: 500, ..Scenario::lively(seed) }.stimulus(config, &layout);
        let outcome =
            lockstep::run(&mut *golden, &mut load(), &mut stimulus, cycles, &mut |_| ()).expect("same signals");
        if let Err(difference) = outcome.equal() {
            panic!("{preset}, random inputs, seed {seed}: {difference}");
        }
    }
}

/// A switch unlike the presets: other sizes of everything.
fn small(text: &str) -> Config {
    Config::from_toml(text).expect("a good configuration")
}

#[test]
fn a_fat_tree_switch_of_8_ports() {
    every_kind(&config("fat-tree-4"), Some("hpl-64.tar.xz"), half_of(20_000));
}

#[test]
fn a_fat_tree_switch_of_16_ports() {
    every_kind_with(&config("fat-tree-8"), Some("hpl-64.tar.xz"), 10_000);
}

#[test]
#[ignore = "compiles for minutes"]
fn a_fat_tree_switch_of_16_ports_with_each_mechanism() {
    every_kind(&config("fat-tree-8"), Some("hpl-64.tar.xz"), 10_000);
}

/// Buffers that run full, a depth that is no power of two, flits of one word, two channels.
#[test]
fn a_switch_of_6_nodes() {
    let text = r#"
name = "star-6"
ports = 6
deterministic = "single"
topology = { kind = "star" }
switch = { vcs = 2, buffer_flits = 46, max_packet_flits = 9, flit_bits = 32 }
"#;
    every_kind_that_sees_it(&small(text), None, 20_000);
}

/// Packets of up to four flits: each VC has routes for two packets.
#[test]
fn a_fat_tree_switch_of_8_ports_for_short_packets() {
    let mut config = config("fat-tree-4");
    config.name = "fat-tree-4-short".into();
    config.switch.max_packet_flits = 4;
    assert!(config.next_routes());
    every_kind_with(&config, None, 20_000);
}

/// One channel, short packets and longer ones, among them those of five flits.
#[test]
fn a_switch_of_6_nodes_for_short_packets_too() {
    let text = r#"
name = "star-6-short"
ports = 6
deterministic = "single"
topology = { kind = "star" }
switch = { vcs = 1, buffer_flits = 23, max_packet_flits = 9, flit_bits = 32, short_packets = true }
"#;
    every_kind_with(&small(text), None, 20_000);
}

/// Trunks, adaptive and escape channels; a ring of three and one of four. Flits of two words: the second tells head flits of one
/// header apart, which may start on two links of a trunk in one cycle.
#[test]
fn a_torus_switch_of_10_ports() {
    let text = r#"
name = "torus-10"
ports = 10
deterministic = "set"
groups = [{ first = 0, size = 2 }, { first = 2, size = 2 }, { first = 4, size = 2 }, { first = 6, size = 2 }, { first = 8, size = 2 }]
topology = { kind = "torus", dimensions = [3, 4], trunk = 2 }
switch = { vcs = 4, buffer_flits = 96, max_packet_flits = 12, flit_bits = 64 }
"#;
    every_kind_that_sees_it(&small(text), None, half_of(15_000));
}

/// Routing that looks at headers, inputs, buffers and at what the mechanism counts on; three channels.
#[test]
fn a_switch_of_8_ports_whose_routing_sees_all() {
    let folded = test_switches::config(TestSwitch::LeastOccupied);
    every_kind_that_sees_it(&Config { topology: config("fat-tree-4").topology, ..folded }, None, 10_000);
}

/// Routing that looks at where packets came in and at buffers.
#[test]
fn a_dragonfly_switch_of_6_ports() {
    every_kind_with(&test_switches::config(TestSwitch::DragonflyUgal), None, 10_000);
}

/// Several cables between two switches that a packet may choose from.
#[test]
fn a_switch_of_a_board_of_9_ports() {
    every_kind_that_sees_it(&test_switches::config(TestSwitch::Boards), None, 10_000);
}

/// Routing by a table that software loads before there is traffic, and row by row again while there is; so which ports lead to nodes.
#[test]
fn a_mesh_switch_of_7_ports_with_a_routing_table() {
    every_kind_with(&test_switches::config(TestSwitch::LimitedTable), None, 10_000);
}

/// The same with hints, which go by the table too.
#[test]
fn a_mesh_switch_of_7_ports_with_a_routing_table_and_hints() {
    every_kind_with(&trials::config_of(TestSwitch::LimitedTable, "hint_choice"), None, 10_000);
}

/// Routing that sees all at folded roots, with the mechanisms that are for them.
#[test]
#[ignore = "compiles for minutes"]
fn a_switch_of_8_ports_with_folded_roots_whose_routing_sees_all() {
    every_kind_with(&test_switches::config(TestSwitch::LeastOccupied), None, 10_000);
}

/// The largest of POWAR's switches: its Verilog alone compiles for minutes.
#[test]
#[ignore = "compiles for minutes"]
fn a_torus_switch_of_28_ports() {
    every_kind(&config("torus-28"), Some("random-access-64.tar.xz"), 4_000);
}

#[test]
#[ignore = "compiles for minutes"]
fn a_switch_of_16_nodes() {
    every_kind(&config("star-16"), None, 8_000);
}

#[test]
fn rust_hdl_simulates_the_same_switch() {
    for (preset, cycles) in [("fat-tree-2", 2000), ("fat-tree-4", 1500), ("fat-tree-8", 400), ("torus-28", 150)] {
        for Variant { config, .. } in variants(&config(preset)) {
            let routing = ExpectedRouting::any(&config, &mut Random::new(1)).expect("it exists");
            let layout = twins::golden(&config, twins::SWITCH).expect("a switch").layout().clone();
            let mut dut = twins::rust_hdl(&config, twins::SWITCH, &layout).expect("a sound switch");
            let totals = run(&config, &mut *dut, &routing, LinkOptions::rough(TrafficKind::Uniform, 0.9, 6), cycles);
            assert!(totals.packets_out > 20, "{totals:?}");
        }
    }
}

#[test]
fn rust_hdl_simulates_switches_with_any_number_of_virtual_channels() {
    let networks = [
        ("star-5", "star", 3),
        ("star-4", "star", 7),
        ("2-ary-2-tree", "fat-tree", 5),
        ("2-ary-2-tree", "least-occupied", 3),
        ("k4-n2", "least-occupied", 6),
        ("4-ary-2-tree", "least-occupied", 1),
        ("torus-3x3-trunk2", "torus", 7),
        ("torus-5-nodes3", "torus", 3),
        ("mesh-3x2", "mesh", 2),
        ("dragonfly-p2a2h2", "dragonfly-ugal", 3),
        ("dragonfly-p1a3h1", "dragonfly-minimal", 4),
        ("boards-3x2", "boards", 2),
        ("boards-2x3", "boards", 5),
        ("dragonfly-p1a3h1", "table", 1),
        ("2-ary-2-tree", "table", 2),
        ("torus-3x3-trunk2", "table", 5),
        ("mesh-3x3-nodes2", "table-limited", 3),
        ("mesh-3x4", "staircase-escape", 3),
        ("torus-4x3-nodes2", "alternating-escape", 4),
        ("mesh-4x5", "west-last-east-last", 2),
        ("mesh-5x3-nodes2", "west-last-east-last", 3),
        ("torus-8-nodes2", "torus-limited", 3),
    ];
    for (seed, (name, routing, vcs)) in (1..).zip(networks) {
        let mut config = Config::of_network(name).expect("a network");
        let routing = Routing::by_name(routing).expect("a routing");
        config.route_by(routing);
        (config.switch.vcs, config.switch.buffer_flits) = (vcs, 24 * vcs);
        // Every other one is also for short packets.
        config.switch.short_packets = Some(seed % 2 == 1);
        // Every other mechanism at each of them, in turn, but in the long form.
        let tried = (0..).zip(variants(&config)).filter(|(place, _)| is_long() || (place + seed) % 2 == 0);
        for (_, Variant { config, .. }) in tried {
            let routing = ExpectedRouting::any(&config, &mut Random::new(seed)).expect("it exists");
            let layout = twins::golden(&config, twins::SWITCH).expect("a switch").layout().clone();
            let mut dut = twins::rust_hdl(&config, twins::SWITCH, &layout).expect("a sound switch");
            let totals = run(&config, &mut *dut, &routing, LinkOptions::rough(TrafficKind::Uniform, 0.9, seed), 1000);
            assert!(totals.packets_out > 20, "{totals:?}");
        }
    }
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_of_4_ports_with_each_mechanism() {
    a_million_cycles(&config("fat-tree-2"));
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_of_8_ports_with_each_mechanism() {
    a_million_cycles(&config("fat-tree-4"));
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_of_16_ports_with_each_mechanism() {
    a_million_cycles(&config("fat-tree-8"));
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_of_28_ports_with_each_mechanism() {
    a_million_cycles(&config("torus-28"));
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_of_a_dragonfly_with_each_mechanism() {
    a_million_cycles(&test_switches::config(TestSwitch::DragonflyUgal));
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_of_boards_with_each_mechanism() {
    a_million_cycles(&test_switches::config(TestSwitch::Boards));
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_of_grids_with_links_off_with_each_mechanism() {
    for switch in [TestSwitch::Stairs, TestSwitch::Streets, TestSwitch::LastTurns] {
        a_million_cycles(&test_switches::config(switch));
    }
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_of_a_torus_with_a_limit_on_injection_with_each_mechanism() {
    a_million_cycles(&test_switches::config(TestSwitch::LongTorus));
}

#[test]
#[ignore = "runs for minutes"]
fn a_million_cycles_with_a_routing_table_with_each_mechanism() {
    for switch in [TestSwitch::Table, TestSwitch::LimitedTable] {
        a_million_cycles(&test_switches::config(switch));
    }
}

/// At a leaf and, in a tree, a root.
fn a_million_cycles(config: &Config) {
    let Some(tools) = tools_or_skip(&config.name) else { return };
    for Variant { config, .. } in variants(config) {
        let layout = twins::golden(&config, twins::SWITCH).expect("a switch").layout().clone();
        let library = twins::verilated(&config, twins::SWITCH, &layout, &tools, &Progress::silent()).expect("sound");
        let topology = config.topology.as_ref().expect("one of a network");
        let (last, other) = (topology.stages() - 1, 17 % topology.nodes(config.ports));
        let runs = [
            (0, 0, LinkOptions::lively(TrafficKind::Uniform, 0.3, 1)),
            (other, last, LinkOptions::sleepy(TrafficKind::Uniform, 0.03, 2)),
            (0, last, LinkOptions::sleepy(TrafficKind::Bursty { cycles: 500 }, 0.05, 3)),
            (other, last, LinkOptions::rough(TrafficKind::HotSpot, 0.5, 4)),
        ];
        for (node, stage, options) in runs {
            let mut dut = Verilator::load(&library, layout.clone(), None).expect("it has just been built");
            let routing = ExpectedRouting::new(&config, node, stage).expect("it exists");
            let totals = run(&config, &mut dut, &routing, options, 250_000);
            assert!(totals.packets_out > 1000 && totals.not_sending > 1000, "{totals:?}");
        }
    }
}
