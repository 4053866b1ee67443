//! Streams the log of one rank.

use super::parse::{Header, parse_header, parse_record};
use super::record::Record;
use crate::format::lines::Lines;
use anyhow::{Result, bail, ensure};
use std::io::BufRead;

/// Reads one rank's log line by line; only the current line is ever in memory.
///
/// Iterates over the [`Record`]s behind the `H` line and ends behind the `FIN` line, which it
/// yields. The first error ends the iteration.
pub struct LogReader<R> {
    lines: Lines<R>,
    header: Header,
    done: bool,
}

impl<R: BufRead> LogReader<R> {
    /// Reads the `H` line of `input`; `name` is what error messages call it.
    pub fn new(input: R, name: &str) -> Result<Self> {
        let mut lines = Lines::new(input, name, "a log line");
        ensure!(lines.advance()?, "{name}: the log is empty, expected `H pmpilog 2 RANK NRANKS`");
        let header = lines.parse(parse_header)?;
        Ok(LogReader { lines, header, done: false })
    }

    /// Version of the format, 1 or 2.
    pub fn version(&self) -> u32 {
        self.header.version
    }

    /// The rank whose log this is.
    pub fn rank(&self) -> u32 {
        self.header.rank
    }

    /// Number of ranks of the recorded program.
    pub fn ranks(&self) -> u32 {
        self.header.ranks
    }

    /// Number of the line last read, counted from 1.
    pub fn line(&self) -> u64 {
        self.lines.number()
    }

    /// The line last read, without its line end.
    pub fn text(&self) -> &[u8] {
        self.lines.text()
    }

    /// File and line last read, to put in front of an error message.
    pub fn place(&self) -> String {
        self.lines.place()
    }

    fn read(&mut self) -> Result<Record> {
        if !self.lines.advance()? {
            bail!("{}: the log is cut short: it ends at line {} without its FIN line", self.lines.name(), self.line());
        }
        let record = self.lines.parse(|line| parse_record(line, self.header))?;
        if record == Record::Finish {
            self.done = true;
            ensure!(
                self.lines.at_end()?,
                "{}: found more text, expected the end of the file after FIN",
                self.place_behind()
            );
        }
        Ok(record)
    }

    fn place_behind(&self) -> String {
        format!("{}, line {}", self.lines.name(), self.line() + 1)
    }
}

impl<R: BufRead> Iterator for LogReader<R> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let record = self.read();
        self.done |= record.is_err();
        Some(record)
    }
}
