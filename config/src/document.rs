//! Files that users write, in TOML above all: what they say, or in one line what is wrong with them and where.

use crate::nearest::with_guess;
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The text of a file's bytes, without a mark of the byte order in front.
///
/// # Errors
/// Bytes that are not UTF-8, with the line.
pub fn text(bytes: &[u8]) -> Result<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}')),
        Err(_) if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
            bail!("line 1: the text is UTF-16, expected UTF-8")
        }
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            bail!("line {}: the text is not UTF-8", before.iter().filter(|&&byte| byte == b'\n').count() + 1);
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

/// The text of a file, without a mark of the byte order in front.
///
/// # Errors
/// One line, with the file's path: a file that can't be read or is not UTF-8.
pub fn text_of(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    Ok(text(&bytes).with_context(|| path.display().to_string())?.to_owned())
}

/// What a text in TOML says.
///
/// # Errors
/// One line: text that is no TOML, with its line; a field that is unknown, missing or of the wrong type, with its line and its path.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    let place = |error: &toml::de::Error| match error.span() {
        Some(span) => format!("line {}: ", text[..span.start.min(text.len())].matches('\n').count() + 1),
        None => String::new(),
    };
    let one_line = |error: &toml::de::Error| with_guess(&error.message().replace('\n', " "));
    let document = toml::Deserializer::parse(text).map_err(|error| anyhow!("{}{}", place(&error), one_line(&error)))?;
    serde_path_to_error::deserialize(document).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.into_inner());
        let path = if path == "." { path } else { format!("{path}: ") };
        anyhow!("{}{}{}", place(&error), path.trim_start_matches('.'), one_line(&error))
    })
}
