//! Says what the tasks of a trace that can't go on wait for.

use super::index::{Node, VefTrace, slot};
use super::parse::Line;
use crate::replay::message::Cause;
use anyhow::{Error, Result, anyhow};
use std::collections::BTreeMap;

/// Tasks that are named; the others are counted.
const NAMED: usize = 4;

/// A task blocked in a collective.
pub struct Inside {
    pub task: u32,
    pub collective: u32,
    /// The task whose message it waits for or, if it is the sender, whose its own message is.
    pub other: u32,
    pub receives: bool,
}

/// What each task waits for that waits. `inside` are the tasks blocked in a collective; `has_begun` tells whether a
/// line has.
pub fn waits(
    trace: &VefTrace,
    inside: impl Iterator<Item = Inside>,
    mut has_begun: impl FnMut(Node) -> Result<bool>,
) -> Result<BTreeMap<u32, String>> {
    let mut waits: BTreeMap<u32, String> = inside
        .map(|Inside { task, collective, other, receives }| {
            let what = if receives {
                format!("for a message of task {other}")
            } else {
                format!("until its message to task {other} has left")
            };
            (task, format!("task {task} waits in collective G{collective} {what}"))
        })
        .collect();
    // The text is read once more; each task is named with its first line that waits.
    trace.each_record(|line, record| {
        let (task, node, start) = match record {
            Line::Message(message) => (message.source, Node::Message(message.id), message.start),
            Line::Part(part) => {
                let slot = slot(trace.tasks(), part.collective, part.task);
                (part.task, Node::Part(slot), part.start)
            }
            Line::Communicator { .. } => return Ok(()),
        };
        if waits.contains_key(&task) || has_begun(node)? {
            return Ok(());
        }
        let event = match start.cause {
            Cause::Begin => return Ok(()),
            Cause::Sent(id) => format!("until it has sent message {id}"),
            Cause::Received(id) => format!("until it has received message {id}"),
            Cause::Finished(id) => format!("until it has finished collective G{id}"),
        };
        waits.insert(task, format!("task {task} waits in line {line} {event}"));
        Ok(())
    })?;
    Ok(waits)
}

/// The error of a replay in which nothing moves any more.
pub fn stalled(
    trace: &VefTrace,
    inside: impl Iterator<Item = Inside>,
    has_begun: impl FnMut(Node) -> Result<bool>,
) -> Error {
    let waits = match waits(trace, inside, has_begun) {
        Ok(waits) => waits,
        Err(error) => return error,
    };
    let more = waits.len().saturating_sub(NAMED);
    let mut named: Vec<String> = waits.into_values().take(NAMED).collect();
    if more > 0 {
        named.push(format!("{more} more tasks wait"));
    }
    anyhow!("{}: the trace cannot finish: {}", trace.name(), named.join("; "))
}
