//! What can go on, by cycle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ranks and collectives beside them that can do a step, by cycle, then by number.
///
/// Cycle and number are one word each, the number in the low 32 bits: this is compared for every step of every rank.
pub(crate) struct Ready(BinaryHeap<Reverse<u128>>);

impl Ready {
    /// All ranks, in cycle 0.
    pub fn of(ranks: u32) -> Ready {
        Ready((0..ranks).map(|rank| Reverse(u128::from(rank))).collect())
    }

    pub fn push(&mut self, cycle: u64, number: u32) {
        self.0.push(Reverse(u128::from(cycle) << 32 | u128::from(number)));
    }

    /// The first cycle; `u64::MAX` if there is none.
    pub fn next_event(&self) -> u64 {
        self.0.peek().map_or(u64::MAX, |Reverse(key)| (key >> 32) as u64)
    }

    /// Takes the first one if its cycle is not behind `now`.
    pub fn due(&mut self, now: u64) -> Option<u32> {
        if self.next_event() > now {
            return None;
        }
        self.0.pop().map(|Reverse(key)| key as u32)
    }
}
