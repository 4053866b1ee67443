//! VEF traces as lines of text, plain or packed.

use crate::format::lines::Lines;
use crate::format::packing::content;
use crate::format::source::{self, Sample};
use anyhow::Result;
use std::io::BufRead;
use std::path::Path;

/// What opens every trace.
const FORMAT: &[u8] = b"VEF";

pub(super) type TraceLines = Lines<Box<dyn BufRead + Send>>;

/// Whether the file at `path` is a VEF trace: it begins like one, or is called `.vef`, packed or not.
///
/// # Errors
/// It isn't there, or can't be read.
pub fn is_vef(path: &Path) -> Result<bool> {
    source::is_of(path, &super::FORMAT)
}

pub(super) fn recognises(sample: &Sample) -> bool {
    sample.is_one_file() && (sample.bare_name().ends_with(".vef") || sample.text().starts_with(FORMAT))
}

/// The lines of the trace at `path`.
pub(super) fn lines(path: &Path) -> Result<TraceLines> {
    Ok(Lines::new(content(path)?, &path.display().to_string(), "a line of a VEF trace"))
}
