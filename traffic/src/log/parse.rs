//! One line of text to one [`Record`].
//!
//! Every error names the field, the value found and the values allowed; the caller, which knows
//! them, puts the file and the line number in front.

use super::record::{Call, Completion, OPERATIONS, Operation, Record};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::fmt::Display;
use std::str::{FromStr, SplitAsciiWhitespace};

/// Most ranks a trace may have.
pub const MAX_RANKS: u32 = 65_536;
/// Longest compute gap, ns (about eleven days); keeps the replay's clocks far from overflow.
pub const MAX_GAP_NS: u64 = 1_000_000_000_000_000;
/// Largest payload of one call, bytes; more would mean hours of nothing but its packets.
pub const MAX_BYTES: u64 = 1 << 32;

/// The first line of a log: `H pmpilog 1 RANK NRANKS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub rank: u32,
    pub ranks: u32,
}

/// Reads the line that opens a log.
pub fn parse_header(line: &str) -> Result<Header> {
    let mut fields = Fields::new(line);
    fields.literal("record", "H")?;
    fields.literal("format", "pmpilog")?;
    fields.literal("version", "1")?;
    let rank = fields.number("rank", 0, MAX_RANKS - 1)?;
    let ranks = fields.number("ranks", 1, MAX_RANKS)?;
    fields.end()?;
    ensure!(rank < ranks, "field `rank` is `{rank}`, expected a rank below the number of ranks, {ranks}");
    Ok(Header { rank, ranks })
}

/// Reads any later line of the log of a program with `ranks` ranks.
pub fn parse_record(line: &str, ranks: u32) -> Result<Record> {
    let mut fields = Fields::new(line);
    let record = match fields.next("record")? {
        "C" => communicator(&mut fields, ranks)?,
        "T" => Record::Completion(completion(&mut fields, ranks)?),
        "FIN" => {
            fields.number("gap_cpu", 0, MAX_GAP_NS)?;
            fields.number("gap_wall", 0, MAX_GAP_NS)?;
            fields.literal("polls", "polls")?;
            fields.number("polls", 0, u64::MAX)?;
            Record::Finish
        }
        name => Record::Call(call(name, &mut fields, ranks)?),
    };
    fields.end()?;
    Ok(record)
}

fn call(name: &str, fields: &mut Fields, ranks: u32) -> Result<Call> {
    let (_, operation) = OPERATIONS.iter().find(|(known, _)| *known == name).with_context(|| {
        let known: Vec<_> = OPERATIONS.iter().map(|(name, _)| *name).collect();
        format!("field `OP` is {}, expected C, T, FIN or one of {}", shown(name), known.join(", "))
    })?;
    let call = Call {
        operation: *operation,
        gap_cpu_ns: fields.number("gap_cpu", 0, MAX_GAP_NS)?,
        gap_wall_ns: fields.number("gap_wall", 0, MAX_GAP_NS)?,
        communicator: fields.hash("comm")?,
        peer: fields.rank_or_none("peer", ranks)?,
        bytes: fields.number("bytes", 0, MAX_BYTES)?,
        tag: fields.number("tag", i32::MIN, i32::MAX)?,
        request: fields.number("req", 0, u64::MAX)?,
    };
    let opens_request = matches!(operation, Operation::Isend | Operation::Irecv);
    ensure!(
        opens_request == (call.request != 0),
        "field `req` is `{}`, expected {} for {name}",
        call.request,
        if opens_request { "1 or more" } else { "0" }
    );
    let rooted = matches!(
        operation,
        Operation::Bcast
            | Operation::Reduce
            | Operation::Gather
            | Operation::Gatherv
            | Operation::Scatter
            | Operation::Scatterv
    );
    ensure!(!rooted || call.peer.is_some(), "field `peer` is negative, expected the root's rank for {name}");
    Ok(call)
}

fn completion(fields: &mut Fields, ranks: u32) -> Result<Completion> {
    Ok(Completion {
        gap_cpu_ns: fields.number("gap_cpu", 0, MAX_GAP_NS)?,
        gap_wall_ns: fields.number("gap_wall", 0, MAX_GAP_NS)?,
        request: fields.number("req", 1, u64::MAX)?,
        source: fields.rank_or_none("source", ranks)?,
        tag: fields.number("tag", i32::MIN, i32::MAX)?,
        bytes: fields.number("bytes", 0, MAX_BYTES)?,
        polls: fields.number("polls", 0, u64::MAX)?,
    })
}

fn communicator(fields: &mut Fields, ranks: u32) -> Result<Record> {
    let hash = fields.hash("hash")?;
    let size: u32 = fields.number("n", 1, ranks)?;
    let mut members = Vec::with_capacity(size as usize);
    let mut seen = vec![false; ranks as usize];
    for _ in 0..size {
        let member: u32 = fields.number("member", 0, ranks - 1)?;
        ensure!(
            !std::mem::replace(&mut seen[member as usize], true),
            "field `member` is `{member}` a second time, expected {size} different ranks"
        );
        members.push(member);
    }
    Ok(Record::Communicator { hash, members })
}

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
