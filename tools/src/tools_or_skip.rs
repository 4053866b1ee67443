//! Tests that need the tools.

use crate::{Progress, ToolError, Tools};
use std::fs::File;
use std::io::Write;

/// The tools for tests, installed if need be: [for short runs](Tools::for_short_runs), but for the long forms of tests (`POWAR_LONG`).
///
/// # Errors
/// As of [`Tools::ensure`].
pub fn tools_for_tests() -> Result<Tools, ToolError> {
    let tools = Tools::ensure(&Progress::stderr())?;
    Ok(if std::env::var_os("POWAR_LONG").is_some() { tools } else { tools.for_short_runs() })
}

/// The tools for a test. Where they can't be had, or are not wanted (`POWAR_NO_TOOLS=1`), the test is to return early: this
/// says so on stderr, even though the test counts as passed, and panics instead if `POWAR_NO_SKIP=1` is set, as in CI.
///
/// They are [`tools_for_tests`].
///
/// # Panics
/// With `POWAR_NO_SKIP=1` and without tools.
pub fn tools_or_skip(test: &str) -> Option<Tools> {
    let tools = match is_set("POWAR_NO_TOOLS") {
        true => Err("not wanted (POWAR_NO_TOOLS=1)".to_owned()),
        false => tools_for_tests().map_err(|error| error.to_string()),
    };
    tools.map_err(|why| skip(test, &why)).ok()
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value == "1")
}

/// Says that a test, or a part of one, is skipped, even though it counts as passed: on stderr, and in a line of the file that `POWAR_SKIPPED` names
/// if it is set, for those who run tests with a runner that shows nothing of what passes.
///
/// # Panics
/// With `POWAR_NO_SKIP=1`, as in CI.
pub fn skip(test: &str, why: &str) {
    assert!(!is_set("POWAR_NO_SKIP"), "{test} may not be skipped (POWAR_NO_SKIP=1): {why}");
    let line = format!("SKIPPED {test}: {why}\n");
    // Not eprintln!, whose text a passing test swallows.
    let _ = std::io::stderr().write_all(line.as_bytes());
    let file =
        std::env::var_os("POWAR_SKIPPED").and_then(|path| File::options().create(true).append(true).open(path).ok());
    if let Some(mut file) = file {
        let _ = file.write_all(line.as_bytes());
    }
}

/// [`tools_or_skip`] for a test of what only the pinned tools have: the readers of [`Tools::python`].
///
/// # Panics
/// With `POWAR_NO_SKIP=1` and without pinned tools.
pub fn pinned_tools_or_skip(test: &str) -> Option<Tools> {
    let tools = tools_or_skip(test)?;
    if tools.is_pinned() {
        return Some(tools);
    }
    skip(test, "the pinned tools are not installed");
    None
}
