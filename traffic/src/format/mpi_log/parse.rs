//! One line of text to one [`Record`].
//!
//! Every error names the field, the value found and the values allowed; the caller, which knows
//! them, puts the file and the line number in front.

use super::parts::parts;
use super::record::{Call, Completion, MORE_OPERATIONS, NON_BLOCKING, OPERATIONS, Operation, Parts, Record};
use crate::format::fields::{Fields, MAX_BYTES, MAX_GAP_NS, MAX_RANKS, shown};
use anyhow::{Result, bail, ensure};

/// The first line of a log: `H pmpilog VERSION RANK NRANKS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// 1 or 2.
    pub version: u32,
    pub rank: u32,
    pub ranks: u32,
}

/// Reads the line that opens a log.
pub fn parse_header(line: &str) -> Result<Header> {
    let mut fields = Fields::new(line);
    fields.literal("record", "H")?;
    fields.literal("format", "pmpilog")?;
    let version = fields.number("version", 1, 2)?;
    let rank = fields.number("rank", 0, MAX_RANKS - 1)?;
    let ranks = fields.number("ranks", 1, MAX_RANKS)?;
    fields.end()?;
    ensure!(rank < ranks, "field `rank` is `{rank}`, expected a rank below the number of ranks, {ranks}");
    Ok(Header { version, rank, ranks })
}

/// Reads any later line of the log that this header opens.
pub fn parse_record(line: &str, header: Header) -> Result<Record> {
    let mut fields = Fields::new(line);
    let record = match fields.next("record")? {
        "C" => communicator(&mut fields, header.ranks)?,
        "T" => Record::Completion(completion(&mut fields, header.ranks, false)?),
        "P" if header.version >= 2 => Record::Completion(completion(&mut fields, header.ranks, true)?),
        "FIN" => {
            fields.number("gap_cpu", 0, MAX_GAP_NS)?;
            fields.number("gap_wall", 0, MAX_GAP_NS)?;
            fields.literal("polls", "polls")?;
            fields.number("polls", 0, u64::MAX)?;
            Record::Finish
        }
        name => Record::Call(call(name, &mut fields, header)?),
    };
    fields.end()?;
    Ok(record)
}

/// The operation of this name, and whether it opens a request.
fn operation(name: &str, version: u32) -> Result<(Operation, bool)> {
    let blocking: [&[_]; 2] = [OPERATIONS, if version >= 2 { MORE_OPERATIONS } else { &[] }];
    let non_blocking = if version >= 2 { NON_BLOCKING } else { &[] };
    let find = |names: &[(&str, Operation)]| names.iter().find(|(known, _)| *known == name).map(|(_, found)| *found);
    if let Some(found) = blocking.into_iter().find_map(find) {
        return Ok((found, matches!(found, Operation::Isend | Operation::Issend | Operation::Irecv)));
    }
    if let Some(found) = find(non_blocking) {
        return Ok((found, true));
    }
    let known: Vec<_> = blocking.into_iter().chain([non_blocking]).flatten().map(|(name, _)| *name).collect();
    let records = if version >= 2 { "C, T, P, FIN" } else { "C, T, FIN" };
    bail!("field `OP` is {}, expected {records} or one of {}", shown(name), known.join(", "))
}

fn call(name: &str, fields: &mut Fields, header: Header) -> Result<Call> {
    let Header { version, rank, ranks } = header;
    let (operation, opens_request) = operation(name, version)?;
    let gap_cpu_ns = fields.number("gap_cpu", 0, MAX_GAP_NS)?;
    let gap_wall_ns = fields.number("gap_wall", 0, MAX_GAP_NS)?;
    let communicator = fields.hash("comm")?;
    let peer: i64 = fields.number("peer", -2, i64::from(ranks) - 1)?;
    let mut call = Call {
        operation,
        gap_cpu_ns,
        gap_wall_ns,
        communicator,
        // -1 (any) and -2 (none): no one who is named.
        peer: u32::try_from(peer).ok(),
        bytes: fields.number("bytes", 0, MAX_BYTES)?,
        tag: fields.number("tag", i32::MIN, i32::MAX)?,
        request: fields.number("req", 0, u64::MAX)?,
        any_source: false,
        any_tag: false,
        parts: Parts::One,
    };
    ensure!(
        opens_request == (call.request != 0),
        "field `req` is `{}`, expected {} for {name}",
        call.request,
        if opens_request { "1 or more" } else { "0" }
    );
    let rootless = operation.has_root() && call.peer.is_none();
    ensure!(!rootless, "field `peer` is negative, expected the root's rank for {name}");
    if operation == Operation::Irecv {
        (call.any_source, call.any_tag) = (peer == -1, call.tag == -1);
    } else if version >= 2 {
        let found = matches!(operation, Operation::Recv | Operation::SendrecvR | Operation::Probe | Operation::Iprobe);
        if found {
            (call.any_source, call.any_tag) = asked(fields)?;
        }
        call.parts = parts(operation, call.peer == Some(rank), fields, ranks)?;
    }
    Ok(call)
}

/// Whether a receive or a probe asked for any source, and for any tag.
fn asked(fields: &mut Fields) -> Result<(bool, bool)> {
    Ok(match fields.next("asked")? {
        "-" => (false, false),
        "s" => (true, false),
        "t" => (false, true),
        "st" => (true, true),
        other => bail!("field `asked` is {}, expected `-`, `s`, `t` or `st`", shown(other)),
    })
}

fn completion(fields: &mut Fields, ranks: u32, tested: bool) -> Result<Completion> {
    Ok(Completion {
        gap_cpu_ns: fields.number("gap_cpu", 0, MAX_GAP_NS)?,
        gap_wall_ns: fields.number("gap_wall", 0, MAX_GAP_NS)?,
        request: fields.number("req", 1, u64::MAX)?,
        source: fields.rank_or_none("source", ranks)?,
        tag: fields.number("tag", i32::MIN, i32::MAX)?,
        bytes: fields.number("bytes", 0, MAX_BYTES)?,
        polls: fields.number("polls", 0, u64::MAX)?,
        tested,
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
