//! VEF traces as lines of text, plain or packed with xz.

use crate::format::lines::Lines;
use crate::format::text::content;
use anyhow::Result;
use std::io::{BufRead, Read};
use std::path::Path;

/// What opens every trace.
const FORMAT: &[u8] = b"VEF";

pub(super) type TraceLines = Lines<Box<dyn BufRead>>;

/// Whether the file at `path` is a VEF trace: it begins like one, or is called `.vef` or `.vef.xz`.
pub fn is_vef(path: &Path) -> Result<bool> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if name.ends_with(".vef") || name.ends_with(".vef.xz") {
        return Ok(true);
    }
    let mut first = Vec::new();
    // A damaged archive is for its own reader to complain about.
    let _ = content(path)?.take(FORMAT.len() as u64).read_to_end(&mut first);
    Ok(first == FORMAT)
}

/// The lines of the trace at `path`.
pub(super) fn lines(path: &Path) -> Result<TraceLines> {
    Ok(Lines::new(content(path)?, &path.display().to_string(), "a line of a VEF trace"))
}
