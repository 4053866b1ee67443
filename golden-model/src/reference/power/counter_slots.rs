//! `counter_slots`: whose turn it is among the counters of a port, the same at all ports.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{choice, flag, slot};

/// The slots; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterSlots {
    counters: usize,
    /// The counter whose word is fetched.
    pub fetch_slot: usize,
    /// The counter whose turn it is: as a number, and one-hot.
    pub write_slot: usize,
    pub turn: u64,
    /// What was fetched of it is older than the last clear.
    pub replace: bool,
    /// The first round behind a clear or a reset.
    pub fresh: bool,
}

impl CounterSlots {
    /// Of so many counters, 2..=64, after reset.
    pub fn new(counters: usize) -> Self {
        CounterSlots { counters, fetch_slot: 0, write_slot: 0, turn: 1, replace: true, fresh: true }
    }

    /// A word is fetched in this cycle.
    pub fn fetch(&self) -> bool {
        !self.fresh
    }

    /// How many counters, from the first on, have a word in memory that is not older than the last clear. Those of the others are 0.
    pub fn stored(&self) -> usize {
        match (self.fresh, self.replace) {
            // The one fetched in the cycle before has its turn now, and is stored with the edge.
            (true, _) => self.fetch_slot.saturating_sub(1),
            (false, true) => self.counters - 1,
            (false, false) => self.counters,
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = CounterSlots::new(self.counters);
    }

    /// The clock edge.
    pub fn clock(&mut self, clear: bool) {
        let is_last = self.fetch_slot == self.counters - 1;
        (self.write_slot, self.turn) = (self.fetch_slot, 1 << self.fetch_slot);
        self.replace = clear || self.fresh;
        self.fresh = clear || (self.fresh && !is_last);
        self.fetch_slot = if clear || is_last { 0 } else { self.fetch_slot + 1 };
    }
}

/// Bits of the number of a slot.
pub(super) fn slot_bits(counters: usize) -> usize {
    (usize::BITS - (counters - 1).leading_zeros()) as usize
}

impl Registers for CounterSlots {
    fn list(&self, rows: &mut RegisterRows) {
        let bits = slot_bits(self.counters);
        rows.one(slot("fetch_slot", bits), self.fetch_slot as u64);
        rows.one(slot("write_slot", bits), self.write_slot as u64);
        rows.one(choice("turn", self.counters), self.turn);
        rows.one(flag("replace"), self.replace);
        rows.one(flag("fresh"), self.fresh);
    }
}

inputs! {
    /// What the slots see in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct SlotsInputs {
        pub clear: bool = flag("clear").habit(Habit::Rare),
    }
}

impl Block for CounterSlots {
    type Inputs<'a> = SlotsInputs;

    fn outputs(&self, _: &SlotsInputs, rows: &mut RegisterRows) {
        let bits = slot_bits(self.counters);
        rows.one(flag("fetch"), self.fetch());
        rows.one(slot("fetch_slot", bits), self.fetch_slot as u64);
        rows.one(slot("write_slot", bits), self.write_slot as u64);
        rows.one(choice("turn", self.counters), self.turn);
        rows.one(flag("replace"), self.replace);
    }

    fn edge(&mut self, rst: bool, seen: &SlotsInputs) {
        if rst { self.reset() } else { self.clock(seen.clear) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps, and what was fetched and whose turn it was, `None` for a fetch that is left out.
    fn seen(slots: &mut CounterSlots, clear: bool) -> (Option<usize>, usize, bool) {
        let seen = (slots.fetch().then_some(slots.fetch_slot), slots.write_slot, slots.replace);
        assert_eq!(slots.turn, 1 << slots.write_slot);
        slots.clock(clear);
        seen
    }

    #[test]
    fn the_first_round_replaces_and_then_every_counter_is_fetched_before_its_turn() {
        let mut slots = CounterSlots::new(3);
        let rounds: Vec<_> = (0..8).map(|_| seen(&mut slots, false)).collect();
        let first = [(None, 0, true), (None, 0, true), (None, 1, true), (Some(0), 2, true)];
        let then = [(Some(1), 0, false), (Some(2), 1, false), (Some(0), 2, false), (Some(1), 0, false)];
        assert_eq!(rounds, [first, then].concat());
    }

    #[test]
    fn a_clear_begins_a_round_and_words_fetched_before_it_are_replaced() {
        let mut slots = CounterSlots::new(3);
        (0..5).for_each(|_| slots.clock(false));
        assert_eq!(seen(&mut slots, true), (Some(2), 1, false));
        let rounds: Vec<_> = (0..5).map(|_| seen(&mut slots, false)).collect();
        assert_eq!(
            rounds,
            [(None, 2, true), (None, 0, true), (None, 1, true), (Some(0), 2, true), (Some(1), 0, false)]
        );
        slots.reset();
        assert_eq!(slots, CounterSlots::new(3));
    }

    #[test]
    fn what_is_stored_is_what_had_its_turn_since_the_clear() {
        let mut slots = CounterSlots::new(3);
        let stored: Vec<usize> = (0..6)
            .map(|_| {
                let stored = slots.stored();
                slots.clock(false);
                stored
            })
            .collect();
        assert_eq!(stored, [0, 0, 1, 2, 3, 3]);
    }

    #[test]
    fn numbers_have_the_bits_of_the_last_slot() {
        assert_eq!([2, 3, 4, 5, 8, 9, 12, 16, 17].map(slot_bits), [1, 2, 2, 3, 3, 4, 4, 4, 5]);
    }
}
