//! The fields of one line of text, and the limits that all formats share.
//!
//! Every error names the field, the value found and the values allowed; the caller, which knows
//! them, puts the file and the line number in front.

use anyhow::{Result, anyhow, bail, ensure};
use std::fmt::Display;
use std::str::{FromStr, SplitAsciiWhitespace};

/// Most ranks a trace may have.
pub const MAX_RANKS: u32 = 65_536;
/// Longest compute gap, ns (about eleven days); keeps the replay's clocks far from overflow.
pub const MAX_GAP_NS: u64 = 1_000_000_000_000_000;
/// Largest payload of one call, bytes; more would mean hours of nothing but its packets.
pub const MAX_BYTES: u64 = 1 << 32;

/// The blank-separated fields of one line, taken from the left.
pub(crate) struct Fields<'a> {
    rest: SplitAsciiWhitespace<'a>,
}

impl<'a> Fields<'a> {
    pub fn new(line: &'a str) -> Self {
        Fields { rest: line.split_ascii_whitespace() }
    }

    pub fn next(&mut self, field: &str) -> Result<&'a str> {
        self.rest.next().ok_or_else(|| anyhow!("field `{field}` is missing: the line ends before it"))
    }

    pub fn literal(&mut self, field: &str, expected: &str) -> Result<()> {
        let text = self.next(field)?;
        ensure!(text == expected, "field `{field}` is {}, expected `{expected}`", shown(text));
        Ok(())
    }

    pub fn number<T>(&mut self, field: &str, low: T, high: T) -> Result<T>
    where
        T: FromStr + PartialOrd + Display,
    {
        let text = self.next(field)?;
        match text.parse::<T>() {
            Ok(value) if value >= low && value <= high => Ok(value),
            _ => bail!("field `{field}` is {}, expected an integer from {low} to {high}", shown(text)),
        }
    }

    pub fn hash(&mut self, field: &str) -> Result<u32> {
        let text = self.next(field)?;
        match u32::from_str_radix(text, 16) {
            Ok(hash) if text.len() == 8 => Ok(hash),
            _ => bail!("field `{field}` is {}, expected eight hexadecimal digits", shown(text)),
        }
    }

    /// A rank, or -1 (any) or -2 (none): to a replay both mean that there is no one to wait for.
    pub fn rank_or_none(&mut self, field: &str, ranks: u32) -> Result<Option<u32>> {
        let rank: i64 = self.number(field, -2, i64::from(ranks) - 1)?;
        Ok(u32::try_from(rank).ok())
    }

    pub fn is_empty(&self) -> bool {
        self.rest.clone().next().is_none()
    }

    pub fn end(&mut self) -> Result<()> {
        match self.rest.next() {
            None => Ok(()),
            Some(extra) => bail!("found {} after the last field", shown(extra)),
        }
    }
}

/// A value as it may stand in a one-line message, whatever bytes a broken file holds.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    format!("`{}`", short.escape_debug())
}
