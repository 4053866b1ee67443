//! The lines of a text file, one at a time, with their numbers.

use super::archive::is_cut_short;
use anyhow::{Error, Result, anyhow, ensure};
use std::io::{BufRead, Read};

/// Longest line accepted, bytes. The longest real ones list a communicator's members.
const MAX_LINE: u64 = 1 << 20;
/// Most text in a row that says nothing, bytes, and what each line counts for besides: a packed file of some KiB may hold
/// GiB of line ends.
const MOST_IDLE: u64 = 64 << 20;
const LINE: u64 = 64;

/// What some editors put in front of a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a text line by line, without a byte-order mark in front of the first; only the current line is ever in memory.
pub(crate) struct Lines<R> {
    input: R,
    name: String,
    /// What a line should be, as an error message says it.
    kind: &'static str,
    number: u64,
    text: Vec<u8>,
    /// How much in a row has said nothing up to the current line.
    idle: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`, which error messages call `name`; they expect `kind`.
    pub fn new(input: R, name: &str, kind: &'static str) -> Self {
        Lines { input, name: name.to_owned(), kind, number: 0, text: Vec::new(), idle: 0 }
    }

    /// Fetches the next line; false at the end of the input.
    pub fn advance(&mut self) -> Result<bool> {
        self.text.clear();
        let read = (&mut self.input)
            .take(MAX_LINE)
            .read_until(b'\n', &mut self.text)
            .map_err(|error| self.cannot_read(&error))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.number == 1 && self.text.starts_with(BYTE_ORDER_MARK) {
            self.text.drain(..BYTE_ORDER_MARK.len());
        }
        ensure!((read as u64) < MAX_LINE, "{}: longer than {MAX_LINE} bytes, expected {}", self.place(), self.kind);
        Ok(true)
    }

    /// The current line says something, or not; too many that don't are an error.
    pub fn says(&mut self, something: bool) -> Result<()> {
        self.idle = if something { 0 } else { self.idle + self.text.len() as u64 + LINE };
        ensure!(
            self.idle <= MOST_IDLE,
            "{}: the lines in front say nothing, expected {} within {} lines or {} MiB",
            self.place(),
            self.kind,
            MOST_IDLE / LINE,
            MOST_IDLE >> 20
        );
        Ok(())
    }

    /// Whether nothing follows the current line.
    pub fn at_end(&mut self) -> Result<bool> {
        match self.input.fill_buf() {
            Ok(rest) => Ok(rest.is_empty()),
            Err(error) => Err(self.cannot_read(&error)),
        }
    }

    fn cannot_read(&self, error: &std::io::Error) -> Error {
        let why = match is_cut_short(error) {
            true => "the packed file is cut short".to_owned(),
            false => error.to_string().escape_debug().to_string(),
        };
        anyhow!("{}: cannot read behind line {}: {why}", self.name, self.number)
    }

    /// Reads the current line with `parse`; its error gets file and line number in front.
    pub fn parse<T>(&self, parse: impl FnOnce(&str) -> Result<T>) -> Result<T> {
        std::str::from_utf8(&self.text)
            .map_err(|_| anyhow!("found bytes that are not text, expected {}", self.kind))
            .and_then(parse)
            .map_err(|error| anyhow!("{}: {error}", self.place()))
    }

    /// What error messages call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of the current line, counted from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The current line, without its line end.
    pub fn text(&self) -> &[u8] {
        self.text.trim_ascii_end()
    }

    /// File and current line, to put in front of an error message.
    pub fn place(&self) -> String {
        format!("{}, line {}", self.name, self.number)
    }
}
