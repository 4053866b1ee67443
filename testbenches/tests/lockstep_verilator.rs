//! Every block's emitted Verilog in Verilator against its golden twin: random stimuli of every kind, and real traffic.
//!
//! The seeds are fixed, so a failure replays as it is; `powar check --block NAME --seed N` runs the same comparison by hand.

use crate::effort::{half_of, is_long};
use powar_config::mechanism::powar::policy;
use powar_config::registers::{WORD_BYTES, mechanism_address};
use powar_config::{Config, CycleModel, Layout, Routing, presets};
use powar_evaluation::packets_of_trace;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::mechanisms::{Variant, variants};
use powar_testbenches::stimulus::{Scenario, Stimulus, SwitchTraffic};
use powar_testbenches::test_switches::{self, TestSwitch};
use powar_testbenches::{lockstep, trials, twins};
use powar_tools::{Progress, tools_or_skip};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config as RunnerConfig, RngAlgorithm, TestRng, TestRunner};
use std::path::Path;

/// Scenarios drawn from proptest's strategy with a fixed seed.
fn scenarios(count: usize) -> Vec<Scenario> {
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(RunnerConfig::default(), random);
    let mut drawn: Vec<Scenario> =
        (0..count).map(|_| Scenario::any().new_tree(&mut runner).expect("never rejects").current()).collect();
    drawn.push(Scenario::lively(7));
    drawn
}

fn config(preset: &str) -> Config {
    presets::by_name(preset).expect("a preset")
}

/// Runs each block through scenarios of so many cycles each.
fn check(test: &str, preset: &str, blocks: &[String], count: usize, cycles: u64) {
    let configured: Vec<_> = blocks.iter().map(|block| (config(preset), block.clone())).collect();
    check_configured(test, &configured, count, cycles);
}

/// The same of blocks each in its configuration.
fn check_configured(test: &str, blocks: &[(Config, String)], count: usize, cycles: u64) {
    let Some(tools) = tools_or_skip(test) else { return };
    for (config, block) in blocks {
        let preset = &config.name;
        let layout = twins::golden(config, block).expect("a known block").layout().clone();
        let library = twins::verilated(config, block, &layout, &tools, &Progress::silent())
            .unwrap_or_else(|error| panic!("{block} of {preset}: {error:#}"));
        for scenario in scenarios(count) {
            let mut dut = Verilator::load(&library, layout.clone(), None).expect("it has just been built");
            let mut stimulus = scenario.stimulus(config, &layout);
            compare(config, block, &mut dut, &mut stimulus, cycles, &format!("{scenario:?}"));
        }
    }
}

fn compare(
    config: &Config,
    block: &str,
    dut: &mut dyn powar_testbenches::dut::Dut,
    stimulus: &mut (dyn Stimulus + Send),
    cycles: u64,
    what: &str,
) {
    let mut golden = twins::golden(config, block).expect("a known block");
    let outcome = lockstep::run(&mut *golden, dut, stimulus, cycles, &mut |_| ()).expect("the same signals");
    if let Err(difference) = outcome.equal() {
        panic!("{block} of {}, {what}: {difference}", config.name);
    }
}

/// The blocks that are made of many others, and take longer, as the mechanism does.
const LARGE: [&str; 8] = [
    "power_manager",
    "input_port",
    "allocator",
    "crossbar",
    "output_port",
    "injection_queues",
    "reception",
    "network_interface",
];

/// Neither the whole controller nor the whole switch: those that are large, or the others, of each mechanism.
fn blocks(preset: &str, large: bool) -> Vec<(Config, String)> {
    let all = variants(&config(preset))
        .into_iter()
        .flat_map(|Variant { config, blocks }| blocks.into_iter().map(move |block| (config.clone(), block)));
    let is_large = |config: &Config, name: &str| LARGE.contains(&name) || name == config.mechanism().name;
    all.filter(|(_, name)| ![twins::CONTROLLER, twins::SWITCH, twins::DEMONSTRATOR].contains(&name.as_str()))
        .filter(|(config, name)| is_large(config, name) == large)
        .collect()
}

/// The controller with each mechanism that is for the preset's switch.
fn controllers(preset: &str) -> Vec<(Config, String)> {
    variants(&config(preset)).into_iter().map(|variant| (variant.config, twins::CONTROLLER.to_owned())).collect()
}

/// The same of a preset with many ports, whose blocks are those of smaller ones: with its own mechanism, and the others in the long form.
fn large_controllers(preset: &str) -> Vec<(Config, String)> {
    let is_own = |of: &Config| of.mechanism().name == config(preset).mechanism().name;
    controllers(preset).into_iter().filter(|(of, _)| is_long() || is_own(of)).collect()
}

