//! Tests that need the tools.

use crate::{Progress, Tools};
use std::io::Write;

/// The tools for a test, installed if need be. Where they can't be had, the test is to return early: this says so on
/// stderr, even though the test counts as passed, and panics instead if `POWAR_NO_SKIP=1` is set, as in CI.
///
/// They are [for short runs](Tools::for_short_runs), but for the long forms of tests (`POWAR_LONG`).
///
/// # Panics
/// With `POWAR_NO_SKIP=1` and without tools.
pub fn tools_or_skip(test: &str) -> Option<Tools> {
    match Tools::ensure(&Progress::stderr()) {
        Ok(tools) if std::env::var_os("POWAR_LONG").is_some() => Some(tools),
        Ok(tools) => Some(tools.for_short_runs()),
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
