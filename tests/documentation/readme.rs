//! The README is read in ten minutes, in a terminal too.

use super::Page;

const MOST: usize = 120;

#[test]
fn it_is_short_and_narrow() {
    let readme = Page::read("README.md");
    let lines = readme.text.lines().count();
    assert!(lines <= MOST, "{lines} lines, expected {MOST} at most");
    let wide: Vec<&str> = readme.text.lines().filter(|line| line.chars().count() > MOST).collect();
    assert!(wide.is_empty(), "wider than {MOST} columns: {wide:#?}");
}

#[test]
fn what_is_cited_is_this_version() {
    let citation = Page::read("CITATION.cff").text;
    let version = format!("version: {}", env!("CARGO_PKG_VERSION"));
    assert!(citation.lines().any(|line| line == version), "CITATION.cff: no line with {version:?}");
}
