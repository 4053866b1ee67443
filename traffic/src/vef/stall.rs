//! Says what the tasks of a trace that can't go on wait for.

use super::index::{Node, VefTrace, slot};
use super::parse::Line;
use crate::replay::message::Cause;
use anyhow::{Error, Result, anyhow};
use std::collections::BTreeMap;

/// Tasks that are named; the others are counted.
const NAMED: usize = 4;

/// The error of a replay in which nothing moves any more. `inside` are the tasks blocked in a
/// collective: task, collective, the task it waits for; `has_begun` tells whether a line has.
pub fn stalled(
    trace: &VefTrace,
    inside: impl Iterator<Item = (u32, u32, u32)>,
    mut has_begun: impl FnMut(Node) -> Result<bool>,
) -> Error {
    let mut waits: BTreeMap<u32, String> = inside
        .map(|(task, collective, other)| {
            (task, format!("task {task} waits in collective G{collective} for a message of task {other}"))
        })
        .collect();
    // The text is read once more; each task is named with its first line that waits.
    let read = trace.each_record(|line, record| {
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
    });
    if let Err(error) = read {
        return error;
    }
    let more = waits.len().saturating_sub(NAMED);
    let mut named: Vec<String> = waits.into_values().take(NAMED).collect();
    if more > 0 {
        named.push(format!("{more} more tasks wait"));
    }
    anyhow!("{}: the trace cannot finish: {}", trace.name(), named.join("; "))
}
