//! One line of text to one [`Record`].
//!
//! Every error names the field, the value found and the values allowed; the caller, which knows
//! them, puts the file and the line number in front.

use super::record::{Call, Completion, OPERATIONS, Operation, Record};
use crate::format::fields::{Fields, MAX_BYTES, MAX_GAP_NS, MAX_RANKS, shown};
use anyhow::{Context, Result, ensure};

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
