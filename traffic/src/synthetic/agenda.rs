//! Who is due when: a timing wheel over numbered parties, each of which is due at most once.
//!
//! Events less than [`SPAN`] cycles ahead are in lists, one a cycle, found by a bitmap of two levels: the same few steps however many
//! parties there are. Those further ahead are in a heap and stay there, which where they are many, with next to no traffic, is
//! cheaper than to move them into the wheel as time comes near.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles that the wheel spans.
pub const SPAN: u64 = 1024;
const WORDS: usize = SPAN as usize / 64;
const NOBODY: u32 = u32::MAX;

/// The parties 0..n, and the cycle in which each is due.
#[derive(Debug)]
pub struct Agenda {
    /// No event is before this cycle, and those in the wheel are less than [`SPAN`] after it.
    base: u64,
    /// Cycle of the first event; `u64::MAX` if there is none.
    first: u64,
    /// Cycle of the first event in the wheel.
    near: u64,
    /// By cycle modulo [`SPAN`]: the first of the parties due.
    heads: Vec<u32>,
    /// By party: who else is due in the same cycle.
    others: Vec<u32>,
    /// Cycles modulo [`SPAN`] with somebody due.
    occupied: [u64; WORDS],
    /// Words of `occupied` that aren't 0.
    words: u64,
    far: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Agenda {
    /// Nobody of 0..`parties` is due.
    pub fn new(parties: usize) -> Agenda {
        Agenda {
            base: 0,
            first: u64::MAX,
            near: u64::MAX,
            heads: vec![NOBODY; SPAN as usize],
            others: vec![NOBODY; parties],
            occupied: [0; WORDS],
            words: 0,
            far: BinaryHeap::new(),
        }
    }

    /// The first cycle in which anybody is due; `u64::MAX`: nobody is.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// This party, which is not due yet, is due in `cycle`, or as soon as possible if that is over; `u64::MAX`: never.
    pub fn insert(&mut self, cycle: u64, party: u32) {
        if cycle == u64::MAX {
            return;
        }
        let cycle = cycle.max(self.base);
        self.first = self.first.min(cycle);
        if cycle - self.base < SPAN {
            self.near = self.near.min(cycle);
            let place = (cycle % SPAN) as usize;
            self.others[party as usize] = self.heads[place];
            self.heads[place] = party;
            self.occupied[place / 64] |= 1 << (place % 64);
            self.words |= 1 << (place / 64);
        } else {
            self.far.push(Reverse((cycle, party)));
        }
    }

    /// Takes one of those due in `now` or before, in the order of their cycles. After `None`, time has come to `now`.
    pub fn pop(&mut self, now: u64) -> Option<u32> {
        if self.first > now {
            self.base = self.base.max(now);
            return None;
        }
        self.base = self.first;
        let party = if self.near == self.first { self.take_near() } else { self.far.pop()?.0.1 };
        self.first = self.far.peek().map_or(self.near, |&Reverse((far, _))| self.near.min(far));
        Some(party)
    }

    /// Takes one of the first in the wheel, which has some.
    fn take_near(&mut self) -> u32 {
        let place = (self.near % SPAN) as usize;
        let party = self.heads[place];
        let other = self.others[party as usize];
        self.heads[place] = other;
        if other == NOBODY {
            self.occupied[place / 64] &= !(1 << (place % 64));
            if self.occupied[place / 64] == 0 {
                self.words &= !(1 << (place / 64));
            }
            self.near = self.find();
        }
        party
    }

    /// The first event in the wheel.
    fn find(&self) -> u64 {
        if self.words == 0 {
            return u64::MAX;
        }
        let start = (self.base % SPAN) as usize;
        let (word, bit) = (start / 64, start % 64);
        let later = self.occupied[word] & (u64::MAX << bit);
        let place = if later != 0 {
            word * 64 + later.trailing_zeros() as usize
        } else {
            // Words after this one; else, once round, from the beginning, this word's lower bits last.
            let after = self.words & (u64::MAX << word << 1);
            let word = (if after != 0 { after } else { self.words }).trailing_zeros() as usize;
            word * 64 + self.occupied[word].trailing_zeros() as usize
        };
        self.base + (place as u64).wrapping_sub(self.base) % SPAN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::random::Random;
    use std::collections::BTreeSet;

    /// Against an ordered set, with gaps from 0 to far beyond the wheel and with time that jumps.
    #[test]
    fn equals_an_ordered_set() {
        for spread in [1, 3, 60, 1023, 1024, 1025, 5000, 1 << 40] {
            let mut random = Random::new(7, spread);
            let mut agenda = Agenda::new(50);
            let mut set = BTreeSet::new();
            let mut idle: Vec<u32> = (0..50).collect();
            let mut now = 0;
            let gap = |random: &mut Random| (random.unit() * random.unit() * spread as f64 * 2.0) as u64;
            for _ in 0..20_000 {
                while !idle.is_empty() && random.chance(0.7) {
                    let party = idle.swap_remove(random.below(idle.len() as u32) as usize);
                    let cycle = (now + gap(&mut random)).saturating_sub(u64::from(random.below(3)));
                    agenda.insert(cycle, party);
                    set.insert((cycle.max(now), party));
                }
                assert_eq!(agenda.first(), set.first().map_or(u64::MAX, |&(cycle, _)| cycle));
                now = if random.chance(0.5) && agenda.first() != u64::MAX {
                    agenda.first()
                } else {
                    now + gap(&mut random)
                };
                let mut last = 0;
                while let Some(party) = agenda.pop(now) {
                    let &(cycle, _) = set.iter().find(|(_, p)| *p == party).unwrap();
                    assert!(last <= cycle && cycle <= now);
                    last = cycle;
                    set.remove(&(cycle, party));
                    idle.push(party);
                }
                assert!(set.first().is_none_or(|&(cycle, _)| cycle > now), "spread {spread}");
            }
        }
    }
}
