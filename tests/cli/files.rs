//! What is written, and where it can't be.

use crate::{Scratch, text};

const CHECK: [&str; 7] = ["check", "--preset", "fat-tree-2", "--backend", "rust", "--cycles", "500"];

#[test]
fn the_same_configuration_gives_the_same_bytes() {
    for preset in ["fat-tree-2", "torus-28"] {
        let [first, second] = [Scratch::new(), Scratch::new()];
        let written = first.succeed(&["emit", "--preset", preset, "--out", "a/design"]);
        assert_eq!(second.succeed(&["emit", "--preset", preset, "--out", "a/design"]), written);
        assert!(first.files() == second.files(), "{preset}");
        let files = first.files();
        for path in written.lines() {
            let content = files.get(std::path::Path::new(path)).unwrap_or_else(|| panic!("{path} is not there"));
            assert!(!content.as_ref().unwrap().is_empty(), "{path} is empty");
        }
        assert_eq!(files.len(), written.lines().count() + 2, "besides the folders a and a/design");
        let name = format!("a/design/{}_power_controller.f", preset.replace('-', "_"));
        let list = text(files[std::path::Path::new(&name)].as_ref().unwrap());
        for module in list.lines().filter(|line| !line.starts_with("//")) {
            assert!(written.contains(module), "{module} of {name} was not written");
        }
        // Written once more over itself, the configuration included.
        first.succeed(&["emit", "--config", "a/design/config.toml", "--out", "a/design"]);
        assert!(first.files() == second.files(), "{preset}");
    }
}

#[test]
fn a_test_bench_beside_the_design() {
    for (top, module) in [("controller", "fat_tree_2_power_controller"), ("selector", "fat_tree_2_selector")] {
        let scratch = Scratch::new();
        let emit = ["emit", "--force", "--preset", "fat-tree-2", "--top", top, "--out", "design"];
        let design = scratch.succeed(&emit);
        let bench = [&emit[..], &["--testbench", "200", "--seed", "5"]].concat();
        let written = scratch.succeed(&bench);
        let added: Vec<&str> = written.lines().filter(|path| !design.lines().any(|other| other == *path)).collect();
        let names = ["v", "hex", "f", "sh", "md"].map(|ending| format!("design/{module}_tb.{ending}"));
        assert_eq!(added, names);
        let content =
            |name: &str| text(scratch.files()[std::path::Path::new(&format!("design/{name}"))].as_ref().unwrap());
        let vectors = content(&format!("{module}_tb.hex"));
        assert_eq!(vectors.lines().filter(|line| !line.starts_with("//")).count(), 200);
        let list = content(&format!("{module}_tb.f"));
        assert_eq!(list, content(&format!("{module}.f")) + &format!("{module}_tb.v\n"));
        // The same seed gives the same bytes, another seed other vectors; without a number of cycles there is one.
        let first = scratch.files();
        scratch.succeed(&bench);
        assert!(scratch.files() == first);
        scratch.succeed(&[&emit[..], &["--testbench", "200", "--seed", "6"]].concat());
        assert_ne!(content(&format!("{module}_tb.hex")), vectors);
        scratch.succeed(&[&emit[..], &["--testbench"]].concat());
        assert!(content(&format!("{module}_tb.hex")).lines().count() > 1000);
    }
}

#[test]
fn folders_that_are_files() {
    let scratch = Scratch::new();
    scratch.write("file", "kept");
    scratch.fail(&["emit", "--out", "file"], &["file"]);
    scratch.fail(&["emit", "--out", "file/design"], &["file/design", "Not a directory"]);
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/testbenches/traces/hpl-64.tar.xz");
    scratch.fail(&["demo", "--input", trace, "--out", "file"], &["can't create file"]);
    scratch.fail(&["demo", "--input", "missing.tar.xz", "--out", "new"], &["missing.tar.xz"]);
    scratch.fail(&["synth", "--out", "file"], &["file"]);
    // Nothing of somebody else's is written over, and that is said before the work.
    for (file, command) in [
        ("mine/fat-tree-2/selector/report.md", &["synth", "--preset", "fat-tree-2", "--block", "selector"][..]),
        ("mine/fat-tree-2/powar_switch/report.json", &["synth", "--preset", "fat-tree-2", "--area"]),
        ("mine/report.md", &["bitstream", "--ports", "4"]),
    ] {
        scratch.write(file, "mine");
        scratch.fail(&[command, &["--out", "mine"]].concat(), &[file, "was not written by this command"]);
    }
}

#[test]
fn a_module_that_can_not_be_replaced_stops_everything() {
    let scratch = Scratch::new();
    // A folder where a file should go.
    let module = "design/fat_tree_2_power_controller_selector.v";
    scratch.write(&format!("{module}/kept"), "");
    scratch.fail(&["emit", "--preset", "fat-tree-2", "--out", "design"], &[module, "directory"]);
}

#[test]
fn waves() {
    let scratch = Scratch::new();
    let fail = |path, named: &[&str]| scratch.fail(&[&CHECK[..], &["--vcd", path]].concat(), named);
    fail("waves.txt", &["--vcd", "waves.txt", ".vcd"]);
    fail("waves", &["--vcd", "waves", ".vcd"]);
    assert!(scratch.files().is_empty());

    // Folders are made, as those of other results are.
    let said = scratch.succeed(&[&CHECK[..], &["--vcd", "new/of/waves.vcd"]].concat());
    assert!(said.contains("equal in 500 cycles") && said.contains("new/of/waves.vcd"), "{said}");
    let names: Vec<_> = scratch.files().into_keys().collect();
    let files = ["new", "new/of", "new/of/waves.gtkw", "new/of/waves.sucl", "new/of/waves.vcd"];
    assert_eq!(names, files.map(std::path::PathBuf::from));
}

#[test]
fn a_waves_file_that_is_a_folder() {
    let scratch = Scratch::new();
    scratch.write("waves.vcd/kept", "");
    scratch.fail(&[&CHECK[..], &["--vcd", "waves.vcd"]].concat(), &["waves.vcd", "directory"]);
}
