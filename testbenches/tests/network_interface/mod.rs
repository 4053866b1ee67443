//! Network interfaces: in lock-step by themselves, and at the nodes of a switch, where every packet must arrive whole and in order; and
//! the buffer that a link at full rate needs; whole networks of them against the blocks.

mod full_rate;
mod joined;
mod model;
mod star;
mod stream;

use full_rate::Between;
use model::Kind;
use powar_config::{Config, SwitchConfig, presets};
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::hunt::stimuli;
use powar_testbenches::stimulus::Scenario;
use powar_testbenches::test_switches::{self, TestSwitch};
use powar_testbenches::{lockstep, twins};
use powar_tools::{Progress, tools_or_skip};
use rayon::prelude::*;

/// The blocks of a network interface, and of a link.
const BLOCKS: [&str; 7] =
    ["header_queue", "packet_queue", "injection_queues", "injection", "reception", "network_interface", "link_stage"];

/// Switches whose nodes differ in everything an interface depends on.
fn configs() -> Vec<Config> {
    let preset = |name| presets::by_name(name).expect("a preset");
    let with = |name: &str, switch| Config { name: name.into(), switch, ..preset("fat-tree-4") };
    let switch = |vcs, depth, max_packet_flits, flit_bits, link_stages| SwitchConfig {
        vcs,
        buffer_flits: vcs * depth,
        max_packet_flits,
        flit_bits,
        link_stages,
        ..SwitchConfig::default()
    };
    vec![
        test_switches::config(TestSwitch::FatTree),
        preset("fat-tree-8"),
        with("one-vc", switch(1, 8, 2, 64, 1)),
        with("eight-vcs", switch(8, 36, 30, 512, 2)),
        with("three-vcs", switch(3, 17, 6, 96, 64)),
    ]
}

#[test]
fn blocks_in_verilator() {
    let Some(tools) = tools_or_skip("blocks_in_verilator") else { return };
    configs().par_iter().for_each(|config| {
        for block in BLOCKS {
            let layout = twins::golden(config, block).expect("a known block").layout().clone();
            let library = twins::verilated(config, block, &layout, &tools, &Progress::silent())
                .unwrap_or_else(|error| panic!("{block} of {}: {error:#}", config.name));
            for (number, mut stimulus) in stimuli(config, block, &layout).expect("stimuli").into_iter().enumerate() {
                let mut dut = Verilator::load(&library, layout.clone(), None).expect("it has just been built");
                let mut golden = twins::golden(config, block).expect("a known block");
                let outcome = lockstep::run(&mut *golden, &mut dut, &mut *stimulus, 20_000, &mut |_| ());
                if let Err(difference) = outcome.expect("the same signals").equal() {
                    panic!("{block} of {}, stimulus {number}: {difference}", config.name);
                }
            }
        }
    });
}

#[test]
fn blocks_in_rust_hdl() {
    for config in configs() {
        for block in BLOCKS {
            let mut golden = twins::golden(&config, block).expect("a known block");
            let layout = golden.layout().clone();
            let mut dut = twins::rust_hdl(&config, block, &layout).expect("a sound block");
            let mut stimulus = Scenario::lively(1).stimulus(&config, &layout);
            let outcome = lockstep::run(&mut *golden, &mut *dut, &mut stimulus, 600, &mut |_| ());
            if let Err(difference) = outcome.expect("the same signals").equal() {
                panic!("{block} of {}: {difference}", config.name);
            }
        }
    }
}

#[test]
fn packets_arrive_whole_and_in_order_golden() {
    star::check(Kind::Golden, 60_000, 1);
}

#[test]
fn packets_arrive_whole_and_in_order_rust_hdl() {
    star::check(Kind::RustHdl, 600, 2);
}

#[test]
fn packets_arrive_whole_and_in_order_verilog() {
    let Some(tools) = tools_or_skip("packets_arrive_whole_and_in_order_verilog") else { return };
    star::check(Kind::Verilog(tools), 60_000, 3);
}

#[test]
fn a_network_of_nodes_with_streams_is_these_blocks_joined() {
    for seed in 1..=6 {
        joined::check(seed);
    }
}

#[test]
fn a_deep_enough_buffer_gives_a_flit_a_cycle_golden() {
    for stages in [1, 2, 7] {
        for packet_flits in [2, 3, 8, 16] {
            full_rate::check(&Kind::Golden, Between::Stages(stages), packet_flits, 6000);
        }
    }
}

#[test]
fn a_deep_enough_buffer_gives_a_flit_a_cycle_rtl() {
    for (stages, packet_flits) in [(1, 3), (4, 6)] {
        full_rate::check(&Kind::RustHdl, Between::Stages(stages), packet_flits, 500);
    }
}

#[test]
fn a_deep_enough_buffer_gives_a_flit_a_cycle_over_a_crossing_golden() {
    for packet_flits in [2, 3, 8, 16] {
        for (periods, late) in
            [([1, 1], 0), ([2, 2], 1), ([9, 9], 4), ([2, 3], 0), ([3, 2], 1), ([1, 4], 0), ([4, 1], 0), ([100, 101], 0)]
        {
            full_rate::check(&Kind::Golden, Between::Crossing { periods, late }, packet_flits, 6000);
        }
    }
}

#[test]
fn a_deep_enough_buffer_gives_a_flit_a_cycle_over_a_crossing_rtl() {
    for (periods, packet_flits) in [([1, 1], 3), ([3, 2], 6)] {
        full_rate::check(&Kind::RustHdl, Between::Crossing { periods, late: 0 }, packet_flits, 500);
    }
}

/// A network interface needs a word 1 in each flit, and room for a beat in each packet.
#[test]
fn there_is_none_for_flits_of_32_bits_or_packets_of_one_flit() {
    let preset = presets::by_name("fat-tree-4").expect("a preset");
    let narrow = SwitchConfig { flit_bits: 32, ..preset.switch };
    let short = SwitchConfig { max_packet_flits: 1, ..preset.switch };
    let error = |switch: SwitchConfig| switch.check_network_interface().expect_err("none").to_string();
    assert_eq!(error(narrow), "switch.flit_bits: 32 is out of range 64..=512 for a network interface");
    assert_eq!(error(short), "switch.max_packet_flits: 1 is out of range 2..=1023 for a network interface");
    for switch in [narrow, short] {
        let config = Config { switch, ..preset.clone() };
        let error = twins::golden(&config, "network_interface").err().expect("there is none").to_string();
        assert!(error.starts_with("block: `network_interface` is unknown"), "{error}");
    }
}
