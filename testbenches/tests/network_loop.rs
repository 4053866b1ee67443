//! Networks with the emitted Verilog in the loop: equal to the golden ones in every cycle, and a fault in the Verilog is found.

use crate::effort::half_of;
use powar_config::units::Nanoseconds;
use powar_evaluation::network::{Simulation, Traffic};
use powar_faults::verilog::VerilogFault;
use powar_faults::{verilog_faults, with_faults};
use powar_testbenches::dut::verilator::LoopedVerilator;
use powar_testbenches::network::{Compiled, Verilog, simulate_with};
use powar_testbenches::test_switches::TestSwitch;
use powar_testbenches::twins;
use powar_tools::{Progress, Tools, tools_or_skip};
use powar_traffic::synthetic::SyntheticOptions;

/// A tree of four switches with two virtual channels, whose ports sleep and wake all the time.
fn small_tree() -> Simulation {
    let times = [("pdt", "80ns"), ("t_sleep", "30ns"), ("t_wake", "50ns"), ("check_period", "300ns")];
    let times = times.into_iter().map(|(name, time)| (name.into(), time.into())).collect();
    Simulation {
        topology: "2-ary-2-tree".into(),
        mechanism: [("powar".into(), times)].into(),
        vcs: 2,
        buffer_flits: 46,
        hop: Nanoseconds(16.0),
        traffic: Traffic::Synthetic(SyntheticOptions { load: 0.3, cycles: 6_000, ..SyntheticOptions::default() }),
        ..Simulation::default()
    }
}

