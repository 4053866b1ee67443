//! The blocks of the FPGA demonstrator: emitted Verilog without a warning, and in lock-step with their golden twins for longer than the blocks of
//! every switch.

use crate::effort::is_long;
use powar_config::{Config, Role, Routing, SwitchConfig, presets};
use powar_hdl::demonstrator::board;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::mechanisms::variants;
use powar_testbenches::stimulus::{Scenario, SerialCommands};
use powar_testbenches::{lockstep, twins};
use powar_tools::{Progress, run, tools_or_skip};
use std::fs;
use std::path::Path;

const BLOCKS: [&str; 9] = [
    "reset_synchroniser",
    "statistics_reader",
    "uart_receiver",
    "uart_transmitter",
    "uart_bridge",
    "axi_lite_decoder",
    "demonstrator_registers",
    "traffic_generator",
    "traffic_checker",
];

/// Switches of 4 and 8 ports, the sizes of the demonstrator, whose packets may leave at several ports; for what depends on that also one of a
/// star, and one at the corner of a mesh with two ports that lead nowhere.
fn configs(block: &str) -> Vec<Config> {
    let preset = |name| presets::by_name(name).expect("a preset");
    let mut configs = vec![preset("fat-tree-2"), preset("fat-tree-4")];
    if ["traffic_generator", "traffic_checker"].contains(&block) {
        let mesh = Config::of_network("mesh-2x2").expect("a network");
        configs.extend([preset("demonstrator-8"), mesh]);
    }
    configs
}

fn blocks() -> impl Iterator<Item = (Config, &'static str)> {
    BLOCKS.into_iter().flat_map(|block| configs(block).into_iter().map(move |config| (config, block)))
}

fn scenarios() -> Vec<Scenario> {
    let lively = Scenario::lively(11);
    vec![
        lively.clone(),
        // Bits and time-outs of a few cycles, long undisturbed.
        Scenario { seed: 12, reset_every: 0, longest: 6, hold: 400, limits: false, ..lively.clone() },
        Scenario { seed: 13, reset_every: 700, longest: 40, hold: 2000, limits: false, ..lively.clone() },
        Scenario { seed: 14, reset_every: 0, longest: 2, density: 200, hold: 20, ..lively },
    ]
}

#[test]
fn blocks_are_equal_in_rust_hdl() {
    for (config, block) in blocks() {
        for scenario in scenarios() {
            let mut golden = twins::golden(&config, block).expect("a known block");
            let layout = golden.layout().clone();
            let mut dut = twins::rust_hdl(&config, block, &layout).expect("a sound block");
            let mut stimulus = scenario.stimulus(&config, &layout);
            let outcome = lockstep::run(&mut *golden, &mut *dut, &mut stimulus, 6000, &mut |_| ()).expect("signals");
            outcome.equal().unwrap_or_else(|error| panic!("{block}, {scenario:?}: {error}"));
        }
    }
}

#[test]
fn blocks_are_equal_in_verilator() {
    let Some(tools) = tools_or_skip("blocks_are_equal_in_verilator") else { return };
    for (config, block) in blocks() {
        let layout = twins::golden(&config, block).expect("a known block").layout().clone();
        let library = twins::verilated(&config, block, &layout, &tools, &Progress::silent()).expect("sound");
        for scenario in scenarios() {
            let mut golden = twins::golden(&config, block).expect("a known block");
            let mut dut = Verilator::load(&library, layout.clone(), None).expect("just built");
            let mut stimulus = scenario.stimulus(&config, &layout);
            let outcome = lockstep::run(&mut *golden, &mut dut, &mut stimulus, 100_000, &mut |_| ()).expect("signals");
            outcome.equal().unwrap_or_else(|error| panic!("{}, {block}, {scenario:?}: {error}", config.name));
        }
    }
}

