//! Whose turn it is among the counters of a port: one a cycle, the same at all ports.
//!
//! Use:      counter `fetch_slot` is read from memory while `fetch` is 1, and has its `turn` in the next cycle, in which it is written
//!           to `write_slot`.
//! Latency:  a clear of cycle t begins a new round in t+1.
//! Clear:    in the round that it begins no word is read, and counters whose turn comes are told to `replace` theirs: memory has no reset.
//! Range:    2 to 255 counters.
//! Reset:    as a clear.
//! Source:   docs/microarchitecture/power.md.

use crate::block;
use crate::primitives::first_of;
use rust_hdl::prelude::*;

block! {
    pub struct CounterSlots("counter_slots", include_str!("counter_slots.rs"), clocked)
    /// For so many counters, 2..=255.
    pub fn new(counters: usize) -> Self {
        let slot_bits = slot_bits(counters);
    }
    inputs {
        /// The counters are cleared.
        clear: Bit,
    }
    outputs {
        /// The counter at `fetch_slot` is read.
        fetch: Bit,
        fetch_slot[slot_bits]: Bit,
        /// The counter whose turn it is, as a number.
        write_slot[slot_bits]: Bit,
        /// The same, one-hot.
        turn[counters]: Bit,
        /// What was read of it is older than the last clear.
        replace: Bit,
    }
    registers {
        fetch_slot_r = vec![false; slot_bits],
        write_slot_r = vec![false; slot_bits],
        turn_r = first_of(counters),
        replace_r: Bit = true,
        /// The first round behind a clear.
        fresh_r: Bit = true,
    }
    locals {
        /// `fetch_slot` as a number.
        slot: Bits<8>,
        /// It is that of the last counter.
        is_last: Bit,
        /// The bits of the number below this one are all 1.
        carry[slot_bits + 1]: Bit,
    }
    constants { last: Bits<8> = (counters as u64 - 1).into() }
    sizes { counters = counters, slot_bits = slot_bits }
}

/// Bits of a slot number.
pub(super) fn slot_bits(counters: usize) -> usize {
    (counters - 1).ilog2() as usize + 1
}

impl Logic for CounterSlots {
    #[hdl_gen]
    fn update(&mut self) {
        self.slot.next = 0.into();
        for b in 0..self.slot_bits.get() {
            self.slot.next = self.slot.val().replace_bit(b, self.fetch_slot_r.q[b].val());
        }
        self.is_last.next = self.slot.val() == self.last.val();
        // The next number: this one and 1, or 0 behind the last.
        self.carry[0].next = true;
        for b in 0..self.slot_bits.get() {
            self.carry[b + 1].next = self.carry[b].val() & self.fetch_slot_r.q[b].val();
        }
        for b in 0..self.slot_bits.get() {
            self.fetch_slot_r.d[b].next =
                (self.fetch_slot_r.q[b].val() ^ self.carry[b].val()) & !(self.clear.val() | self.is_last.val());
            self.write_slot_r.d[b].next = self.fetch_slot_r.q[b].val();
            self.fetch_slot[b].next = self.fetch_slot_r.q[b].val();
            self.write_slot[b].next = self.write_slot_r.q[b].val();
        }
        for c in 0..self.counters.get() {
            self.turn_r.d[c].next = self.slot.val() == c.to_bits();
            self.turn[c].next = self.turn_r.q[c].val();
        }
        self.fresh_r.d.next = self.clear.val() | (self.fresh_r.q.val() & !self.is_last.val());
        self.replace_r.d.next = self.clear.val() | self.fresh_r.q.val();
        self.fetch.next = !self.fresh_r.q.val();
        self.replace.next = self.replace_r.q.val();
    }
}
