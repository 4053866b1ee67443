//! The lists of slow tests name tests that there are: a name that fits none costs time, and nothing says so.

use super::{files_in, root};
use std::fs;

#[test]
fn names_of_slow_tests_are_names_of_tests() {
    let left_out = fs::read_to_string(root().join("tests/left-out-of-quick.txt")).expect("the list");
    let left_out = left_out.lines().filter(|line| !line.starts_with('#'));
    let first = fs::read_to_string(root().join(".config/nextest.toml")).expect("how nextest runs them");
    let first = first.split("test(").skip(1).filter_map(|rest| rest.split_once(')')).map(|(name, _)| name);
    let names: Vec<&str> = left_out.chain(first).collect();
    assert!(names.len() > 40, "{names:?}");
    let sources: String = files_in(root(), "", ".rs").into_iter().map(|source| source.text).collect();
    for name in names {
        for part in name.split("::") {
            assert!(sources.contains(part), "{name}: no test and no module is named so");
        }
    }
}