#[test]
fn blocks_of_an_8_port_switch() {
    check_configured("blocks_of_an_8_port_switch", &blocks("fat-tree-4", false), half_of(12) as usize, 40_000);
}

#[test]
fn large_blocks_of_an_8_port_switch() {
    check_configured("large_blocks_of_an_8_port_switch", &blocks("fat-tree-4", true), 8, 8_000);
}

#[test]
fn routing_units_of_other_networks() {
    for (preset, unit) in
        [("star-16", "star_routing"), ("fat-tree-18", "fat_tree_routing"), ("torus-28", "torus_routing")]
    {
        check("routing_units_of_other_networks", preset, &[unit.to_string()], 4, 20_000);
    }
}

/// Blocks that depend on what the routing sees or on how many virtual channels there are, where the routing sees all.
#[test]
fn blocks_of_a_switch_whose_routing_sees_all() {
    let config = test_switches::config(TestSwitch::LeastOccupied);
    assert_eq!(config.switch.vcs, 3);
    let blocks = ["least_occupied_routing", "virtual_channel", "credit_counter", "output_port", "vc_arbiter"];
    let of = |blocks: &[&str]| blocks.iter().map(|block| (config.clone(), block.to_string())).collect::<Vec<_>>();
    check_configured("blocks_of_a_switch_whose_routing_sees_all", &of(&blocks), 6, 20_000);
    check_configured(
        "blocks_of_a_switch_whose_routing_sees_all",
        &of(&["input_port", "allocator", "crossbar"]),
        4,
        6_000,
    );
}

/// Blocks that are others in a switch for short packets, with routes for two packets a VC, where packets of five flits and more may come too.
#[test]
fn blocks_of_a_switch_for_short_packets() {
    let mut config = config("fat-tree-2");
    config.switch.short_packets = Some(true);
    assert!(config.next_routes() && config.switch.max_packet_flits > 5);
    let of = |blocks: &[&str]| blocks.iter().map(|block| (config.clone(), block.to_string())).collect::<Vec<_>>();
    let small = ["virtual_channel", "route_register", "selector", "held_ports", "output_port"];
    check_configured("blocks_of_a_switch_for_short_packets", &of(&small), 6, 20_000);
    let large = ["input_port", "allocator", "power_manager"];
    check_configured("blocks_of_a_switch_for_short_packets", &of(&large), 4, 6_000);
}

/// A routing table: what loads it, its memories, what gives a row its address, the unit; rows of one word, and of three.
#[test]
fn blocks_of_a_switch_with_a_routing_table() {
    let [config, limited] = [TestSwitch::Table, TestSwitch::LimitedTable].map(test_switches::config);
    let mut wide = Config::of_network("star-64").expect("a network");
    wide.route_by(&powar_config::routing::table_limited::ROUTING);
    (wide.switch.vcs, wide.switch.buffer_flits) = (8, 8 * 24);
    let of = |config: &Config, blocks: &[&str]| -> Vec<(Config, String)> {
        blocks.iter().map(|block| (config.clone(), block.to_string())).collect()
    };
    let table = ["table_loader", "routing_table", "table_routing"];
    let with_limit = ["table_loader", "routing_table", "table_limited_routing"];
    let name = "blocks_of_a_switch_with_a_routing_table";
    check_configured(name, &of(&config, &table), 8, 40_000);
    check_configured(name, &of(&limited, &with_limit), 8, 40_000);
    check_configured(name, &of(&wide, &with_limit), 4, 20_000);
    check_configured(name, &of(&config, &["virtual_channel", "register_bus"]), 6, 20_000);
    check_configured(name, &of(&config, &["input_port"]), 4, 6_000);
    // Hints that go by the table.
    for switch in [TestSwitch::Table, TestSwitch::LimitedTable] {
        let hints = trials::config_of(switch, "hint_choice");
        check_configured(name, &of(&hints, &["hint_choice", "wake_hints"]), 6, 20_000);
        check_configured(name, &of(&hints, &["power_manager", twins::CONTROLLER]), 4, 6_000);
    }
}