#[test]
fn the_verilog_has_no_warning_and_no_latch() {
    let Some(tools) = tools_or_skip("the_verilog_has_no_warning_and_no_latch") else { return };
    let whole = demonstrators().into_iter().take(1).chain(in_networks()).map(|config| (config, twins::DEMONSTRATOR));
    {
        for (config, block) in blocks().chain(whole) {
            let design = twins::design(&config, block).expect("a sound design");
            assert_eq!(design.files(), twins::design(&config, block).expect("a sound design").files());
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demonstrator").join(&config.name).join(block);
            fs::create_dir_all(&folder).expect("a folder for the test");
            let files = design.files();
            files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).expect("written"));
            let sources: Vec<&str> =
                files.iter().map(|(name, _)| name.as_str()).filter(|name| name.ends_with(".v")).collect();
            let mut verilator = tools.verilator().expect("found");
            verilator.current_dir(&folder).args([
                "--lint-only",
                "-Wall",
                "--language",
                "1364-2005",
                "--top-module",
                block,
            ]);
            let lint = run(verilator.args(&sources), "verilator --lint-only").unwrap_or_else(|error| panic!("{error}"));
            assert!(!lint.stderr.contains("%Warning"), "{}", lint.stderr);
            let script = format!(
                "read_verilog {}; hierarchy -check -top {block}; proc; check -assert; select -assert-none t:$*latch*",
                sources.join(" ")
            );
            let mut yosys = tools.yosys().expect("found");
            let log = run(yosys.current_dir(&folder).args(["-q", "-p", &script]), "yosys")
                .unwrap_or_else(|error| panic!("{error}"));
            assert!(!format!("{}{}", log.stdout, log.stderr).contains("Warning"), "{}", log.stderr);
        }
    }
}

/// The ports of Lattice's PLL that the board's top connects.
const PLL: &str = "\
(* blackbox *)
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNDRIVEN */
module EHXPLLL #(
    parameter PLLRST_ENA = \"\", INTFB_WAKE = \"\", STDBY_ENABLE = \"\", DPHASE_SOURCE = \"\", OUTDIVIDER_MUXA = \"\",
    parameter CLKI_DIV = 0, CLKFB_DIV = 0, CLKOP_ENABLE = \"\", CLKOP_DIV = 0, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0, FEEDBK_PATH = \"\"
) (
    input CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
    output CLKOP, LOCK
);
endmodule
";

#[test]
fn the_tops_of_boards_have_no_warning() {
    let Some(tools) = tools_or_skip("the_tops_of_boards_have_no_warning") else { return };
    let four = presets::by_name("demonstrator-4").expect("a preset");
    // More ports than LEDs, as many, and fewer.
    let nine = Config { name: "demonstrator-9".into(), ports: 9, ..four.clone() };
    for config in [four, presets::by_name("demonstrator-8").expect("a preset"), nine] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("board").join(&config.name);
        fs::create_dir_all(&folder).expect("a folder for the test");
        let mut files = board::ulx3s_files(&config, 30.0).expect("a sound design");
        files.push(("pll.v".into(), PLL.into()));
        files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).expect("written"));
        let mut verilator = tools.verilator().expect("found");
        verilator.current_dir(&folder).args(["--lint-only", "-Wall", "--top-module", board::ULX3S_TOP]);
        let sources = files.iter().map(|(name, _)| name.as_str());
        let lint = run(verilator.args(sources), "verilator --lint-only").unwrap_or_else(|error| panic!("{error}"));
        assert!(!lint.stderr.contains("%Warning"), "{}", lint.stderr);
    }
}

/// The demonstrator of 4 nodes as it is put on a board, and a small one of 3 with other mechanisms.
fn demonstrators() -> Vec<Config> {
    let demonstrator = presets::by_name("demonstrator-4").expect("a preset");
    let switch =
        SwitchConfig { vcs: 2, buffer_flits: 2 * 24, max_packet_flits: 9, flit_bits: 64, ..SwitchConfig::default() };
    let small = Config { name: "demonstrator-3".into(), ports: 3, switch, ..demonstrator.clone() };
    small.check().expect("a sound configuration");
    let others = variants(&small).into_iter().skip(1).map(|variant| variant.config);
    [demonstrator].into_iter().chain(others).collect()
}

/// Small ones whose switches are in networks of every kind: up-ports, a packet's choice by what is full, ways that overtake each other, a place
/// that is not the first with a port that leads nowhere, a table.
fn in_networks() -> Vec<Config> {
    let network = |name: &str, routing: Option<&str>, vcs: usize| {
        let switch =
            SwitchConfig { vcs, buffer_flits: vcs * 24, max_packet_flits: 9, flit_bits: 64, ..SwitchConfig::default() };
        let mut config = Config { switch, ..Config::of_network(name).expect("a network") };
        if let Some(routing) = routing {
            config.route_by(Routing::by_name(routing).expect("known"));
            config.name = format!("{name}-{routing}");
        }
        config.check().expect("a sound configuration");
        config
    };
    vec![
        network("2-ary-2-tree", None, 2),
        network("2-ary-2-tree", Some("least-occupied"), 2),
        network("mesh-3x2", None, 2),
        network("dragonfly-p1a2h1", None, 3),
        network("2-ary-2-tree", Some("table"), 2),
    ]
}

