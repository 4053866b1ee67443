//! Networks whose nodes are the emitted Verilog: equal to those of golden network interfaces in every cycle, and a fault in the Verilog is
//! found.

use powar_config::units::Nanoseconds;
use powar_evaluation::network::{Interfaces, Simulation, TraceOptions, Traffic, simulate};
use powar_faults::verilog::VerilogFault;
use powar_faults::{verilog_faults, with_faults};
use powar_testbenches::dut::verilator::LoopedVerilator;
use powar_testbenches::network::{self, Compiled, LoopReport, RtlParts, Verilog, simulate_with};
use powar_testbenches::twins::{self, NETWORK_INTERFACE};
use powar_tools::{Progress, Tools, tools_or_skip};
use powar_traffic::ReplayOptions;
use powar_traffic::synthetic::SyntheticOptions;
use std::path::PathBuf;

/// A tree of four nodes with two virtual channels, whose ports sleep and wake all the time.
fn small_tree() -> Simulation {
    let times = [("pdt", "80ns"), ("t_sleep", "30ns"), ("t_wake", "50ns"), ("check_period", "300ns")];
    let times = times.into_iter().map(|(name, time)| (name.into(), time.into())).collect();
    Simulation {
        topology: "2-ary-2-tree".into(),
        mechanism: [("powar".into(), times)].into(),
        vcs: 2,
        buffer_flits: 46,
        hop: Nanoseconds(16.0),
        interfaces: Interfaces::AxiStream,
        traffic: Traffic::Synthetic(SyntheticOptions { load: 0.2, cycles: 6_000, ..SyntheticOptions::default() }),
        ..Simulation::default()
    }
}

/// The network interface of a simulation with these faults in it, compiled.
fn spoilt(simulation: &Simulation, faults: &[&VerilogFault], tools: &Tools) -> PathBuf {
    let config = simulation.network().unwrap().config;
    let layout = twins::golden(&config, NETWORK_INTERFACE).unwrap().layout().clone();
    let design = with_faults(&twins::design(&config, NETWORK_INTERFACE).unwrap(), faults).unwrap();
    let library = LoopedVerilator::library(&design, &layout, true).unwrap();
    let library = library.argument("-Wno-WIDTH").argument("-Wno-UNUSED").argument("-Wno-fatal");
    library.build(tools, &Progress::silent()).unwrap()
}

/// Faults all over the interface, at whatever sizes it has.
const FAULTS: [(&str, &str); 9] = [
    ("header_queue", "an entry is fetched twice"),
    ("injection_queues", "the head flit is not counted"),
    ("injection", "the bytes of the last beat stand too low"),
    ("injection", "the hint is a cycle early"),
    ("reception", "a packet starts before it is complete"),
    ("reception", "credits come back a cycle early"),
    ("reception", "the last beat is told a beat early"),
    (NETWORK_INTERFACE, "the source is the destination"),
    (NETWORK_INTERFACE, "packets sent are flits sent"),
];

#[test]
fn nodes_of_verilog_are_equal_and_those_with_a_fault_are_not() {
    let Some(tools) = tools_or_skip("network_nodes") else { return };
    let simulation = small_tree();
    let of_name = |(block, name)| verilog_faults().find(|fault| fault.block == block && fault.name == name).unwrap();
    let faults = FAULTS.map(of_name);
    let library = spoilt(&simulation, &faults, &tools);
    let folder = tempfile::tempdir().unwrap();
    let vcd = folder.path().join("difference.vcd");
    let run = |simulation: &Simulation, count: usize, fault: u64| {
        let nodes = Some(Compiled { count, library: &library, fault: Some(fault) });
        simulate_with(simulation, &Verilog { nodes, ..Verilog::default() }, &vcd, &mut |_| ()).unwrap()
    };
    for count in [1, usize::MAX] {
        let report = run(&simulation, count, 0);
        assert!(report.equal && !vcd.exists(), "{:?}", report.difference);
        assert_eq!((report.rtl_nodes, report.rtl_switches, report.signals), (count.min(4), 0, 0));
        assert!(report.cycles >= 6_000 && report.node_signals > 100, "{report:?}");
        assert!(report.outcome.packets > 300 && report.outcome.wake_ups > 50, "{report:?}");
    }
    // Messages that wait for others, of all lengths; the same interface.
    let program = TraceOptions { skeleton: Some("hpl:n=64,nb=16,p=2,q=2".into()), ..TraceOptions::default() };
    let report = run(&Simulation { traffic: Traffic::Trace(program), ..simulation.clone() }, 2, 0);
    assert!(report.equal && report.outcome.packets > 100, "{report:?}");
    for (number, fault) in (1..).zip(&faults) {
        let report = run(&simulation, usize::MAX, number);
        let difference = report.difference.as_deref().unwrap_or_default();
        println!("{}: {difference}", fault.name);
        assert!(
            !report.equal && difference.starts_with("node ") && difference.contains(": first difference in cycle "),
            "{}: {difference}",
            fault.name
        );
        assert!(vcd.exists() && vcd.with_extension("gtkw").exists(), "{}", fault.name);
    }
}

