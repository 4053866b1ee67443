//! Every block in rust-hdl's simulation against its golden twin, on stimuli that proptest chooses.
//!
//! A failure prints the scenario and the seed; `PROPTEST_CASES`, and the file that proptest writes beside this one, replay it.

use powar_config::{Config, Routing, presets};
use powar_testbenches::mechanisms::{Variant, variants};
use powar_testbenches::stimulus::Scenario;
use powar_testbenches::test_switches::TestSwitch;
use powar_testbenches::{lockstep, trials, twins};
use proptest::prelude::*;

/// Runs a block through a scenario; an error tells how to replay it.
fn run(config: &Config, block: &str, scenario: &Scenario, cycles: u64) -> Result<(), TestCaseError> {
    let mut golden = twins::golden(config, block).expect("a known block");
    let layout = golden.layout().clone();
    let mut dut = twins::rust_hdl(config, block, &layout).expect("a sound block");
    let mut stimulus = scenario.stimulus(config, &layout);
    let outcome = lockstep::run(&mut *golden, &mut *dut, &mut stimulus, cycles, &mut |_| ()).expect("the same signals");
    outcome
        .equal()
        .map_err(|error| TestCaseError::fail(format!("{block} of {}, {scenario:?}: {error}", config.name)))?;
    Ok(())
}

fn config(preset: &str) -> Config {
    presets::by_name(preset).expect("a preset")
}

/// Blocks that hold many others: they take rust-hdl long, and get shorter runs of their own. So does the mechanism.
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

/// The blocks but the whole controller and the whole switch, of each mechanism: the large ones, or the others.
fn blocks(config: &Config, large: bool) -> Vec<(Config, String)> {
    let all = variants(config)
        .into_iter()
        .flat_map(|Variant { config, blocks }| blocks.into_iter().map(move |block| (config.clone(), block)));
    let is_large = |config: &Config, name: &str| LARGE.contains(&name) || name == config.mechanism().name;
    all.filter(|(_, name)| ![twins::CONTROLLER, twins::SWITCH, twins::DEMONSTRATOR].contains(&name.as_str()))
        .filter(|(config, name)| is_large(config, name) == large)
        .collect()
}

macro_rules! blocks_at {
    ($test:ident, $preset:literal, $large:literal, $cases:literal, $cycles:literal) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases($cases))]
            #[test]
            fn $test(scenario in Scenario::any()) {
                for (config, block) in blocks(&config($preset), $large) {
                    run(&config, &block, &scenario, $cycles)?;
                }
            }
        }
    };
}

blocks_at!(blocks_of_a_4_port_switch, "fat-tree-2", false, 24, 1500);
blocks_at!(blocks_of_an_8_port_switch, "fat-tree-4", false, 24, 1500);
blocks_at!(blocks_of_a_16_port_switch, "fat-tree-8", false, 16, 1000);
blocks_at!(blocks_of_a_28_port_switch, "torus-28", false, 12, 1000);
blocks_at!(blocks_of_a_36_port_switch, "fat-tree-18", false, 8, 600);
blocks_at!(blocks_of_a_64_port_switch, "fat-tree-32", false, 6, 400);

blocks_at!(large_blocks_of_a_4_port_switch, "fat-tree-2", true, 12, 300);
blocks_at!(large_blocks_of_an_8_port_switch, "fat-tree-4", true, 4, 150);
blocks_at!(large_blocks_of_a_28_port_switch, "torus-28", true, 1, 30);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// Hints that go by a routing table.
    #[test]
    fn blocks_that_look_rows_up(scenario in Scenario::any()) {
        for switch in [TestSwitch::Table, TestSwitch::LimitedTable] {
            let config = trials::config_of(switch, "hint_choice");
            for (block, cycles) in [("hint_choice", 2000), ("wake_hints", 1000), ("power_manager", 300)] {
                run(&config, block, &scenario, cycles)?;
            }
            run(&config, twins::CONTROLLER, &scenario, 200)?;
        }
    }
}

