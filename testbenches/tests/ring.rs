//! Rings of boards with E-RAPID's mechanism as the emitted Verilog: equal to the golden model in every cycle, whatever becomes of the words on the ring, and never
//! with two holders of a wavelength. The seeds are fixed and named in every failure.

use powar_config::mechanism::e_rapid::ERapidParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config};
use powar_faults::verilog::VerilogFault;
use powar_faults::{verilog_faults, with_faults};
use powar_testbenches::dut::verilator::LoopedVerilator;
use powar_testbenches::network::{RingOptions, RingReport, RingWaves, run_ring};
use powar_testbenches::test_switches::TestSwitch;
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
    let report = run_ring(config, (library, None), &options, &RingWaves::default(), &mut |_| ()).unwrap();
    assert_eq!((&report.difference, &report.wrong), (&None, &None), "{}, {options:?}", config.name);
    assert!(report.equal && report.cycles == options.cycles, "{report:?}");
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

/// The waves of a whole run show the ring and who has what in words; those of a difference, what comes of it.
#[test]
fn waves_of_a_board_and_of_a_difference_are_written() {
    let Some(tools) = tools_or_skip("waves_of_a_board_and_of_a_difference_are_written") else { return };
    let config = config("boards-3x3", 300);
    let block = config.mechanism().name;
    let layout = twins::golden(&config, block).unwrap().layout().clone();
    let of_boards = verilog_faults().filter(|fault| fault.switch == TestSwitch::Boards);
    let faults: Vec<&VerilogFault> =
        of_boards.filter(|fault| fault.name == "words of wrong parity are taken").collect();
    assert_eq!(faults.len(), 1);
    let design = with_faults(&twins::design(&config, block).unwrap(), &faults).unwrap();
    let library = LoopedVerilator::library(&design, &layout, true).unwrap();
    let library = library.argument("-Wno-WIDTH").argument("-Wno-UNUSED").argument("-Wno-fatal");
    let library = library.build(&tools, &Progress::silent()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [vcd, difference] = ["run.vcd", "run.difference.vcd"].map(|name| folder.path().join(name));
    let waves = RingWaves { run: Some((vcd.clone(), 2)), difference: Some(difference.clone()) };
    let options = RingOptions { cycles: 3_000, changed: 20, ..OPTIONS };
    let run = |fault| run_ring(&config, (&library, Some(fault)), &options, &waves, &mut |_| ()).unwrap();

    let report = run(0);
    assert!(report.equal && report.vcd.as_ref() == Some(&vcd) && !difference.exists(), "{report:?}");
    let (dump, view) = (read(&vcd), read(&vcd.with_extension("gtkw")));
    for words in
        ["srequest_w1_to_board2 ", "srequest_w0_to_board2:", "sresponse_", "sBoardRequest ", "sboard1 ", "sComingOn "]
    {
        assert!(dump.contains(words), "{words}");
    }
    let group = |name: &str| {
        let begin = view.find(&format!("@800200\n-{name}\n")).unwrap_or_else(|| panic!("no open group {name}: {view}"));
        view[begin..].split("\n@1000200\n").next().unwrap()
    };
    for (name, shown) in [
        ("ring", vec!["ring_in_name", "word_name", "ring_out_name"]),
        (
            "reconfiguration",
            vec!["state_name", "index[5:0]", "lit[2:0]", "holder_2_name", "waiting_0[11:0]", "demand_1[11:0]"],
        ),
        ("phases and levels", vec!["phase_name", "level[2:0]"]),
    ] {
        for signal in shown {
            assert!(group(name).contains(&format!(".{signal}\n")), "{name}: {signal}: {}", group(name));
        }
    }

    let report = run(1);
    let text = report.difference.as_deref().unwrap();
    assert!(!report.equal && text.starts_with("board ") && text.contains("register station."), "{text}");
    assert_eq!(report.vcd.as_ref(), Some(&difference));
    let cycles = read(&difference).lines().filter(|line| *line == "1!").count() as u64;
    assert!(cycles > report.cycles.min(64) + 8, "{cycles} cycles around the difference in cycle {}", report.cycles);

    let beyond = RingWaves { run: Some((vcd, 3)), ..RingWaves::default() };
    let error = run_ring(&config, (&library, None), &options, &beyond, &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "board: 3 is out of range 0..=2");
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
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
    let of_block = verilog_faults().filter(|fault| fault.switch == TestSwitch::Boards && fault.block == block);
    let faults: Vec<&VerilogFault> = of_block.filter(|fault| names.contains(&fault.name)).collect();
    assert_eq!(faults.len(), names.len());
    let layout = twins::golden(&config, block).unwrap().layout().clone();
    let design = with_faults(&twins::design(&config, block).unwrap(), &faults).unwrap();
    let library = LoopedVerilator::library(&design, &layout, true).unwrap();
    let library = library.argument("-Wno-WIDTH").argument("-Wno-UNUSED").argument("-Wno-fatal");
    let library = library.build(&tools, &Progress::silent()).unwrap();
    for fault in 0..=faults.len() as u64 {
        let options = RingOptions { lost: 50, changed: 50, ..OPTIONS };
        let report = run_ring(&config, (&library, Some(fault)), &options, &RingWaves::default(), &mut |_| ()).unwrap();
        println!("{fault}: {:?} {:?}", report.difference, report.wrong);
        assert_eq!(report.difference.is_some() || report.wrong.is_some(), fault != 0, "fault {fault}");
    }
}
