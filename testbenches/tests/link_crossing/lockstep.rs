//! Every output and every register of both halves, at every edge of either clock.

use powar_config::{Config, CycleModel, SwitchConfig, presets};
use powar_testbenches::dut::Dut;
use powar_testbenches::dut::verilator::{LoopedVerilator, Verilator};
use powar_testbenches::hunt::stimuli;
use powar_testbenches::stimulus::{CrossingClocks, CrossingLoad, CrossingTraffic, Stimulus};
use powar_testbenches::test_switches::{self, TestSwitch};
use powar_testbenches::{lockstep, twins};
use powar_tools::{Progress, tools_or_skip};
use rayon::prelude::*;

/// The block, and what it is made of.
const BLOCKS: [&str; 5] = ["gray_counter", "synchroniser", "crossing_sender", "crossing_receiver", "link_crossing"];
const LINK_CROSSING: &str = BLOCKS[4];

/// Links that differ in everything a crossing depends on; the first has far more credits than entries.
fn configs() -> Vec<Config> {
    let with = |name: &str, vcs, depth, flit_bits, crossing_entries| {
        let switch = SwitchConfig {
            vcs,
            buffer_flits: vcs * depth,
            max_packet_flits: 2,
            flit_bits,
            crossing_entries,
            ..SwitchConfig::default()
        };
        let config = Config { name: name.into(), switch, ..presets::by_name("fat-tree-4").expect("a preset") };
        config.check().expect("a good configuration");
        config
    };
    vec![
        test_switches::config(TestSwitch::FatTree),
        presets::by_name("fat-tree-8").expect("a preset"),
        with("one-vc", 1, 8, 32, 16),
        with("three-vcs", 3, 17, 96, 64),
        with("eight-vcs", 8, 127, 512, 1024),
        with("deep", 2, 1023, 64, 2048),
    ]
}

/// Steps under each stimulus.
fn compare(
    config: &Config,
    block: &str,
    dut: &mut dyn Dut,
    stimulus: &mut (dyn Stimulus + Send),
    steps: u64,
    what: &str,
) {
    let mut golden = twins::golden(config, block).expect("a known block");
    let outcome = lockstep::run(&mut *golden, dut, stimulus, steps, &mut |_| ()).expect("the same signals");
    if let Err(difference) = outcome.equal() {
        panic!("{block} of {}, {what}: {difference}", config.name);
    }
}

fn traffic(config: &Config, clocks: CrossingClocks, seed: u64) -> CrossingTraffic {
    let layout = twins::golden(config, LINK_CROSSING).expect("a known block").layout().clone();
    let load = CrossingLoad { reset_every: 3000, ..CrossingLoad::LIVELY };
    CrossingTraffic::new(config, &layout, clocks, load, seed)
}

#[test]
fn blocks_in_verilator() {
    let Some(tools) = tools_or_skip("blocks_in_verilator") else { return };
    configs().par_iter().for_each(|config| {
        for block in BLOCKS {
            let layout = twins::golden(config, block).expect("a known block").layout().clone();
            let library = twins::verilated(config, block, &layout, &tools, &Progress::silent())
                .unwrap_or_else(|error| panic!("{block} of {}: {error:#}", config.name));
            let dut = || Verilator::load(&library, layout.clone(), None).expect("it has just been built");
            for (number, mut stimulus) in stimuli(config, block, &layout).expect("stimuli").into_iter().enumerate() {
                compare(config, block, &mut dut(), &mut *stimulus, 20_000, &format!("stimulus {number}"));
            }
            if block == LINK_CROSSING {
                for (name, clocks) in CrossingClocks::every_kind() {
                    compare(config, block, &mut dut(), &mut traffic(config, clocks, 1), 40_000, name);
                }
            }
        }
    });
}

#[test]
fn blocks_in_rust_hdl() {
    for config in &configs()[..4] {
        for block in BLOCKS {
            let layout = twins::golden(config, block).expect("a known block").layout().clone();
            let dut = || twins::rust_hdl(config, block, &layout).expect("a sound block");
            for (number, mut stimulus) in stimuli(config, block, &layout).expect("stimuli").into_iter().enumerate() {
                compare(config, block, &mut *dut(), &mut *stimulus, 600, &format!("stimulus {number}"));
            }
            if block == LINK_CROSSING {
                for (name, clocks) in CrossingClocks::every_kind() {
                    compare(config, block, &mut *dut(), &mut traffic(config, clocks, 2), 1500, name);
                }
            }
        }
    }
}

/// A model in a loop, whose inputs are no registers, has gates of its own before the clocks.
#[test]
fn in_a_loop_in_verilator() {
    let Some(tools) = tools_or_skip("in_a_loop_in_verilator") else { return };
    let config = test_switches::config(TestSwitch::FatTree);
    let mut golden = twins::golden(&config, LINK_CROSSING).expect("a known block");
    let layout = golden.layout().clone();
    let library = twins::looped(&config, LINK_CROSSING, &layout, &tools, &Progress::silent()).expect("sound");
    let mut dut = LoopedVerilator::load(&library, layout.clone(), None).expect("it has just been built");
    let mut traffic = traffic(&config, CrossingClocks::new([3, 4], 1).with_jitter(2), 3);
    let (mut inputs, mut shown) = (vec![0; layout.input_slots()], vec![0; layout.observed_slots()]);
    let mut seen = shown.clone();
    for step in 0..20_000 {
        traffic.drive(step, &shown, &mut inputs);
        golden.cycle(&inputs, &mut shown);
        dut.cycle(&inputs, &mut seen);
        assert_eq!(seen, shown, "step {step}");
    }
}
