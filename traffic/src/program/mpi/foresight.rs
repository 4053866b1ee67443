//! Messages that a rank knows of while it still computes: their nodes tell their interfaces `lead` before they give them.

use super::program::MpiProgram;
use super::rank::Activity;
use super::step::Step;
use crate::program::driven::Told;
use anyhow::Result;
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
    fn add(&mut self, cycle: u64, source: u32, destination: u32) {
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

impl MpiProgram {
    /// An activity computes from cycle `begun` up to its clock. If that is behind `begun`, the messages are told of that it gives then, before it
    /// waits for anything or computes again.
    pub(super) fn foresee(&mut self, index: u32, begun: u64) -> Result<()> {
        let Activity { rank, clock, .. } = self.activities[index as usize];
        if self.timing.lead_cycles == 0 || clock == begun {
            return Ok(());
        }
        let mut given = clock;
        for place in 0.. {
            if place == self.activities[index as usize].ahead.len() {
                let Some(step) = self.read_step(index)? else { break };
                self.activities[index as usize].ahead.push_back((step, false));
            }
            let (step, foretold) = &mut self.activities[index as usize].ahead[place];
            match step {
                Step::Send { to, bytes, .. } => {
                    given = given.saturating_add(self.timing.send_cycles(*bytes));
                    *foretold = (*to as usize) < self.ranks.len() && !self.local.covers(rank, *to);
                    if *foretold {
                        let cycle = given.saturating_sub(self.timing.lead_cycles).max(begun);
                        self.foresight.add(cycle, rank, *to);
                    }
                }
                Step::Compute(compute) if self.timing.compute_cycles(*compute) != Some(0) => break,
                Step::Reduce(bytes) if self.timing.reduce_cycles(*bytes) != 0 => break,
                Step::Wait(_) | Step::Poll(_) | Step::Probe(_) | Step::Settle => break,
                _ => {}
            }
        }
        Ok(())
    }
}
