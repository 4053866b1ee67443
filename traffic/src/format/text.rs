//! Traces that are one file of text, plain or packed with xz.

use anyhow::{Context, Result, anyhow};
use lzma_rust2::XzReader;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// First bytes of every xz file.
const XZ: &[u8] = b"\xfd7zXZ\0";

/// The text of a file, unpacked if it is packed.
pub(crate) fn content(path: &Path) -> Result<Box<dyn BufRead>> {
    let cannot_open = |error| anyhow!("cannot open {}: {error}", path.display());
    let mut input = BufReader::new(File::open(path).map_err(cannot_open)?);
    let packed = input.fill_buf().with_context(|| format!("cannot read {}", path.display()))?.starts_with(XZ);
    Ok(if packed { Box::new(BufReader::new(XzReader::new(input, true))) } else { Box::new(input) })
}
