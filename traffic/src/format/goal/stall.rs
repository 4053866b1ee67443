//! Says what the ranks of a program that can't go on wait for.

use super::index::{Id, OperationEntry};
use super::parse::{Action, Until};
use super::program::GoalProgram;
use super::progress::Stage;
use anyhow::{Error, Result, anyhow};

/// Ranks, and operations of a circle, that are named; the others are counted.
const NAMED: usize = 4;

impl GoalProgram {
    /// Who waits for what, a line for each rank that waits.
    pub(super) fn what_ranks_wait_for(&self) -> Vec<String> {
        let name = self.trace().name();
        let ranks = 0..self.trace().ranks();
        let waits = ranks.filter_map(|rank| wait(self, rank).transpose());
        waits.map(|wait| wait.map_or_else(|error| format!("{error:#}"), |wait| format!("{name}: {wait}"))).collect()
    }

    /// The error of a replay in which nothing moves any more.
    pub(super) fn stall(&self) -> Error {
        let (mut named, mut more) = (Vec::new(), 0);
        for rank in 0..self.trace().ranks() {
            if named.len() == NAMED {
                more += u32::from(self.left(rank) > 0);
                continue;
            }
            match wait(self, rank) {
                Ok(wait) => named.extend(wait),
                Err(error) => return error,
            }
        }
        if more > 0 {
            named.push(format!("{more} more ranks wait"));
        }
        anyhow!("{}: the trace cannot finish: {}", self.trace().name(), named.join("; "))
    }
}

/// What `rank` waits for, if it has not ended.
fn wait(program: &GoalProgram, rank: u32) -> Result<Option<String>> {
    if program.left(rank) == 0 {
        return Ok(None);
    }
    let span = program.trace().spans()[rank as usize];
    for id in span.first..span.first + span.operations {
        if program.progress().borrow_mut().of(id)?.0 != Stage::Finished {
            return Ok(Some(format!("rank {rank} waits {}", reason(program, id)?)));
        }
    }
    Ok(None)
}

/// Why an operation has not finished: what the first one of those it waits for does, and that one, and so on; or the
/// circle that this leads to.
fn reason(program: &GoalProgram, first: Id) -> Result<String> {
    // Brent's algorithm: a marker that waits at the first, second, fourth .. operation is met again if there is a circle.
    let (mut id, mut marker, mut steps, mut limit) = (first, first, 0u64, 1u64);
    loop {
        let Some(next) = required(program, id)? else {
            return blocked(program, id);
        };
        id = next;
        if id == marker {
            return circle(program, id);
        }
        steps += 1;
        if steps == limit {
            (marker, steps, limit) = (id, 0, 2 * limit);
        }
    }
}

/// An operation that this one waits for.
fn required(program: &GoalProgram, id: Id) -> Result<Option<Id>> {
    if program.progress().borrow_mut().of(id)?.0 != Stage::Waiting {
        return Ok(None);
    }
    let mut chain = program.entry(id)?.first_requirement;
    while let Some(number) = chain {
        let dependency = program.dependency(number)?;
        let (stage, _) = program.progress().borrow_mut().of(dependency.required)?;
        let met = match dependency.until {
            Until::Finished => stage == Stage::Finished,
            Until::Started => stage != Stage::Waiting,
        };
        if !met {
            return Ok(Some(dependency.required));
        }
        chain = dependency.next_requirement;
    }
    Ok(None)
}

/// What an operation waits for whose dependencies are met.
fn blocked(program: &GoalProgram, id: Id) -> Result<String> {
    let entry = program.entry(id)?;
    let (stage, _) = program.progress().borrow_mut().of(id)?;
    let line = entry.line;
    Ok(match (entry.operation.action, stage) {
        (Action::Receive { from, tag, .. }, Stage::Started) => {
            let from = from.map_or("any rank".into(), |rank| format!("rank {rank}"));
            let tag = tag.map_or("any tag".into(), |tag| format!("tag {tag}"));
            format!("in line {line} for a message from {from} with {tag}")
        }
        (Action::Receive { .. }, Stage::Matched) => format!("in line {line} until its message is here"),
        (Action::Send { to, tag, .. }, Stage::Started) => {
            format!("in line {line} until rank {to} takes its message with tag {tag} and that has left")
        }
        (Action::Calculate { .. }, Stage::Started) => format!("in line {line} until it has calculated"),
        (_, _) => format!("in line {line} for cpu {}", entry.operation.cpu),
    })
}

/// The circle in which this operation waits for itself, from the one that stands first in the file on.
fn circle(program: &GoalProgram, met: Id) -> Result<String> {
    let (mut first, mut count, mut id) = (met, 1u64, met);
    while let Some(next) = required(program, id)?.filter(|&next| next != met) {
        (first, count, id) = (first.min(next), count + 1, next);
    }
    let mut text = String::new();
    let mut id = first;
    for _ in 0..count.min(NAMED as u64) {
        let entry = program.entry(id)?;
        text += &format!("{} in line {} for ", what(&entry), entry.line);
        id = required(program, id)?.unwrap_or(first);
    }
    if count > NAMED as u64 {
        text += &format!("{} more for ", count - NAMED as u64);
    }
    Ok(format!("in a circle: {text}the first again"))
}

fn what(entry: &OperationEntry) -> &'static str {
    match entry.operation.action {
        Action::Calculate { .. } => "calc",
        Action::Send { .. } => "send",
        Action::Receive { .. } => "recv",
    }
}

#[cfg(test)]
mod tests {
    use crate::format::goal::GoalTrace;
    use crate::options::{Timing, TrafficOptions};
    use crate::program::driven::Local;
    use crate::replay::open_loop::OpenLoop;
    use std::sync::Arc;

    #[test]
    fn some_ranks_are_named_and_the_others_counted() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut text = "num_ranks 7\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n".to_owned();
        for rank in 2..7 {
            text += &format!("rank {rank} {{\nr: recv 1b from -1 tag {rank}\nc: calc 1\nc requires r\n}}\n");
        }
        std::fs::write(file.path(), text).unwrap();
        let timing = Timing::new(&TrafficOptions::default()).unwrap();
        let trace = Arc::new(GoalTrace::open(file.path()).unwrap());
        let program = trace.program(timing, Local::alone(7)).unwrap();
        let messages: Vec<_> = OpenLoop::new(Box::new(program), 7, timing, Box::new(|_, _| 1)).collect();
        assert_eq!(messages.len(), 2);
        let sent = messages[0].as_ref().unwrap();
        assert_eq!((sent.source, sent.destination, sent.bytes, sent.start), (0, 1, 1, 0));
        let error = messages[1].as_ref().unwrap_err().to_string().replace(&file.path().display().to_string(), "TRACE");
        let wait = |rank, line| format!("rank {rank} waits in line {line} for a message from any rank with tag {rank}");
        let named = [wait(2, 9), wait(3, 14), wait(4, 19), wait(5, 24)].join("; ");
        assert_eq!(error, format!("TRACE: the trace cannot finish: {named}; 1 more ranks wait"));
    }
}
