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
/// It can't be read, is longer, or is a pipe, which would be empty when it is read again.
pub fn bytes_of(path: &Path, most: u64) -> Result<Vec<u8>> {
    let is_pipe = path.metadata().is_ok_and(|kind| !kind.is_file() && !kind.is_dir());
    ensure!(!is_pipe, "is a pipe or a device, expected a file, since it is read more than once");
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
    let document =
        toml::Deserializer::parse(text).map_err(|error| anyhow!("{}{}", place(&error), in_words(error.message())))?;
    serde_path_to_error::deserialize(document).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.into_inner());
        anyhow!("{}{}", place(&error), at(&path, error.message()))
    })
}

/// What a reader of serde's says is wrong, behind the path of the value as `serde_path_to_error` has it; in one line.
pub fn at(path: &str, message: &str) -> String {
    match path {
        "." => in_words(message),
        path => format!("{path}: {}", in_words(message)),
    }
}

/// What a reader of serde's says is wrong, in one line, with what was meant behind a name, and without names of Rust's
/// types: users know what a number is, and not which one fits into a `u16`.
pub fn in_words(message: &str) -> String {
    let message = with_guess(&message.replace('\n', " "));
    let Some((what, kind)) = message.rsplit_once(", expected ") else { return message };
    let most = match kind {
        "f32" | "f64" => return format!("{what}, expected a number"),
        "u8" => u64::from(u8::MAX),
        "u16" => u64::from(u16::MAX),
        "u32" => u64::from(u32::MAX),
        "u64" | "usize" => return format!("{what}, expected a whole number, 0 or more"),
        _ => return message,
    };
    format!("{what}, expected a whole number in 0..={most}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_rust_are_said_in_words() {
        for (kind, words) in [
            ("f64", "a number"),
            ("u8", "a whole number in 0..=255"),
            ("u64", "a whole number, 0 or more"),
            ("usize", "a whole number, 0 or more"),
            ("a boolean", "a boolean"),
        ] {
            let of = |kind: &str| format!("invalid type: string \"a, expected u8\", expected {kind}");
            assert_eq!(at("traffic.load", &of(kind)), format!("traffic.load: {}", of(words)));
            assert_eq!(at(".", &of(kind)), of(words));
        }
    }
}