/// Runs a whole demonstrator on commands of its serial line. There must be traffic, and sleep, and no packet may be wrong.
fn compare(config: &Config, dut: &mut dyn powar_testbenches::dut::Dut, seed: u64, cycles: u64) {
    let mut golden = twins::golden(config, twins::DEMONSTRATOR).expect("there is one of it");
    let layout = golden.layout().clone();
    let mut stimulus = SerialCommands::busy(config, &layout, seed);
    let (mut on, mut most) = (0, [0; 4]);
    // Those of all nodes, since few commands reach each of them in a short run.
    let counters = [
        ("generator.packets", config.ports),
        ("packet_checker.packets", config.ports),
        ("registers.bus_errors", 1),
        ("registers.serial_errors", 1),
    ];
    let slots = counters.map(|(name, rows)| {
        let first = layout.observed(Role::Register, name).expect("a counter");
        first..first + rows
    });
    let shown_on = layout.slot(Role::Output, "links_on").expect("an output");
    let wrong: Vec<usize> = ["source", "sequence", "content", "length", "keep"]
        .iter()
        .flat_map(|kind| {
            let first = layout.observed(Role::Register, &format!("packet_checker.{kind}_errors")).expect("a counter");
            first..first + config.ports
        })
        .collect();
    let outcome = lockstep::run_recorded(&mut *golden, dut, &mut stimulus, cycles, &mut |_, _, frame, _| {
        on |= !frame[shown_on] & low_ones(config.ports);
        most = std::array::from_fn(|i| frame[slots[i].clone()].iter().sum::<u64>().max(most[i]));
        assert!(wrong.iter().all(|&slot| frame[slot] == 0), "a packet is wrong");
        Ok(())
    });
    outcome.expect("the same signals").equal().unwrap_or_else(|error| panic!("{}, seed {seed}: {error}", config.name));
    let [sent, received, bus_errors, serial_errors] = most;
    assert!(sent > cycles / 1000 && received > cycles / 1000, "{}: {most:?}", config.name);
    assert!(cycles < 200_000 || bus_errors > 0 && serial_errors > 0, "{}: {most:?}", config.name);
    // At a switch whose ports do sleep.
    assert!(on != 0 || config.mechanism().name == "timetable", "{}: no port has slept", config.name);
}

fn low_ones(bits: usize) -> u64 {
    u64::MAX >> (64 - bits)
}

#[test]
fn whole_demonstrators_are_equal_in_rust_hdl() {
    // A cycle takes half a millisecond here: a tree and the mesh, which between them have all that a star has not; Verilator runs the others too.
    let in_networks = in_networks().into_iter().filter(|config| ["2-ary-2-tree", "mesh-3x2"].contains(&&*config.name));
    for config in demonstrators().into_iter().skip(1).chain(in_networks) {
        let layout = twins::golden(&config, twins::DEMONSTRATOR).expect("there is one of it").layout().clone();
        let mut dut = twins::rust_hdl(&config, twins::DEMONSTRATOR, &layout).expect("a sound block");
        compare(&config, &mut *dut, 1, 20_000);
    }
}

#[test]
fn whole_demonstrators_are_equal_in_verilator() {
    let Some(tools) = tools_or_skip("whole_demonstrators_are_equal_in_verilator") else { return };
    for config in demonstrators().into_iter().chain(in_networks()) {
        let layout = twins::golden(&config, twins::DEMONSTRATOR).expect("there is one of it").layout().clone();
        let library = twins::verilated(&config, twins::DEMONSTRATOR, &layout, &tools, &Progress::silent());
        let library = library.unwrap_or_else(|error| panic!("{}: {error:#}", config.name));
        let mut dut = Verilator::load(&library, layout, None).expect("just built");
        compare(&config, &mut dut, 2, if is_long() { 300_000 } else { 40_000 });
    }
}
