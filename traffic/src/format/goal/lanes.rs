//! The processors of the ranks: what they do, one after the other, and what waits for them.

use super::index::Id;
use crate::hash::FastMap;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A processor: rank and number.
pub(super) type Lane = (u32, u8);

/// What an operation wants of its processor. What was ready first comes first; then what stands first in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Job {
    /// The cycle from which on it could run.
    pub ready: u64,
    pub operation: Id,
    /// How long it takes.
    pub cycles: u64,
}

/// All processors that have something to do.
#[derive(Default)]
pub(super) struct Lanes {
    lanes: FastMap<Lane, Jobs>,
    /// Free ones for which something waits.
    startable: BTreeSet<Lane>,
}

#[derive(Default)]
struct Jobs {
    busy: bool,
    waiting: BinaryHeap<Reverse<Job>>,
}

impl Lanes {
    /// A job waits for its processor.
    pub fn wait(&mut self, lane: Lane, job: Job) {
        let jobs = self.lanes.entry(lane).or_default();
        jobs.waiting.push(Reverse(job));
        if !jobs.busy {
            self.startable.insert(lane);
        }
    }

    /// The next job that can start: its processor is busy from now on.
    pub fn start(&mut self) -> Option<(Lane, Job)> {
        let lane = self.startable.pop_first()?;
        let jobs = self.lanes.get_mut(&lane)?;
        let Reverse(job) = jobs.waiting.pop()?;
        jobs.busy = true;
        Some((lane, job))
    }

    /// A processor is free again.
    pub fn free(&mut self, lane: Lane) {
        let Some(jobs) = self.lanes.get_mut(&lane) else { return };
        jobs.busy = false;
        if jobs.waiting.is_empty() {
            self.lanes.remove(&lane);
        } else {
            self.startable.insert(lane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_ready_first_runs_first_and_then_what_stands_first() {
        let mut lanes = Lanes::default();
        let job = |ready, operation| Job { ready, operation, cycles: 1 };
        lanes.wait((0, 1), job(0, 1));
        assert_eq!(lanes.start(), Some(((0, 1), job(0, 1))));
        for (ready, operation) in [(4, 2), (3, 9), (3, 8)] {
            lanes.wait((0, 1), job(ready, operation));
        }
        lanes.wait((0, 0), job(7, 7));
        assert_eq!(lanes.start(), Some(((0, 0), job(7, 7))));
        assert_eq!(lanes.start(), None);
        for expected in [job(3, 8), job(3, 9), job(4, 2)] {
            lanes.free((0, 1));
            assert_eq!(lanes.start(), Some(((0, 1), expected)));
        }
        lanes.free((0, 0));
        lanes.free((0, 1));
        assert!(lanes.lanes.is_empty() && lanes.startable.is_empty());
    }
}
