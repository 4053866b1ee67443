//! Tests that need the tools.

use crate::{Progress, ToolError, Tools};
use std::io::Write;

/// The tools for tests, installed if need be: [for short runs](Tools::for_short_runs), but for the long forms of tests (`POWAR_LONG`).
///
/// # Errors
/// As of [`Tools::ensure`].
pub fn tools_for_tests() -> Result<Tools, ToolError> {
    let tools = Tools::ensure(&Progress::stderr())?;
    Ok(if std::env::var_os("POWAR_LONG").is_some() { tools } else { tools.for_short_runs() })
}

/// The tools for a test. Where they can't be had, the test is to return early: this says so on
/// stderr, even though the test counts as passed, and panics instead if `POWAR_NO_SKIP=1` is set, as in CI.
///
/// They are [`tools_for_tests`].
///
/// # Panics
/// With `POWAR_NO_SKIP=1` and without tools.
pub fn tools_or_skip(test: &str) -> Option<Tools> {
    match tools_for_tests() {
        Ok(tools) => Some(tools),
        Err(error) if std::env::var_os("POWAR_NO_SKIP").is_some_and(|value| value == "1") => {
            panic!("{test} may not be skipped (POWAR_NO_SKIP=1): {error}")
        }
        Err(error) => {
            // Not eprintln!, whose text a passing test swallows.
            let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {error}");
            None
        }
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
    let may_skip = std::env::var_os("POWAR_NO_SKIP").is_none_or(|value| value != "1");
    assert!(may_skip, "{test} may not be skipped (POWAR_NO_SKIP=1): the pinned tools are not installed");
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: the pinned tools are not installed");
    None
}
