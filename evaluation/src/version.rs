//! Which program makes results.

use std::sync::OnceLock;

static VERSION: OnceLock<&'static str> = OnceLock::new();

/// Says which program uses this library, for results to name it: its version, with the commit if it knows it. The first call counts.
pub fn set_version(version: &'static str) {
    VERSION.get_or_init(|| version);
}

/// The version that results name: the program's, or this library's.
pub fn version() -> &'static str {
    VERSION.get().copied().unwrap_or(env!("CARGO_PKG_VERSION"))
}