/// E-RAPID's mechanism is for boards alone.
#[test]
fn blocks_of_boards_that_share_wavelengths() {
    for network in ["boards-3x2", "boards-8x8"] {
        let of_boards = variants(&Config::of_network(network).expect("a network")).into_iter();
        let with_ring: Vec<Variant> =
            of_boards.filter(|variant| variant.config.mechanism().sees.ring.is_some()).collect();
        assert_eq!(with_ring.len(), 1);
        for Variant { config, blocks } in with_ring {
            let (whole, small): (Vec<String>, Vec<String>) = (blocks.into_iter())
                .filter(|block| ![twins::SWITCH, twins::DEMONSTRATOR].contains(&block.as_str()))
                .partition(|block| ["power_manager", twins::CONTROLLER].contains(&block.as_str()));
            let of = |blocks: Vec<String>| blocks.into_iter().map(|block| (config.clone(), block)).collect::<Vec<_>>();
            check_configured("blocks_of_boards_that_share_wavelengths", &of(small), 6, 30_000);
            if network == "boards-3x2" {
                check_configured("blocks_of_boards_that_share_wavelengths", &of(whole), 6, 10_000);
            }
        }
    }
}

/// Routing units of switches with any number of virtual channels.
#[test]
fn routing_units_with_any_number_of_virtual_channels() {
    let networks = [
        ("star-9", "star", 3_usize),
        ("3-ary-3-tree", "fat-tree", 5),
        ("k4-n3", "least-occupied", 6),
        ("torus-3x4-trunk2", "torus", 7),
        ("torus-5x3-trunk2-nodes5", "torus", 3),
        ("torus-8x3-trunk2", "torus-limited", 4),
        ("torus-9-nodes3", "torus-limited", 5),
        ("mesh-5x3-nodes5", "mesh", 1),
        ("dragonfly-p3a5h4", "dragonfly-ugal", 4),
        ("dragonfly-p1a6h3", "dragonfly-minimal", 5),
        ("boards-8x8", "boards", 2),
        ("boards-5x3", "boards", 7),
        ("boards-2x62", "boards", 1),
        ("mesh-5x7-nodes3", "staircase-escape", 3),
        ("torus-4x3", "staircase-escape", 6),
        ("mesh-6x4", "alternating-escape", 5),
        ("torus-5x6-nodes2", "alternating-escape", 3),
        ("mesh-5x6-nodes3", "west-last-east-last", 2),
        ("mesh-2x4", "west-last-east-last", 5),
        ("mesh-6x2", "west-last-east-last", 8),
    ];
    for (name, routing, vcs) in networks {
        let mut config = Config::of_network(name).expect("a network");
        let routing = Routing::by_name(routing).expect("a routing");
        config.route_by(routing);
        // The deepest buffers if their occupancy is seen, for all of its bits.
        let flits = if config.routing_sees().occupancy { 4096 / vcs.next_power_of_two() * vcs } else { 24 * vcs };
        (config.switch.vcs, config.switch.buffer_flits) = (vcs, flits);
        let unit = format!("{}_routing", routing.name.replace('-', "_"));
        // With its children, if they are blocks of their own.
        let is_its = |block: &String| [unit.as_str(), "grid_ways", "injection_limit"].contains(&block.as_str());
        let blocks: Vec<_> = powar_hdl::registry::names(&config)
            .into_iter()
            .filter(is_its)
            .map(|block| (config.clone(), block))
            .collect();
        check_configured("routing_units_with_any_number_of_virtual_channels", &blocks, 4, 20_000);
    }
}

#[test]
fn selectors_and_arbiters_of_other_sizes() {
    for preset in ["fat-tree-2", "fat-tree-8", "torus-28", "fat-tree-18", "fat-tree-32"] {
        let blocks = ["selector", "port_arbiter"].map(String::from);
        check("selectors_and_arbiters_of_other_sizes", preset, &blocks, 6, 20_000);
    }
}

#[test]
fn controller_of_4_ports() {
    check_configured("controller_of_4_ports", &controllers("fat-tree-2"), 12, 40_000);
}

#[test]
fn controller_of_8_ports() {
    check_configured("controller_of_8_ports", &controllers("fat-tree-4"), 12, 30_000);
}

#[test]
fn controller_of_16_ports() {
    check_configured("controller_of_16_ports", &controllers("fat-tree-8"), 12, 20_000);
}

#[test]
fn controller_of_28_ports() {
    check_configured("controller_of_28_ports", &controllers("torus-28"), 6, 10_000);
}

#[test]
fn controller_of_36_ports() {
    check_configured("controller_of_36_ports", &large_controllers("fat-tree-18"), 3, 5_000);
}

#[test]
fn controller_of_64_ports() {
    check_configured("controller_of_64_ports", &large_controllers("fat-tree-32"), 1, 2_000);
}

