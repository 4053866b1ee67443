//! VEF traces as lines of text, plain or packed with xz.

use crate::format::lines::Lines;
use anyhow::{Context, Result, anyhow};
use lzma_rust2::XzReader;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// First bytes of every xz file.
const XZ: &[u8] = b"\xfd7zXZ\0";

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

/// The text of a file, unpacked if it is packed.
fn content(path: &Path) -> Result<Box<dyn BufRead>> {
    let cannot_open = |error| anyhow!("cannot open {}: {error}", path.display());
    let mut input = BufReader::new(File::open(path).map_err(cannot_open)?);
    let packed = input.fill_buf().with_context(|| format!("cannot read {}", path.display()))?.starts_with(XZ);
    Ok(if packed { Box::new(BufReader::new(XzReader::new(input, true))) } else { Box::new(input) })
}
