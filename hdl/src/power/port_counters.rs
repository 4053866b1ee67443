//! What one port did: cycles in each phase and level, wake-ups, flits, errors.
//!
//! Parts:    a word of 32 bits in memory for each counter, and in front of it a prescaler, which counts modulo a power of two above the
//!           number of counters. The counters take turns, one a cycle (`counter_slots`): in its turn a word grows by what its prescaler
//!           has gone on since the last one. Word and prescaler are read in the cycle before.
//! Latency:  what happens in cycle t is counted from cycle t+1 on; `word` is the exact value, in the cycle before, of the counter whose
//!           turn it is.
//! Range:    32 bits, wrapping (6.9 s at 625 MHz): software takes differences. Up to 255 counters.
//! Clear:    all counters to 0; the cycle of the clear is not counted. Memory has no reset: in the round behind a clear, and behind a
//!           reset, words are replaced and not added to.
//! Order:    pairs of phase and level as the mechanism names them, wake-ups, flits, errors.
//! Reset:    0.
//! Source:   POWAR section 2.3 (U_port); docs/microarchitecture/power.md.

use super::counter_slots::slot_bits;
use crate::primitives::*;
use crate::{block, dff_setup};
use powar_config::{Residency, registers};
use rust_hdl::prelude::*;

block! {
    pub struct PortCounters("port_counters", include_str!("port_counters.rs"), clocked)
    /// For a mechanism with this residency and `errors` kinds of error.
    pub fn new(residency: &[Residency], errors: usize) -> Self {
        let counters = residency.len() + Self::OTHERS + errors;
        let slot_bits = slot_bits(counters);
    }
    inputs {
        /// Phase and level of the port.
        phase: Bits<3>,
        level: Bits<3>,
        /// The port is woken.
        waking: Bit,
        /// A flit sets out for the port.
        departing: Bit,
        /// Errors of the port.
        error[errors]: Bit,
        /// Back to 0.
        clear: Bit,
        /// The word of the counter at `fetch_slot` is read.
        fetch: Bit,
        /// The counter whose turn comes with the next cycle.
        fetch_slot[slot_bits]: Bit,
        /// The counter whose turn it is.
        write_slot[slot_bits]: Bit,
        /// What was read is older than the last clear.
        replace: Bit,
    }
    outputs {
        /// The counter whose turn it is: all its events before the cycle before.
        word: Bits<32>,
    }
    others { words: Memory<Bits<32>> = Memory::new(slot_bits) }
    registers {
        prescaler_r[counters]: Bits<8>,
        /// The prescaler of the counter whose turn it is, as it was in the cycle before.
        now_r: Bits<8>,
    }
    locals {
        /// What is counted.
        counted[counters]: Bit,
        /// `fetch_slot` as a number.
        slot: Bits<8>,
        /// The prescaler of the counter at `fetch_slot`.
        present: Bits<8>,
        /// Its word as it was at its last turn.
        stored: Bits<32>,
        /// Events since then.
        gone_on: Bits<8>,
    }
    constants {
        /// The bits of a prescaler that are used.
        prescaler_mask: Bits<8> = u64::from(registers::prescaler_mask(counters)).into(),
    }
    tables {
        /// Phase and level of each pair.
        phase_of = residency.iter().map(|pair| pair.phase as usize).collect(),
        level_of = residency.iter().map(|pair| pair.level.into()).collect(),
    }
    sizes {
        /// Pairs of phase and level.
        pairs = residency.len(),
        errors = errors,
        counters = counters,
        slot_bits = slot_bits,
    }
}

impl PortCounters {
    /// Counters behind those of phases and levels, and before those of errors: wake-ups and flits.
    const OTHERS: usize = 2;

    /// How many counters the port has.
    pub fn counters(&self) -> usize {
        self.counters.get()
    }
}

impl Logic for PortCounters {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..self.pairs.get() {
            self.counted[k].next =
                (self.phase.val() == self.phase_of[k].to_bits()) & (self.level.val() == self.level_of[k].to_bits());
        }
        self.counted[self.pairs.get()].next = self.waking.val();
        self.counted[self.pairs + 1].next = self.departing.val();
        for e in 0..self.errors.get() {
            self.counted[self.pairs + 2 + e].next = self.error[e].val();
        }
        for c in 0..self.counters.get() {
            dff_setup!(self, clk, prescaler_r[c]);
            if self.clear.val() {
                self.prescaler_r[c].d.next = 0.into();
            } else if self.counted[c].val() {
                self.prescaler_r[c].d.next = (self.prescaler_r[c].q.val() + 1) & self.prescaler_mask.val();
            }
        }
        // The counter whose turn comes next.
        self.slot.next = 0.into();
        for b in 0..self.slot_bits.get() {
            self.slot.next = self.slot.val().replace_bit(b, self.fetch_slot[b].val());
        }
        self.present.next = 0.into();
        for c in 0..self.counters.get() {
            if self.slot.val() == c.to_bits() {
                self.present.next = self.prescaler_r[c].q.val();
            }
        }
        self.now_r.d.next = self.present.val();
        if self.clear.val() {
            self.now_r.d.next = 0.into();
        }
        // The counter whose turn it is.
        self.stored.next = 0.into();
        if !self.replace.val() {
            self.stored.next = self.words.q.val();
        }
        self.gone_on.next = (self.now_r.q.val() - self.stored.val().get_bits::<8>(0)) & self.prescaler_mask.val();
        self.word.next = self.stored.val() + bit_cast::<32, 8>(self.gone_on.val());
        self.words.clk.next = self.clk.val();
        self.words.write.next = true;
        self.words.write_data.next = self.word.val();
        self.words.read.next = self.fetch.val();
        for b in 0..self.slot_bits.get() {
            self.words.write_address[b].next = self.write_slot[b].val();
            self.words.read_address[b].next = self.fetch_slot[b].val();
        }
    }
}
