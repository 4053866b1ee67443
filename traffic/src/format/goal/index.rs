//! What the temporary files hold of a trace: an entry for each operation and one for each dependency.

use super::parse::{Action, Operation, Until};
use crate::format::paged::PagedFile;
use anyhow::Result;

/// Most operations of a trace.
pub(super) const MAX_OPERATIONS: u32 = 1 << 31;
/// Most dependencies of a trace.
pub(super) const MAX_DEPENDENCIES: u32 = u32::MAX - 1;

/// An operation by its number in the order of the file.
pub(super) type Id = u32;

/// Number of a dependency; as the head or the link of a chain, `None` ends it.
type Link = Option<u32>;

/// What the index holds of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OperationEntry {
    pub line: u64,
    pub rank: u32,
    pub operation: Operation,
    /// How many dependencies it waits for.
    pub requirements: u32,
    /// First of the dependencies it waits for.
    pub first_requirement: Link,
    /// First of the dependencies that wait until it has finished.
    pub after_finishing: Link,
    /// First of the dependencies that wait until it has started.
    pub after_starting: Link,
}

/// What the index holds of a dependency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DependencyEntry {
    pub dependent: Id,
    pub required: Id,
    pub until: Until,
    /// The next one that waits for the same.
    pub next_dependent: Link,
    /// The next one of the same dependent.
    pub next_requirement: Link,
}

/// The kinds of actions, as the index has them.
const CALCULATE: u64 = 0;
const SEND: u64 = 1;
const RECEIVE: u64 = 2;
const KIND: u64 = 3;
const ANY_SOURCE: u64 = 1 << 16;
const ANY_TAG: u64 = 1 << 17;
const STARTED: u64 = 1 << 31;

fn pack(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

fn unpack(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

/// A link as a number; what was never written is none.
fn code(link: Link) -> u32 {
    link.map_or(0, |number| number + 1)
}

fn link(code: u32) -> Link {
    code.checked_sub(1)
}

impl OperationEntry {
    pub fn new(line: u64, rank: u32, operation: Operation) -> OperationEntry {
        OperationEntry {
            line,
            rank,
            operation,
            requirements: 0,
            first_requirement: None,
            after_finishing: None,
            after_starting: None,
        }
    }

    pub fn read(file: &mut PagedFile, id: Id) -> Result<OperationEntry> {
        let [line, what, amount, ends, chains, heads, _, _]: [u64; 8] = file.read(u64::from(id))?;
        let (peer, tag) = unpack(ends);
        let action = match what & KIND {
            CALCULATE => Action::Calculate { nanoseconds: amount },
            SEND => Action::Send { to: peer, bytes: amount, tag },
            _ => Action::Receive {
                from: (what & ANY_SOURCE == 0).then_some(peer),
                bytes: amount,
                tag: (what & ANY_TAG == 0).then_some(tag),
            },
        };
        let ((requirements, first), (after_finishing, after_starting)) = (unpack(chains), unpack(heads));
        Ok(OperationEntry {
            line,
            rank: (what >> 32) as u32,
            operation: Operation { action, cpu: (what >> 8) as u8 },
            requirements,
            first_requirement: link(first),
            after_finishing: link(after_finishing),
            after_starting: link(after_starting),
        })
    }

    pub fn write(&self, file: &mut PagedFile, id: Id) -> Result<()> {
        let (kind, amount, ends) = match self.operation.action {
            Action::Calculate { nanoseconds } => (CALCULATE, nanoseconds, 0),
            Action::Send { to, bytes, tag } => (SEND, bytes, pack(to, tag)),
            Action::Receive { from, bytes, tag } => {
                let any_source = if from.is_none() { ANY_SOURCE } else { 0 };
                let any_tag = if tag.is_none() { ANY_TAG } else { 0 };
                (RECEIVE | any_source | any_tag, bytes, pack(from.unwrap_or(0), tag.unwrap_or(0)))
            }
        };
        let what = kind | u64::from(self.operation.cpu) << 8 | u64::from(self.rank) << 32;
        let chains = pack(self.requirements, code(self.first_requirement));
        let heads = pack(code(self.after_finishing), code(self.after_starting));
        file.write(u64::from(id), &[self.line, what, amount, ends, chains, heads, 0, 0])
    }
}

impl DependencyEntry {
    pub fn read(file: &mut PagedFile, number: u32) -> Result<DependencyEntry> {
        let [ends, links]: [u64; 2] = file.read(u64::from(number))?;
        let ((dependent, required), (next_dependent, next_requirement)) = (unpack(ends), unpack(links));
        let started = u64::from(dependent) & STARTED != 0;
        Ok(DependencyEntry {
            dependent: dependent & !(STARTED as u32),
            required,
            until: if started { Until::Started } else { Until::Finished },
            next_dependent: link(next_dependent),
            next_requirement: link(next_requirement),
        })
    }

    pub fn write(&self, file: &mut PagedFile, number: u32) -> Result<()> {
        let started = if self.until == Until::Started { STARTED } else { 0 };
        let ends = pack(self.dependent, self.required) | started;
        let links = pack(code(self.next_dependent), code(self.next_requirement));
        file.write(u64::from(number), &[ends, links])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let mut file = PagedFile::temporary().unwrap();
        let actions = [
            Action::Calculate { nanoseconds: 1 << 49 },
            Action::Send { to: 65_535, bytes: 1 << 32, tag: u32::MAX - 1 },
            Action::Receive { from: Some(7), bytes: 3, tag: None },
            Action::Receive { from: None, bytes: 0, tag: Some(9) },
        ];
        let entry = |id: usize| OperationEntry {
            line: u64::MAX,
            rank: 65_535,
            operation: Operation { action: actions[id], cpu: 255 },
            requirements: u32::MAX,
            first_requirement: Some(MAX_DEPENDENCIES - 1),
            after_finishing: None,
            after_starting: Some(0),
        };
        for id in 0..actions.len() {
            entry(id).write(&mut file, id as u32).unwrap();
        }
        for id in 0..actions.len() {
            assert_eq!(OperationEntry::read(&mut file, id as u32).unwrap(), entry(id));
        }
        let mut file = PagedFile::temporary().unwrap();
        for until in [Until::Finished, Until::Started] {
            let entry = DependencyEntry {
                dependent: MAX_OPERATIONS - 1,
                required: MAX_OPERATIONS - 1,
                until,
                next_dependent: Some(MAX_DEPENDENCIES - 1),
                next_requirement: None,
            };
            entry.write(&mut file, 5).unwrap();
            assert_eq!(DependencyEntry::read(&mut file, 5).unwrap(), entry);
        }
    }
}
