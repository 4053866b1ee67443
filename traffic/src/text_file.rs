//! Short files of text that a user wrote, read as a whole.

use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The text of a file, without a byte-order mark.
///
/// # Errors
/// It is not UTF-8; the line is named.
pub fn text(bytes: &[u8]) -> Result<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}')),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            bail!("line {line}: the text is not UTF-8")
        }
    }
}

/// What is in a file of at most so many bytes.
///
/// # Errors
/// It can't be read, or is longer.
pub fn bytes_of(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = vec![];
    let file = File::open(path).context("can't be read")?;
    file.take(most + 1).read_to_end(&mut bytes).context("can't be read")?;
    ensure!(bytes.len() as u64 <= most, "the file has more than {most} bytes, the most that are read");
    Ok(bytes)
}