#[test]
fn a_network_of_verilog_is_equal_and_one_with_a_fault_is_not() {
    let Some(tools) = tools_or_skip("network_loop") else { return };
    let simulation = small_tree();
    let config = simulation.network().unwrap().config;
    let layout = twins::golden(&config, twins::SWITCH).unwrap().layout().clone();
    let names = ["what is open is by port where it should be by VC", "the power manager counts flits on the link"];
    let faults: Vec<&VerilogFault> = verilog_faults()
        .filter(|fault| {
            fault.switch == TestSwitch::SmallTree && fault.block == twins::SWITCH && names.contains(&fault.name)
        })
        .collect();
    assert_eq!(faults.len(), names.len());
    let design = with_faults(&twins::design(&config, twins::SWITCH).unwrap(), &faults).unwrap();
    let library = LoopedVerilator::library(&design, &layout, true).unwrap();
    let library = library.argument("-Wno-WIDTH").argument("-Wno-UNUSED").argument("-Wno-fatal");
    let library = library.build(&tools, &Progress::silent()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let vcd = folder.path().join("difference.vcd");
    let run = |fault: u64, rtl: usize| {
        let compiled = Compiled { count: rtl, library: &library, fault: Some(fault) };
        let verilog = Verilog { switches: Some(compiled), ..Verilog::default() };
        simulate_with(&simulation, &verilog, &vcd, &mut |_| ()).unwrap()
    };
    for rtl in [1, usize::MAX] {
        let report = run(0, rtl);
        assert!(report.equal && !vcd.exists(), "{:?}", report.difference);
        assert_eq!(report.rtl_switches, rtl.min(4));
        assert!(report.cycles >= 6_000 && report.outcome.packets > 500 && report.outcome.wake_ups > 100, "{report:?}");
    }
    for (number, fault) in (1..).zip(&faults) {
        let report = run(number, usize::MAX);
        let difference = report.difference.as_deref().unwrap_or_default();
        assert!(
            !report.equal && difference.starts_with("switch ") && difference.contains(": first difference in cycle "),
            "{}: {difference}",
            fault.name
        );
        assert!(vcd.exists() && vcd.with_extension("gtkw").exists(), "{}", fault.name);
    }
}

/// A tree in which the neighbour rule goes two stages up, and one whose switches have four links each way, with Alonso's mechanism: links
/// go off and on with little traffic, in which nodes hint at what waits.
fn trees_that_shed_links() -> [Simulation; 2] {
    let times = [("turn_on", "60ns"), ("turn_off", "60ns"), ("check_period", "400ns")];
    let times = || times.into_iter().map(|(name, time)| (name.into(), time.into()));
    let parameters = || times().chain([("start".into(), true.into())]).collect();
    [("2-ary-3-tree", 4_000), ("4-ary-2-tree", 3_000)].map(|(topology, cycles)| Simulation {
        topology: topology.into(),
        policy: "alonso-dynamic".into(),
        mechanism: [("alonso".into(), parameters())].into(),
        vcs: 2,
        buffer_flits: 46,
        hop: Nanoseconds(16.0),
        traffic: Traffic::Synthetic(SyntheticOptions { load: 0.1, cycles, ..SyntheticOptions::default() }),
        ..Simulation::default()
    })
}

#[test]
fn trees_whose_links_go_off_and_on_are_equal_and_one_with_a_fault_is_not() {
    let Some(tools) = tools_or_skip("network_loop") else { return };
    let folder = tempfile::tempdir().unwrap();
    for simulation in trees_that_shed_links() {
        let vcd = folder.path().join(format!("{}.vcd", simulation.topology));
        let config = simulation.network().unwrap().config;
        let layout = twins::golden(&config, twins::SWITCH).unwrap().layout().clone();
        // In trees of two stages only roots are outside the Minimal Tree, and those have no links up.
        let (network, names) = match config.ports {
            4 => (TestSwitch::SmallTree, ["links do not follow those below", "hints do not count"]),
            _ => (TestSwitch::FatTree, ["down-ports go off at once", "hints do not count"]),
        };
        let of_network = verilog_faults().filter(|fault| fault.switch == network && fault.block == "alonso");
        let faults: Vec<&VerilogFault> = of_network.filter(|fault| names.contains(&fault.name)).collect();
        assert_eq!(faults.len(), names.len());
        let design = with_faults(&twins::design(&config, twins::SWITCH).unwrap(), &faults).unwrap();
        let library = LoopedVerilator::library(&design, &layout, true).unwrap();
        let library = library.argument("-Wno-WIDTH").argument("-Wno-UNUSED").argument("-Wno-fatal");
        let library = library.build(&tools, &Progress::silent()).unwrap();
        let run = |fault: u64| {
            let compiled = Compiled { count: usize::MAX, library: &library, fault: Some(fault) };
            let verilog = Verilog { switches: Some(compiled), ..Verilog::default() };
            simulate_with(&simulation, &verilog, &vcd, &mut |_| ()).unwrap()
        };
        let report = run(0);
        assert!(report.equal && !vcd.exists(), "{:?}", report.difference);
        println!(
            "{}: {} switches, {} cycles: {:?}",
            simulation.topology, report.rtl_switches, report.cycles, report.outcome
        );
        assert!(report.outcome.packets > 100 && report.outcome.wake_ups > 50, "{report:?}");
        for (number, fault) in (1..).zip(&faults) {
            let report = run(number);
            assert!(!report.equal && report.difference.is_some() && vcd.exists(), "{}", fault.name);
        }
    }
}

/// A network all of whose switches are Verilog is equal to the golden one, in which so many ports wake at least.
fn are_equal(simulation: &Simulation, tools: &Tools, wake_ups: u64) {
    let config = simulation.network().unwrap().config;
    let layout = twins::golden(&config, twins::SWITCH).unwrap().layout().clone();
    let library = twins::looped(&config, twins::SWITCH, &layout, tools, &Progress::silent()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let vcd = folder.path().join("difference.vcd");
    let compiled = Compiled { count: usize::MAX, library: &library, fault: None };
    let verilog = Verilog { switches: Some(compiled), ..Verilog::default() };
    let report = simulate_with(simulation, &verilog, &vcd, &mut |_| ()).unwrap();
    assert!(report.equal && !vcd.exists(), "{simulation:?}: {:?}", report.difference);
    assert!(report.outcome.packets > 100 && report.outcome.wake_ups > wake_ups, "{report:?}");
}

/// Nodes' packets on three virtual channels, up where buffers are emptiest, with each mechanism that is for trees.
#[test]
fn trees_whose_routing_sees_all_are_equal() {
    let Some(tools) = tools_or_skip("network_loop") else { return };
    let [shedding, _] = trees_that_shed_links();
    for simulation in [small_tree(), shedding] {
        let simulation = Simulation { routing: Some("least-occupied".into()), vcs: 3, buffer_flits: 72, ..simulation };
        are_equal(&simulation, &tools, 50);
    }
}

/// A tree whose ports are woken from light sleep and from deep; the same with hints, where a budget that is spent now and
/// then keeps ports from deep sleep or from any.
#[test]
fn a_tree_whose_ports_sleep_at_two_depths_is_equal() {
    let Some(tools) = tools_or_skip("network_loop") else { return };
    for (mechanism, budget) in [("depths", &[] as &[_]), ("hints_depths", &[("bound", 0.1), ("cap", 2.0)])] {
        let times = [("pdt", "80ns"), ("t_sleep", "30ns"), ("t_wake", "50ns")];
        let depth = [("deep_after", "150ns"), ("t_wake_deep", "120ns")];
        let times = times.into_iter().chain(depth).map(|(name, time)| (name.into(), time.into()));
        let budget = budget.iter().map(|&(name, value)| (name.into(), value.into()));
        let traffic = SyntheticOptions { load: 0.1, cycles: 10_000, ..SyntheticOptions::default() };
        let simulation = Simulation {
            policy: format!("powar-{}", mechanism.replace('_', "-")),
            mechanism: [(mechanism.into(), times.chain(budget).collect())].into(),
            traffic: Traffic::Synthetic(traffic),
            ..small_tree()
        };
        are_equal(&simulation, &tools, 100);
    }
}

/// A tree whose ports choose their thresholds, anew some twenty times; one whose ports have a budget for waiting, which is spent now and then.
#[test]
fn trees_whose_ports_are_bound_are_equal() {
    let Some(tools) = tools_or_skip("network_loop") else { return };
    let bound = [("powar-perf-bound", "perf_bound", &[("period", "800ns")] as &[_]), ("powar-budget", "ahead", &[])];
    for (policy, mechanism, own) in bound {
        let times = [("pdt", "0ns"), ("t_sleep", "30ns"), ("t_wake", "50ns")];
        let times = times.iter().chain(own).map(|&(name, time)| (name.into(), time.into()));
        let traffic = SyntheticOptions { load: 0.1, cycles: 10_000, ..SyntheticOptions::default() };
        let simulation = Simulation {
            policy: policy.into(),
            mechanism: [(mechanism.into(), times.chain([("bound".into(), 0.3.into())]).collect())].into(),
            traffic: Traffic::Synthetic(traffic),
            ..small_tree()
        };
        are_equal(&simulation, &tools, 100);
    }
}

/// Meshes and tori of 4 x 4 whose links go off and on with the load of their switches, and packets go round them; the same on demand.
#[test]
fn grids_whose_links_go_off_and_on_are_equal() {
    let Some(tools) = tools_or_skip("network_loop") else { return };
    for (topology, routing, policy, load) in [
        ("mesh-4x4", "staircase-escape", "on-off-staircase", 0.1),
        ("mesh-4x4", "alternating-escape", "on-off-alternating", 0.1),
        ("mesh-4x4", "west-last-east-last", "on-off-alternating", 0.1),
        ("torus-4x4", "staircase-escape", "on-off-staircase", 0.15),
        ("torus-4x4", "alternating-escape", "on-off-alternating", 0.15),
        ("torus-4x4", "torus", "on-off-on-demand", 0.05),
        ("torus-4x4", "torus-limited", "on-off-on-demand", 0.15),
        ("mesh-4x4", "staircase-escape", "on-off-on-demand", 0.05),
    ] {
        let times =
            [("window", "96ns"), ("t_trans", "48ns"), ("idle", "32ns")].map(|(name, time)| (name.into(), time.into()));
        let loads = [("sleep_threshold", 0.01), ("sleep_step", 0.005), ("wake_threshold", 0.06), ("wake_step", 0.005)]
            .map(|(name, load)| (name.into(), load.into()));
        let simulation = Simulation {
            topology: topology.into(),
            routing: Some(routing.into()),
            policy: policy.into(),
            mechanism: [("soteriou_peh".into(), times.into_iter().chain(loads).collect())].into(),
            vcs: 3,
            buffer_flits: 81,
            hop: Nanoseconds(16.0),
            traffic: Traffic::Synthetic(SyntheticOptions {
                load,
                cycles: half_of(8_000),
                ..SyntheticOptions::default()
            }),
            ..Simulation::default()
        };
        are_equal(&simulation, &tools, 15);
    }
}

/// A ring of five switches with a chord and two cables in parallel, from a file: all switches are Verilog, whose tables software has loaded. A fault of
/// the table's memory sends packets astray.
#[test]
fn a_network_from_a_file_is_equal_and_one_with_a_fault_is_not() {
    let Some(tools) = tools_or_skip("network_loop") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.edges");
    std::fs::write(&file, "a b 2\nb c\nc d\nd e\ne a\na c\nnodes 2\n").unwrap();
    let simulation = Simulation { topology: format!("file:{}", file.display()), ..small_tree() };
    let vcd = folder.path().join("difference.vcd");
    let config = simulation.network().unwrap().config;
    assert_eq!((config.routing().unwrap().name, config.ports), ("table-limited", 6));
    let layout = twins::golden(&config, twins::SWITCH).unwrap().layout().clone();
    let library = twins::looped(&config, twins::SWITCH, &layout, &tools, &Progress::silent()).unwrap();
    let run = |library: &std::path::Path| {
        let compiled = Compiled { count: usize::MAX, library, fault: None };
        let verilog = Verilog { switches: Some(compiled), ..Verilog::default() };
        simulate_with(&simulation, &verilog, &vcd, &mut |_| ()).unwrap()
    };
    let report = run(&library);
    assert!(report.equal && !vcd.exists(), "{:?}", report.difference);
    assert!(report.rtl_switches == 5 && report.outcome.packets > 500 && report.outcome.wake_ups > 100, "{report:?}");

    // Every second row is that of the one before.
    let mut design = twins::design(&config, twins::SWITCH).unwrap();
    let module = design.modules.iter_mut().find(|module| module.name == "routing_table").expect("a table");
    let right = "words_mem_0[read_row[3:0]]";
    assert_eq!(module.text.matches(right).count(), 1);
    module.text = module.text.replace(right, "words_mem_0[{read_row[3:1], 1'b0}]");
    let faulty = LoopedVerilator::library(&design, &layout, true).unwrap();
    let faulty = faulty.argument("-Wno-UNUSED").build(&tools, &Progress::silent()).unwrap();
    let report = run(&faulty);
    assert!(!report.equal && vcd.exists(), "{report:?}");
    assert!(report.difference.as_deref().unwrap_or_default().starts_with("switch "), "{:?}", report.difference);
}

/// Boards that give each other wavelengths, at rates by what waits, with messages on the ring between them.
#[test]
fn boards_whose_wavelengths_change_hands_are_equal() {
    let Some(tools) = tools_or_skip("network_loop") else { return };
    let times = [("window", "480ns"), ("dead_time", "60ns")].into_iter().map(|(name, time)| (name.into(), time.into()));
    let traffic =
        SyntheticOptions { pattern: "bit-complement".into(), load: 0.35, cycles: 8_000, ..SyntheticOptions::default() };
    let simulation = Simulation {
        topology: "boards-4x2".into(),
        policy: "p-b".into(),
        mechanism: [("e_rapid".into(), times.collect())].into(),
        vcs: 2,
        buffer_flits: 80,
        traffic: Traffic::Synthetic(traffic),
        ..Simulation::default()
    };
    are_equal(&simulation, &tools, 50);
}