/// The shipped traffic at the fat-tree's leaf switch and at a torus switch, under each policy, with ports that sleep often.
#[test]
fn controllers_on_real_traffic() {
    let Some(tools) = tools_or_skip("controllers_on_real_traffic") else { return };
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces");
    for (preset, trace) in [("fat-tree-8", "hpl-64.tar.xz"), ("torus-28", "random-access-64.tar.xz")] {
        let config = config(preset);
        let packets = packets_of_trace(&config, &traces.join(trace), 0, 400_000).expect("a shipped trace");
        assert!(packets.len() > 100, "{preset}: {} packets", packets.len());
        let layout = twins::golden(&config, twins::CONTROLLER).expect("a known block").layout().clone();
        let library =
            twins::verilated(&config, twins::CONTROLLER, &layout, &tools, &Progress::silent()).expect("sound");
        for policy in policy::ALL {
            let address = |name| mechanism_address(config.mechanism(), name) / WORD_BYTES;
            // PDT of 200 cycles.
            let writes = [(address("policy"), u32::from(policy.code)), (address("pdt"), 200)];
            let mut dut = Verilator::load(&library, layout.clone(), None).expect("it has just been built");
            let mut traffic = SwitchTraffic::new(&layout, packets.clone().into_iter(), &writes);
            compare(&config, twins::CONTROLLER, &mut dut, &mut traffic, 150_000, policy.title);
        }
    }
}

#[test]
fn a_wrong_register_value_is_reported_with_cycle_signal_values_and_waves() {
    let Some(tools) = tools_or_skip("a_wrong_register_value_is_reported") else { return };
    let config = config("fat-tree-4");
    let mut other = config.clone();
    other.powar_mut().expect("a preset of POWAR").t_on = 0.6;
    let layout = twins::golden(&config, "control_registers").expect("a known block").layout().clone();
    let mut dut = twins::verilator(&other, "control_registers", &layout, &tools, &Progress::silent()).expect("sound");
    let mut golden = twins::golden(&config, "control_registers").expect("a known block");
    let mut stimulus = Scenario::lively(1).stimulus(&config, golden.layout());
    let outcome = lockstep::run(&mut *golden, &mut *dut, &mut stimulus, 1000, &mut |_| ()).expect("the same signals");
    let lockstep::Outcome::Different(difference) = outcome else { panic!("equal") };
    let text = difference.to_string();
    assert!(text.contains("cycle 0") && text.contains("on_flits is 0x0ea6") && text.contains("0x0c35"), "{text}");
    assert_eq!(difference.window.dut.len(), 1 + lockstep::WINDOW_AFTER);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("difference.vcd");
    let waves = powar_testbenches::waves::save_window(&path, "control_registers", &config, &layout, &difference.window);
    assert_eq!(waves.expect("written").first_mismatch, Some(0));
}

/// A golden model that shows, from a cycle on, a value with more bits than its signal has.
struct Oversized {
    golden: Box<dyn CycleModel + Send>,
    cycles: u64,
}

impl CycleModel for Oversized {
    fn layout(&self) -> &Layout {
        self.golden.layout()
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        self.golden.cycle(inputs, observed);
        observed[0] |= u64::from(self.cycles >= 100) << 40;
        self.cycles += 1;
    }
}

#[test]
fn a_value_with_more_bits_than_the_signal_has_is_a_difference() {
    let Some(tools) = tools_or_skip("a_value_with_more_bits_than_the_signal_has") else { return };
    let config = config("fat-tree-4");
    let golden = twins::golden(&config, "flit_counter").expect("a known block");
    let layout = golden.layout().clone();
    let mut dut = twins::verilator(&config, "flit_counter", &layout, &tools, &Progress::silent()).expect("sound");
    let mut stimulus = Scenario::lively(1).stimulus(&config, &layout);
    let mut golden = Oversized { golden, cycles: 0 };
    let outcome = lockstep::run(&mut golden, &mut *dut, &mut stimulus, 1000, &mut |_| ()).expect("the same signals");
    let lockstep::Outcome::Different(difference) = outcome else { panic!("equal") };
    assert_eq!((difference.cycle, difference.golden ^ difference.dut), (100, 1 << 40));
    // The window is of what both have shown.
    let window = &difference.window;
    let before = (difference.cycle - window.first_cycle) as usize;
    assert!(before > 32);
    assert!(window.golden[..before].iter().zip(&window.dut).all(|(golden, dut)| golden == dut && golden[0] >> 40 == 0));
    assert_eq!(window.golden[before][0] >> 40, 1);
}
