//! The lists of slow tests name tests that there are: a name that fits none costs time, and nothing says so.

use crate::root;
use std::fs;
use std::path::Path;

/// All Rust sources below a folder, one behind the other, but for what is built.
fn add_sources(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().expect("a name").to_string_lossy();
        if entry.is_dir() && !name.starts_with('.') && !["target", "build"].contains(&&*name) {
            add_sources(&entry, sources);
        } else if name.ends_with(".rs") {
            *sources += &fs::read_to_string(&entry).expect("a source file");
        }
    }
}

#[test]
fn names_of_slow_tests_are_names_of_tests() {
    let left_out = fs::read_to_string(root().join("tests/left-out-of-quick.txt")).expect("the list");
    let left_out = left_out.lines().filter(|line| !line.starts_with('#'));
    let first = fs::read_to_string(root().join(".config/nextest.toml")).expect("how nextest runs them");
    let first = first.split("test(").skip(1).filter_map(|rest| rest.split_once(')')).map(|(name, _)| name);
    let names: Vec<&str> = left_out.chain(first).collect();
    assert!(names.len() > 40, "{names:?}");
    let mut sources = String::new();
    add_sources(root(), &mut sources);
    for name in names {
        for part in name.split("::") {
            assert!(sources.contains(part), "{name}: no test and no module is named so");
        }
    }
}
