//! Rings of boards with E-RAPID's mechanism as the emitted Verilog: equal to the golden model in every cycle, whatever becomes of the words on the ring, and never
//! with two holders of a wavelength. The seeds are fixed and named in every failure.

use powar_config::mechanism::e_rapid::ERapidParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config};
use powar_testbenches::dut::verilator::LoopedVerilator;
use powar_testbenches::faults::verilog::{self, VerilogFault};
use powar_testbenches::faults::{Network, with_faults};
use powar_testbenches::network::{RingOptions, RingReport, run_ring};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools, tools_or_skip};
use std::path::{Path, PathBuf};

/// Boards with wavelengths re-allocated and levels set, in windows of so many cycles.
fn config(network: &str, window: u32) -> Config {
    let mut config = Config::of_network(network).expect("a network");
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let parameters =
        ERapidParameters { window: cycles(window), dead_time: cycles(65), b_con: 0.3, ..ERapidParameters::default() };
    config.mechanism = Chosen(Box::new(parameters));
    config.check().expect("boards");
    config
}

fn library(config: &Config, tools: &Tools) -> PathBuf {
    let block = config.mechanism().name;
    let layout = twins::golden(config, block).unwrap().layout().clone();
    twins::looped(config, block, &layout, tools, &Progress::silent()).unwrap()
}

fn run(config: &Config, library: &Path, options: RingOptions) -> RingReport {
    let report = run_ring(config, (library, None), &options).unwrap();
    let difference = report.difference.as_ref().map(|(board, difference)| format!("board {board}: {difference}"));
    assert_eq!(difference, None, "{}, {options:?}", config.name);
    assert_eq!(report.wrong, None, "{}, {options:?}", config.name);
    println!(
        "{}, {options:?}: {} signals a board, {} packets, {} words, {} of them spoilt, {} moves, {} changes of level",
        config.name, report.signals, report.packets, report.words, report.spoilt, report.moves, report.changes_of_level
    );
    report
}

const OPTIONS: RingOptions = RingOptions { cycles: 20_000, seed: 1, delay: 0, lost: 0, changed: 0 };

#[test]
fn rings_of_boards_are_equal() {
    let Some(tools) = tools_or_skip("rings_of_boards_are_equal") else { return };
    for (network, window) in [("boards-2x1", 256), ("boards-3x2", 300), ("boards-8x8", 1000)] {
        let config = config(network, window);
        let library = library(&config, &tools);
        let quiet = run(&config, &library, OPTIONS);
        // Between two boards nobody but both can use a wavelength.
        assert!(quiet.packets > 500 && quiet.changes_of_level > 20 && quiet.spoilt == 0, "{quiet:?}");
        assert!(quiet.moves > 10 || network == "boards-2x1", "{quiet:?}");
        for (seed, delay) in [(2, 3), (3, 9)] {
            let lossy = run(&config, &library, RingOptions { seed, delay, lost: 50, changed: 50, ..OPTIONS });
            assert!(lossy.packets > 20 && lossy.spoilt > 20, "{lossy:?}");
        }
    }
}

/// Eight boards in a million cycles, without and with words that are lost and changed.
#[test]
#[ignore = "minutes"]
fn a_ring_of_8_boards_for_a_million_cycles() {
    let Some(tools) = tools_or_skip("a_ring_of_8_boards_for_a_million_cycles") else { return };
    let config = config("boards-8x8", 1000);
    let library = library(&config, &tools);
    let quiet = run(&config, &library, RingOptions { cycles: 1_000_000, ..OPTIONS });
    let lossy = run(&config, &library, RingOptions { cycles: 1_000_000, seed: 2, delay: 4, lost: 100, changed: 100 });
    assert!(quiet.moves > 1000 && lossy.moves > 1000 && lossy.spoilt > 10_000, "{quiet:?}, {lossy:?}");
}

/// Faults of the mechanism show in a ring, in one that loses words, too.
#[test]
fn rings_of_boards_with_a_fault_are_not() {
    let Some(tools) = tools_or_skip("rings_of_boards_with_a_fault_are_not") else { return };
    let config = config("boards-3x3", 300);
    let block = config.mechanism().name;
    let names =
        ["boards are counted the other way round", "any wavelength is claimed", "a board with wavelengths claims more"];
    let of_block = verilog::faults().filter(|fault| fault.network == Network::Boards && fault.block == block);
    let faults: Vec<&VerilogFault> = of_block.filter(|fault| names.contains(&fault.name)).collect();
    assert_eq!(faults.len(), names.len());
    let layout = twins::golden(&config, block).unwrap().layout().clone();
    let design = with_faults(&twins::design(&config, block).unwrap(), &faults).unwrap();
    let library = LoopedVerilator::library(&design, &layout, true).unwrap();
    let library = library.argument("-Wno-WIDTH").argument("-Wno-UNUSED").argument("-Wno-fatal");
    let library = library.build(&tools, &Progress::silent()).unwrap();
    for fault in 0..=faults.len() as u64 {
        let options = RingOptions { lost: 50, changed: 50, ..OPTIONS };
        let report = run_ring(&config, (&library, Some(fault)), &options).unwrap();
        println!(
            "{fault}: {:?} {:?}",
            report.difference.as_ref().map(|(board, difference)| format!("{board} {difference}")),
            report.wrong
        );
        assert_eq!(report.difference.is_some() || report.wrong.is_some(), fault != 0, "fault {fault}");
    }
}
