//! One line of text to one [`Line`], and back.

use crate::format::fields::{Fields, MAX_BYTES, MAX_GAP_NS, MAX_RANKS, shown};
use crate::program::call::Collective;
use crate::replay::message::Cause;
use anyhow::{Result, bail, ensure};
use std::fmt;

/// Largest number of a message or communicator.
const MAX_ID: u32 = u32::MAX - 1;
/// Most lines that collectives could have if all tasks took part in all of them; limits the number of
/// a collective, so that the index stays below what a file system can hold.
const MAX_PARTS: u64 = 1 << 36;
/// Largest sum of the payloads of all members, bytes.
const MAX_SUM: u64 = MAX_BYTES * MAX_RANKS as u64;

/// What the operations are called in a trace: their place in this list.
pub const OPERATIONS: [Collective; 8] = [
    Collective::Broadcast,
    Collective::Reduce,
    Collective::AllReduce,
    Collective::Gather,
    Collective::Scatter,
    Collective::AllGather,
    Collective::Barrier,
    Collective::AllToAll,
];

/// The first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub tasks: u32,
    pub messages: u64,
    pub communicators: u64,
    /// Collectives.
    pub collectives: u64,
    /// Lines of collectives.
    pub parts: u64,
    pub only_send: bool,
}

/// When a message or a collective begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    pub cause: Cause,
    pub delay_ns: u64,
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageLine {
    pub id: u32,
    pub source: u32,
    pub destination: u32,
    pub bytes: u64,
    pub start: Start,
}

/// One task's part of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartLine {
    pub collective: u32,
    pub communicator: u32,
    /// One of [`OPERATIONS`].
    pub operation: Collective,
    pub task: u32,
    pub send: u64,
    pub receive: u64,
    pub start: Start,
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Communicator { id: u32, members: Vec<u32> },
    Message(MessageLine),
    Part(PartLine),
}

/// Reads the first line.
pub fn parse_header(line: &str) -> Result<Header> {
    let mut fields = Fields::new(line);
    fields.literal("format", "VEF")?;
    let header = Header {
        tasks: fields.number("NumTask", 1, MAX_RANKS)?,
        messages: fields.number("NumMsg", 0, u64::from(MAX_ID) + 1)?,
        communicators: fields.number("NumCOMM", 0, u64::from(MAX_ID) + 1)?,
        collectives: fields.number("NumGlobalColl", 0, MAX_PARTS)?,
        parts: fields.number("NumLocalColl", 0, MAX_PARTS)?,
        only_send: fields.number("onlySendFlag", 0, 1)? == 1,
    };
    fields.end()?;
    Ok(header)
}

/// Reads any later line of a trace of so many tasks.
pub fn parse_line(line: &str, tasks: u32) -> Result<Line> {
    let mut fields = Fields::new(line);
    let first = fields.next("ID")?;
    Ok(if let Some(id) = first.strip_prefix('C') {
        let id = number("ID", id, first, MAX_ID)?;
        Line::Communicator { id, members: members(&mut fields, tasks)? }
    } else if let Some(id) = first.strip_prefix('G') {
        let id = number("ID", id, first, last_collective(tasks))?;
        Line::Part(part(id, &mut fields, tasks)?)
    } else {
        let id = number("ID", first, first, MAX_ID)?;
        Line::Message(message(id, &mut fields, tasks)?)
    })
}

/// Largest number of a collective in a trace of so many tasks.
fn last_collective(tasks: u32) -> u32 {
    u64::from(MAX_ID).min(MAX_PARTS / u64::from(tasks) - 1) as u32
}

/// A number that stands in `text`, the field or what is behind its first letter.
fn number(field: &str, text: &str, whole: &str, high: u32) -> Result<u32> {
    match text.parse() {
        Ok(id) if id <= high => Ok(id),
        _ => {
            let letter = whole.strip_suffix(text).unwrap_or_default();
            bail!("field `{field}` is {}, expected {letter}0 to {letter}{high}", shown(whole))
        }
    }
}

fn members(fields: &mut Fields, tasks: u32) -> Result<Vec<u32>> {
    let mut members = Vec::new();
    let mut seen = vec![false; tasks as usize];
    while members.is_empty() || !fields.is_empty() {
        let member: u32 = fields.number("task", 0, tasks - 1)?;
        ensure!(
            !std::mem::replace(&mut seen[member as usize], true),
            "field `task` is `{member}` a second time, expected different tasks"
        );
        members.push(member);
    }
    Ok(members)
}

