//! The command on the real golden model.

use powar_mutation::equivalent;
use powar_mutation::workshop::{sources, workspace};
use powar_tools::tools_or_skip;
use std::collections::BTreeSet;
use std::process::{Command, Output};

fn golden(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_powar-mutation")).arg("golden").args(arguments).output().unwrap()
}

#[test]
fn every_file_is_still_one_of_rust_with_all_mutants_and_its_lines_stay() {
    let sources = sources(&workspace()).unwrap();
    let all: usize = sources.iter().map(|source| source.mutants().len()).sum();
    assert!(all > 4000, "{all}");
    for source in &sources {
        let text = source.rewritten(&BTreeSet::new()).text;
        let written = std::fs::read_to_string(workspace().join(&source.file)).unwrap();
        assert_eq!(text.lines().count(), written.lines().count(), "{}", source.file);
        syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", source.file));
        let none = source.mutants().iter().map(|mutant| mutant.number).collect();
        assert_eq!(source.rewritten(&none).text, written, "{}", source.file);
    }
}

#[test]
fn numbers_go_through_all_files() {
    let mutants = sources(&workspace()).unwrap().iter().flat_map(|source| source.mutants()).collect::<Vec<_>>();
    assert!((1..).zip(&mutants).all(|(number, mutant)| mutant.number == number));
}

#[test]
fn every_equivalent_is_about_a_mutant_that_there_is() {
    let list = equivalent::read(&workspace().join("mutation/equivalent.toml")).unwrap();
    let mutants = sources(&workspace()).unwrap().iter().flat_map(|source| source.mutants()).collect::<Vec<_>>();
    equivalent::apply(&list, &mutants, &[]).unwrap();
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for (arguments, begin) in [
        (["--jobs", "0"], "error: --jobs: 0 must be 1 or more"),
        (
            ["--block", "check_clock"],
            "error: --block: `check_clock` must be a folder, or a file without its `.rs`, below golden-model/src/reference or ",
        ),
    ] {
        let output = golden(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.starts_with(begin), "{said}");
    }
}

#[test]
#[ignore = "compiles the golden model with all its mutants, for minutes"]
fn mutants_of_small_blocks_are_killed_unless_nobody_looks() {
    if tools_or_skip("mutants of the golden model").is_none() {
        return;
    }
    for block in ["check_timer", "vc_arbiter"] {
        let output = golden(&["--block", block, "--json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let count = |name: &str| report["all"][name].as_u64().unwrap();
        assert!(count("mutants") > 10 && count("killed") > 10 && count("survivors") == 0, "{report}");
    }
    // One cycle is not enough for a period to end.
    let output = golden(&["--block", "check_timer", "--cycles", "1", "--patience", "0", "--no-unit-tests"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        String::from_utf8(output.stdout).unwrap().contains("survives: cargo run -p powar-mutation -- golden --mutant ")
    );
}