/// With switches as Verilog too, under each kind of traffic.
fn everything_in_verilog(simulation: &Simulation, tools: &Tools) -> LoopReport {
    let folder = tempfile::tempdir().unwrap();
    let vcd = folder.path().join("difference.vcd");
    let all = RtlParts { switches: usize::MAX, nodes: usize::MAX };
    let report = network::simulate(simulation, all, &vcd, tools, &Progress::silent(), &mut |_| ()).unwrap();
    assert!(report.equal, "{:?}", report.difference);
    assert_eq!(report.outcome, simulate(simulation, &mut |_| ()).unwrap());
    assert_eq!((report.rtl_switches, report.rtl_nodes), (report.outcome.switches, report.outcome.nodes));
    println!("{} in {} cycles, {:.0} cycles/s", simulation.topology, report.cycles, report.cycles_per_second);
    report
}

#[test]
fn a_network_of_nothing_but_verilog_is_equal() {
    let Some(tools) = tools_or_skip("network_nodes") else { return };
    let report = everything_in_verilog(&small_tree(), &tools);
    assert!(report.outcome.packets > 300 && report.signals > 100 && report.node_signals > 100, "{report:?}");
}

/// The same network with hints.
fn with_hints(network: Simulation) -> Simulation {
    let mut times = network.mechanism["powar"].clone();
    times.insert("bound".into(), 0.5.into());
    let mechanism = [("wake_hints".into(), times)].into();
    Simulation { policy: "powar-hints".into(), mechanism, ..network }
}

fn hints_wake(report: &LoopReport) {
    assert!(report.outcome.packets > 300 && report.outcome.wake_ups > 50, "{report:?}");
    assert!(report.outcome.events["hints_woke"] > 20, "{:?}", report.outcome.events);
}

/// A ring of five switches with a chord and two cables in parallel, from a file: hints go by the tables that software has loaded.
#[test]
fn a_network_from_a_file_whose_nodes_send_words_is_equal() {
    let Some(tools) = tools_or_skip("network_nodes") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.edges");
    std::fs::write(&file, "a b 2\nb c\nc d\nd e\ne a\na c\nnodes 2\n").unwrap();
    let ring = with_hints(Simulation { topology: format!("file:{}", file.display()), ..small_tree() });
    hints_wake(&everything_in_verilog(&ring, &tools));
}

/// Words of the nodes' lanes go through all switches, and wake their ports.
#[test]
fn a_network_of_nothing_but_verilog_whose_nodes_send_words_is_equal() {
    let Some(tools) = tools_or_skip("network_nodes") else { return };
    let tree = with_hints(small_tree());
    hints_wake(&everything_in_verilog(&tree, &tools));
    // Messages that are announced on the streams, before their ranks have computed.
    let replay = ReplayOptions { lead: Nanoseconds(200.0), ..ReplayOptions::default() };
    let program = TraceOptions { skeleton: Some("hpl:n=64,nb=16,p=2,q=2".into()), replay, ..TraceOptions::default() };
    let ahead = everything_in_verilog(&Simulation { traffic: Traffic::Trace(program.clone()), ..tree.clone() }, &tools);
    let replay = ReplayOptions::default();
    let program = Traffic::Trace(TraceOptions { replay, ..program });
    let plain = simulate(&Simulation { traffic: program, ..tree }, &mut |_| ()).unwrap();
    assert!(ahead.outcome.cycles < plain.cycles, "{} cycles, {} without", ahead.outcome.cycles, plain.cycles);
}

/// Larger networks, more of each kind of traffic, nodes whose hints count.
#[test]
#[ignore = "Verilator compiles a switch for each network"]
fn networks_of_nothing_but_verilog_are_equal() {
    let Some(tools) = tools_or_skip("network_nodes") else { return };
    let tree = small_tree();
    let synthetic =
        |load: f64, cycles: u64| Traffic::Synthetic(SyntheticOptions { load, cycles, ..SyntheticOptions::default() });
    let hpl = TraceOptions { skeleton: Some("hpl:n=64,nb=16,p=4,q=4".into()), ..TraceOptions::default() };
    let times = [("turn_on", "60ns"), ("turn_off", "60ns"), ("check_period", "400ns")];
    let times = times.into_iter().map(|(name, time)| (name.into(), time.into())).collect();
    for simulation in [
        Simulation { traffic: synthetic(0.7, 60_000), ..tree.clone() },
        Simulation { topology: "4-ary-2-tree".into(), traffic: synthetic(0.1, 30_000), ..tree.clone() },
        Simulation { topology: "4-ary-2-tree".into(), traffic: Traffic::Trace(hpl), ..tree.clone() },
        Simulation {
            topology: "2-ary-3-tree".into(),
            policy: "alonso-dynamic".into(),
            mechanism: [("alonso".into(), times)].into(),
            traffic: synthetic(0.15, 40_000),
            ..tree.clone()
        },
        Simulation {
            topology: "torus-3x3".into(),
            vcs: 4,
            buffer_flits: 4 * 24,
            traffic: synthetic(0.3, 30_000),
            ..tree.clone()
        },
    ] {
        let report = everything_in_verilog(&simulation, &tools);
        assert!(report.outcome.packets > 1_000, "{report:?}");
    }
    // Hints over rings and between groups.
    for topology in ["torus-3x3", "dragonfly-p1a2h1"] {
        let traffic = synthetic(0.1, 10_000);
        let network = Simulation { topology: topology.into(), vcs: 4, buffer_flits: 4 * 24, traffic, ..tree.clone() };
        hints_wake(&everything_in_verilog(&with_hints(network), &tools));
    }
}
