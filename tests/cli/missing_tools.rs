//! A machine without EDA tools, Python and compilers.

use crate::bad_traces::write_small_trace;
use crate::{Scratch, error_of, text};
use std::process::{Command, Output};

/// Runs where nothing is on the PATH and nothing is installed.
fn bare(scratch: &Scratch, arguments: &[&str]) -> Output {
    let [path, tools] = [Scratch::new(), Scratch::new()];
    let mut command: Command = scratch.command(arguments);
    command.env("PATH", path.path()).env("POWAR_TOOLS_DIR", tools.path()).env_remove("CXX");
    command.output().unwrap()
}

#[test]
fn commands_that_need_them_say_what_is_missing() {
    for arguments in [&["check", "--preset", "fat-tree-2"][..], &["tools"]] {
        let scratch = Scratch::new();
        let error = error_of(&bare(&scratch, arguments));
        assert!(error.contains("python3") && error.contains("missing") && error.contains("verilator"), "{error}");
        assert!(!error.contains("--install"), "there is no such option: {error}");
        assert!(scratch.files().is_empty(), "{arguments:?}");
    }
}

#[test]
fn commands_that_do_not_need_them_run() {
    let scratch = Scratch::new();
    for arguments in [
        &["presets"][..],
        &["emit", "--preset", "fat-tree-2", "--out", "design"],
        &["check", "--preset", "fat-tree-2", "--backend", "rust", "--cycles", "100"],
    ] {
        let output = bare(&scratch, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn the_demo_goes_on_without_verilator() {
    let scratch = Scratch::new();
    write_small_trace(&scratch, "trace");
    let demo = ["demo", "--preset", "fat-tree-2", "--input", "trace", "--rust-cycles", "500", "--out", "out"];
    let output = bare(&scratch, &demo);
    let (said, warned) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{warned}");
    let warnings: Vec<&str> = warned.lines().filter(|line| line.starts_with("powar: ")).collect();
    assert_eq!(warnings.len(), 1, "{warned}");
    for word in ["rust-hdl's simulation alone", "python3", "missing"] {
        assert!(warnings[0].contains(word), "{warned}");
    }
    for word in ["rust-hdl simulation: equal in 500 cycles", "out/waves.vcd", "Reference", "Powar", "Ideal"] {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    assert!(!said.contains("Verilator"), "{said}");
    for file in ["out/verilog/power_controller.v", "out/waves.vcd", "out/waves.gtkw"] {
        assert!(scratch.path().join(file).is_file(), "{file}");
    }
}
