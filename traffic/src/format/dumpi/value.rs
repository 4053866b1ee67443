//! The arguments of a call by name, as what they are.
//!
//! Every error names the call, the field, the value found and the values allowed; file and line are put in front.

use super::block::Block;
use crate::format::fields::shown;
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Display;
use std::str::FromStr;

/// One `MPI_Status`. Behind a send it holds whatever was in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub cancelled: bool,
    /// Rank within the communicator.
    pub source: i64,
    pub tag: i64,
}

/// A handle and the name that is printed behind it, as in `9 (MPI_INT)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle<'a> {
    pub number: i32,
    pub name: &'a str,
}

impl Block {
    /// An integer from `low` to `high`.
    pub fn number<T>(&self, field: &str, low: T, high: T) -> Result<T>
    where
        T: FromStr + PartialOrd + Display + Copy,
    {
        let text = self.text_of(field)?;
        // Behind some stands what they mean, as in `-1 (MPI_ANY_SOURCE)`.
        let number = text.split(' ').next().unwrap_or(text);
        self.bounded(field, number, low, high)
    }

    /// A communicator, datatype or group.
    pub fn handle(&self, field: &str) -> Result<Handle<'_>> {
        let text = self.text_of(field)?;
        let (number, name) = text.split_once(' ').unwrap_or((text, ""));
        let name = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name);
        Ok(Handle { number: self.bounded(field, number, 0, i32::MAX)?, name })
    }

    /// An array of integers from `low` to `high`; `None` where it is not recorded.
    pub fn numbers<T>(&self, field: &str, low: T, high: T) -> Result<Option<Vec<T>>>
    where
        T: FromStr + PartialOrd + Display + Copy,
    {
        let text = self.text_of(field)?;
        if text == "<IGNORED>" {
            return Ok(None);
        }
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let inner = inner.with_context(|| self.wrong(field, text, "integers such as `[1, 2]`"))?.trim();
        if inner.is_empty() {
            return Ok(Some(Vec::new()));
        }
        inner.split(',').map(|number| self.bounded(field, number.trim(), low, high)).collect::<Result<_>>().map(Some)
    }

    /// As [`Block::numbers`], of which there must be `count`.
    pub fn exactly<T>(&self, field: &str, count: usize, low: T, high: T) -> Result<Vec<T>>
    where
        T: FromStr + PartialOrd + Display + Copy,
    {
        let numbers = match self.numbers(field, low, high)? {
            None if count == 0 => Vec::new(),
            None => bail!("{}", self.wrong(field, "<IGNORED>", &format!("{count} integers"))),
            Some(numbers) => numbers,
        };
        ensure!(
            numbers.len() == count,
            "{}: field `{field}` holds {} integers, expected {count}",
            self.call,
            numbers.len()
        );
        Ok(numbers)
    }

    /// The three numbers of each row of a table: first, last, step.
    pub fn ranges(&self, field: &str) -> Result<Vec<[i64; 3]>> {
        let text = self.text_of(field)?;
        let separators = |letter: char| matches!(letter, '[' | ']' | ',' | ' ');
        let words = text.split(separators).filter(|word| !word.is_empty() && *word != "<IGNORED>");
        let numbers: Vec<i64> = words
            .map(|word| self.bounded(field, word, i64::from(i32::MIN), i64::from(i32::MAX)))
            .collect::<Result<_>>()?;
        let (rows, rest) = numbers.as_chunks::<3>();
        ensure!(rest.is_empty(), "{}", self.wrong(field, text, "rows of three integers"));
        Ok(rows.to_vec())
    }

    /// Statuses; `None` where the program ignores them or they are not recorded.
    pub fn statuses(&self, field: &str) -> Result<Option<Vec<Status>>> {
        let text = self.text_of(field)?;
        if text == "<IGNORED>" {
            return Ok(None);
        }
        let wrong = || self.wrong(field, text, "statuses such as `[{bytes=8, cancelled=0, source=1, tag=7, error=0}]`");
        let inner = text.strip_prefix("[{").and_then(|text| text.strip_suffix("}]")).with_context(wrong)?;
        inner.split("}, {").map(|status| parse_status(status).with_context(wrong)).collect::<Result<_>>().map(Some)
    }

    /// The one status of a call.
    pub fn status(&self) -> Result<Option<Status>> {
        match self.statuses("status")? {
            None => Ok(None),
            Some(statuses) if statuses.len() == 1 => Ok(Some(statuses[0])),
            Some(statuses) => bail!("{}: field `status` holds {} statuses, expected 1", self.call, statuses.len()),
        }
    }

    fn text_of(&self, field: &str) -> Result<&str> {
        let (text, _) = self.find(field).with_context(|| format!("{}: field `{field}` is missing", self.call))?;
        Ok(text)
    }

    fn bounded<T>(&self, field: &str, text: &str, low: T, high: T) -> Result<T>
    where
        T: FromStr + PartialOrd + Display + Copy,
    {
        match text.parse::<T>() {
            Ok(value) if value >= low && value <= high => Ok(value),
            _ => bail!("{}", self.wrong(field, text, &format!("an integer from {low} to {high}"))),
        }
    }

    /// What is wrong with a field, in one line.
    pub fn wrong(&self, field: &str, text: &str, expected: &str) -> String {
        format!("{}: field `{field}` is {}, expected {expected}", self.call, shown(text))
    }
}

fn parse_status(text: &str) -> Option<Status> {
    let mut status = Status { cancelled: false, source: 0, tag: 0 };
    let mut seen = 0;
    for field in text.split(", ") {
        let (name, value) = field.split_once('=')?;
        let value: i64 = value.parse().ok()?;
        match name {
            "cancelled" => status.cancelled = value != 0,
            "source" => status.source = value,
            "tag" => status.tag = value,
            "bytes" | "error" => continue,
            _ => return None,
        }
        seen += 1;
    }
    (seen == 3).then_some(status)
}