fn message(id: u32, fields: &mut Fields, tasks: u32) -> Result<MessageLine> {
    let message = MessageLine {
        id,
        source: fields.number("src", 0, tasks - 1)?,
        destination: fields.number("dst", 0, tasks - 1)?,
        bytes: fields.number("bytes", 0, MAX_BYTES)?,
        start: start(fields, tasks)?,
    };
    fields.end()?;
    Ok(message)
}

fn part(collective: u32, fields: &mut Fields, tasks: u32) -> Result<PartLine> {
    let communicator = fields.number("commID", 0, MAX_ID)?;
    let operation = OPERATIONS[fields.number("OP", 0, OPERATIONS.len() - 1)?];
    let task = fields.number("task", 0, tasks - 1)?;
    let is_sum = |operations: &[Collective]| if operations.contains(&operation) { MAX_SUM } else { MAX_BYTES };
    let send = fields.number("send_size", 0, is_sum(&[Collective::Scatter, Collective::AllToAll]))?;
    let receive = fields.number("recv_size", 0, is_sum(&[Collective::Gather, Collective::AllGather]))?;
    let wrong = |expected: &str| format!("field `recv_size` is `{receive}`, expected {expected} for {operation:?}");
    match operation {
        Collective::Broadcast | Collective::Reduce => {
            ensure!(send == 0 || receive == 0, wrong("0 beside a send_size above 0"));
        }
        Collective::AllReduce => ensure!(send == receive, wrong(&format!("{send} like send_size"))),
        Collective::Barrier => {
            ensure!(send == 0, "field `send_size` is `{send}`, expected 0 for Barrier");
            ensure!(receive == 0, wrong("0"));
        }
        Collective::AllToAll => {
            ensure!(receive <= 1, wrong("0 (send_size to each member) or 1 (send_size split between them)"));
            let limit = if receive == 0 { MAX_BYTES } else { MAX_SUM };
            ensure!(send <= limit, "field `send_size` is `{send}`, expected an integer from 0 to {limit}");
        }
        _ => {}
    }
    let part = PartLine { collective, communicator, operation, task, send, receive, start: start(fields, tasks)? };
    fields.end()?;
    Ok(part)
}

fn start(fields: &mut Fields, tasks: u32) -> Result<Start> {
    let dependency: u32 = fields.number("Dep", 0, 3)?;
    let delay_ns = fields.number("time", 0, MAX_GAP_NS)?;
    let on = fields.next("IDdep")?;
    let cause = match dependency {
        0 => {
            ensure!(on == "-1", "field `IDdep` is {}, expected -1 for Dep 0", shown(on));
            Cause::Begin
        }
        1 => Cause::Sent(number("IDdep", on, on, MAX_ID)?),
        2 => Cause::Received(number("IDdep", on, on, MAX_ID)?),
        _ => {
            let id = on.strip_prefix('G').unwrap_or(on);
            Cause::Finished(number("IDdep", id, on, last_collective(tasks))?)
        }
    };
    Ok(Start { cause, delay_ns })
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Header { tasks, messages, communicators, collectives, parts, only_send } = *self;
        let only_send = u8::from(only_send);
        write!(f, "VEF {tasks} {messages} {communicators} {collectives} {parts} {only_send}")
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let delay = self.delay_ns;
        match self.cause {
            Cause::Begin => write!(f, "0 {delay} -1"),
            Cause::Sent(id) => write!(f, "1 {delay} {id}"),
            Cause::Received(id) => write!(f, "2 {delay} {id}"),
            Cause::Finished(id) => write!(f, "3 {delay} {id}"),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Line::Communicator { id, members } => {
                write!(f, "C{id}")?;
                members.iter().try_for_each(|member| write!(f, " {member}"))
            }
            Line::Message(MessageLine { id, source, destination, bytes, start }) => {
                write!(f, "{id} {source} {destination} {bytes} {start}")
            }
            Line::Part(PartLine { collective, communicator, operation, task, send, receive, start }) => {
                let code = OPERATIONS.iter().position(|known| known == operation).ok_or(fmt::Error)?;
                write!(f, "G{collective} {communicator} {code} {task} {send} {receive} {start}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_as_they_are_read() {
        let lines =
            ["C3 2 0 1", "7 1 2 4096 0 15 -1", "8 2 2 0 2 0 7", "G9 3 7 0 12 1 1 5 8", "G0 0 4 1 64 16 3 1000 2"];
        for line in lines {
            assert_eq!(parse_line(line, 4).unwrap().to_string(), line);
        }
        let header = "VEF 4 2 2 2 2 1";
        assert_eq!(parse_header(header).unwrap().to_string(), header);
        // The collective may be named with its letter.
        assert_eq!(parse_line("1 0 1 8 3 5 G2", 2).unwrap().to_string(), "1 0 1 8 3 5 2");
    }
}