/// What depends on the routing or on the number of virtual channels.
const ROUTED: [&str; 4] = ["virtual_channel", "credit_counter", "output_port", "vc_arbiter"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    /// Any number of virtual channels, and every routing for a network.
    #[test]
    fn any_number_of_virtual_channels(vcs in 1usize..=8, scenario in Scenario::any()) {
        for name in ["star-5", "3-ary-2-tree", "k2-n3", "torus-3x4-trunk2", "torus-3x2-nodes3", "torus-3x4-nodes2", "mesh-3x2-nodes3", "mesh-5", "dragonfly-p2a3h1", "boards-3x2"] {
            let mut config = Config::of_network(name).expect("a network");
            (config.switch.vcs, config.switch.buffer_flits) = (vcs, 24 * vcs);
            let known: Vec<_> = Routing::of(&**config.topology.as_ref().expect("a network's")).collect();
            for routing in known.into_iter().filter(|routing| routing.least_vcs <= vcs) {
                config.route_by(routing);
                let unit = format!("{}_routing", routing.name.replace('-', "_"));
                let of_table: &[&str] = if routing.sees.table { &["table_loader", "routing_table"] } else { &[] };
                let is_child = |block: &String| ["grid_ways", "injection_limit"].contains(&block.as_str());
                let children: Vec<_> = powar_hdl::registry::names(&config).into_iter().filter(is_child).collect();
                for block in ROUTED.into_iter().chain([unit.as_str()]).chain(of_table.iter().copied()).chain(children.iter().map(String::as_str)) {
                    run(&config, block, &scenario, 300)?;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// E-RAPID's mechanism is for boards alone.
    #[test]
    fn blocks_of_boards_that_share_wavelengths(scenario in Scenario::any()) {
        let config = Config::of_network("boards-3x2").expect("a network");
        for Variant { config, blocks } in variants(&config).into_iter().filter(|variant| variant.config.mechanism().sees.ring.is_some()) {
            for block in blocks.iter().filter(|block| ![twins::SWITCH, twins::DEMONSTRATOR].contains(&block.as_str())) {
                run(&config, block, &scenario, 600)?;
            }
        }
    }
}

macro_rules! controller_at {
    ($test:ident, $preset:literal, $cases:literal, $cycles:literal) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases($cases))]
            #[test]
            fn $test(scenario in Scenario::any()) {
                for variant in variants(&config($preset)) {
                    run(&variant.config, twins::CONTROLLER, &scenario, $cycles)?;
                }
            }
        }
    };
}

controller_at!(controller_of_a_4_port_switch, "fat-tree-2", 24, 1500);
controller_at!(controller_of_an_8_port_switch, "fat-tree-4", 12, 1000);
controller_at!(controller_of_a_16_port_switch, "fat-tree-8", 6, 500);
controller_at!(controller_of_a_28_port_switch, "torus-28", 3, 300);
controller_at!(controller_of_a_36_port_switch, "fat-tree-18", 2, 150);
controller_at!(controller_of_a_64_port_switch, "fat-tree-32", 1, 60);

/// Uneven groups, ports outside every group, fewer requesters than ports.
const UNEVEN: &str = r#"
name = "uneven"
ports = 11
requesters = 5
deterministic = "set"
groups = [{ first = 1, size = 1 }, { first = 3, size = 5 }, { first = 8, size = 2 }]
mechanism = { kind = "powar", t_quiet = "20us", t_refresh = "1us", abort_sleep = true }
"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn uneven_groups(scenario in Scenario::any()) {
        let config = Config::from_toml(UNEVEN).expect("a good configuration");
        for (config, block) in blocks(&config, false).into_iter().chain([(config.clone(), twins::CONTROLLER.to_string())]) {
            run(&config, &block, &scenario, 600)?;
        }
    }

    /// Any port count: the design can be written and holds.
    #[test]
    fn any_port_count(ports in 2usize..=64, requesters in 1usize..=8, set: bool, seed: u64) {
        let deterministic = if set { "set" } else { "single" };
        let text = format!(
            "name = \"any\"\nports = {ports}\nrequesters = {requesters}\ndeterministic = \"{deterministic}\"\n\
             groups = [{{ first = {}, size = {} }}]\n", ports / 2, ports - ports / 2
        );
        let config = Config::from_toml(&text).expect("a good configuration");
        twins::design(&config, twins::CONTROLLER).map_err(|error| TestCaseError::fail(format!("{error:#}")))?;
        run(&config, twins::CONTROLLER, &Scenario::lively(seed), 60)?;
    }
}
