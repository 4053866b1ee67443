//! The FuseSoC core beside an emitted design, read by FuseSoC.

use crate::{Scratch, text};
use powar_tools::{Tools, skip, tools_or_skip};
use std::path::PathBuf;
use std::process::{Command, Output};

/// FuseSoC in the scratch folder, with settings and caches of its own there; `None` where it is not to be had.
fn fusesoc(tools: &Tools, scratch: &Scratch, test: &str) -> Option<Command> {
    let Ok(mut command) = tools.fusesoc() else {
        skip(test, "fusesoc is not installed");
        return None;
    };
    for variable in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
        command.env(variable, scratch.path().join("fusesoc"));
    }
    // FuseSoC looks for `verilator` on the PATH, where the pinned one is not.
    let programs = scratch.path().join("programs");
    if std::fs::create_dir(&programs).is_ok() {
        std::os::unix::fs::symlink(tools.verilator().unwrap().get_program(), programs.join("verilator")).unwrap();
    }
    let path = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, path)| path).unwrap_or_default();
    let folders: Vec<PathBuf> = std::iter::once(programs).chain(std::env::split_paths(path)).collect();
    command.env("PATH", std::env::join_paths(folders).unwrap());
    command.current_dir(scratch.path()).args(["--monochrome", "--cores-root", "design"]);
    Some(command)
}

/// The end of a run of FuseSoC, and all it printed.
fn said(output: &Output) -> String {
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// Runs FuseSoC, which must succeed; `None` where it is not to be had.
#[track_caller]
pub fn run_fusesoc(tools: &Tools, scratch: &Scratch, test: &str, arguments: &[&str]) -> Option<String> {
    let output = fusesoc(tools, scratch, test)?.args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    Some(said(&output))
}

/// A file in the folder that FuseSoC sets up for a target of `top` in preset fat-tree-2.
fn set_up(scratch: &Scratch, top: &str, target: &str, ending: &str) -> String {
    let name = format!("powar_fat-tree-2_{top}_{}", env!("CARGO_PKG_VERSION"));
    std::fs::read_to_string(scratch.path().join(format!("build/{name}/{target}/{name}.{ending}"))).unwrap()
}

#[test]
fn controller_and_switch_are_shown_and_linted() {
    const TEST: &str = "controller_and_switch_are_shown_and_linted";
    let Some(tools) = tools_or_skip(TEST) else { return };
    for (top, module) in [("controller", "power_controller"), ("switch", "powar_switch")] {
        let scratch = Scratch::new();
        scratch.succeed(&["emit", "--preset", "fat-tree-2", "--top", top, "--out", "design"]);
        let name = format!("powar:fat-tree-2:{module}:{}", env!("CARGO_PKG_VERSION"));
        let Some(shown) = run_fusesoc(&tools, &scratch, TEST, &["core", "show", &name]) else { return };
        let targets: Vec<&str> =
            shown.lines().filter_map(|line| line.split_once(" : ")).map(|(name, _)| name).collect();
        assert_eq!(targets.iter().map(|name| name.trim()).collect::<Vec<_>>(), ["default", "lint"], "{shown}");
        assert!(shown.contains(&name), "{shown}");

        run_fusesoc(&tools, &scratch, TEST, &["run", "--setup", "--target=lint", module]);
        // What Verilator will be given: the files of the list, in its order, and the top module.
        let given = set_up(&scratch, module, "lint", "vc");
        let files: Vec<&str> = given.lines().filter(|line| line.ends_with(".v")).collect();
        let files: Vec<&str> = files.iter().map(|path| path.rsplit('/').next().unwrap()).collect();
        let list = std::fs::read_to_string(scratch.path().join(format!("design/fat_tree_2_{module}.f"))).unwrap();
        assert_eq!(files, list.lines().collect::<Vec<_>>());
        assert!(given.contains("-Wall") && given.contains(&format!("--top-module fat_tree_2_{module}")), "{given}");
        if has_make(TEST) {
            run_fusesoc(&tools, &scratch, TEST, &["run", "--target=lint", module]);
        }
    }
}

/// A file of the design that a test spoils.
const SPOILT: &str = "design/fat_tree_2_power_controller_port_power_fsm.v";

#[test]
fn lint_and_simulation_find_what_is_wrong() {
    const TEST: &str = "lint_and_simulation_find_what_is_wrong";
    let Some(tools) = tools_or_skip(TEST) else { return };
    let scratch = Scratch::new();
    let emit = ["emit", "--preset", "fat-tree-2", "--out", "design", "--testbench", "200"];
    scratch.succeed(&emit);
    if !has_make(TEST) {
        return;
    }
    let run = |target: &str| {
        Some(fusesoc(&tools, &scratch, TEST)?.args(["run", target, "power_controller"]).output().unwrap())
    };
    let spoil = |sound: &str, spoilt: &str| {
        let path = scratch.path().join(SPOILT);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(sound), "there is no `{sound}` to spoil");
        std::fs::write(path, text.replacen(sound, spoilt, 1)).unwrap();
    };
    if tools.icarus().is_some() {
        let Some(sound) = run("--target=sim") else { return };
        assert!(sound.status.success() && said(&sound).contains("PASS"), "{}", said(&sound));
        spoil("assign awake = ", "assign awake = ~");
        let spoilt = run("--target=sim").unwrap();
        assert!(!spoilt.status.success() && said(&spoilt).contains("FAIL"), "{}", said(&spoilt));
    } else {
        skip(&format!("part of {TEST}"), "iverilog is not installed");
    }
    std::fs::remove_file(scratch.path().join(SPOILT)).unwrap();
    scratch.succeed(&emit);
    spoil("endmodule", "wire nobody_reads_it;\nendmodule");
    let Some(linted) = run("--target=lint") else { return };
    assert!(!linted.status.success() && said(&linted).contains("nobody_reads_it"), "{}", said(&linted));
}

#[test]
fn any_name_of_a_configuration_makes_a_core() {
    const TEST: &str = "any_name_of_a_configuration_makes_a_core";
    let Some(tools) = tools_or_skip(TEST) else { return };
    let scratch = Scratch::new();
    let preset = scratch.succeed(&["presets", "--show", "fat-tree-2"]);
    scratch.write("mine.toml", preset.replace("\"fat-tree-2\"", "'my: \"switch\", größer'"));
    scratch.succeed(&["emit", "--config", "mine.toml", "--top", "selector", "--out", "design"]);
    let Some(shown) = run_fusesoc(&tools, &scratch, TEST, &["core", "show", "selector"]) else { return };
    assert!(shown.contains("powar:my___switch___gr__er:selector:"), "{shown}");
}

pub fn has_make(test: &str) -> bool {
    let there = Command::new("make").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        skip(&format!("part of {test}"), "make is not installed");
    }
    there
}
