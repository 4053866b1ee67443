//! Messages that a rank knows of while it still computes or waits: their nodes tell their interfaces of them before they give them.

use crate::program::driven::Told;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Messages that are still to be told of, and those told of in the cycle under way.
#[derive(Default)]
pub(super) struct Foresight {
    /// The cycle in which to tell, the source, what was foreseen before it, the destination.
    due: BinaryHeap<Reverse<(u64, u32, u64, u32)>>,
    foreseen: u64,
    told: Vec<Told>,
}

impl Foresight {
    /// In this cycle a rank is to tell of a message.
    pub fn add(&mut self, cycle: u64, source: u32, destination: u32) {
        self.due.push(Reverse((cycle, source, self.foreseen, destination)));
        self.foreseen += 1;
    }

    /// The cycle in which to tell of the next one; `u64::MAX` if there is none.
    pub fn next_event(&self) -> u64 {
        self.due.peek().map_or(u64::MAX, |Reverse((cycle, ..))| *cycle)
    }

    /// Cycle `now` is under way, and what its ranks have begun: what is due is told of. What nobody has taken of an earlier cycle is forgotten.
    pub fn tell(&mut self, now: u64) {
        self.told.clear();
        while let Some(&Reverse((cycle, source, _, destination))) = self.due.peek()
            && cycle <= now
        {
            self.due.pop();
            self.told.push(Told { source, destination });
        }
    }

    /// Takes what was told of in the cycle under way.
    pub fn take(&mut self, told: &mut Vec<Told>) {
        told.append(&mut self.told);
    }
}
