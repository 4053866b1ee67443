//! The half of a `link_crossing` that has the sender's clock: it puts flits into the queue and gives credits back.
//!
//! Flits:    each takes an entry of the queue, with the phase and hint of its cycle. A phase or hint that has changed without a flit takes
//!           an entry of its own once the queue is seen to be empty.
//! Credits:  the receiver counts them, a counter for each virtual channel; as long as one is ahead of what has been given, its virtual
//!           channel gives one, in turn with the others.
//! Latency:  an entry is stored at the end of the cycle in which it is on the link; a credit is on the link three edges after it is counted.
//! Range:    1 to 8 virtual channels of 1 to 4096 flits, 8 to 2048 entries.
//! Errors:   a flit for which the queue is seen to be full is lost: `overflow_error`, until the reset.
//! Reset:    the queue empty, no credits given; `On` was told last.
//! Source:   docs/microarchitecture/crossing.md.

use super::{CrossingSizes, GrayCounter, Synchroniser};
use crate::arbiters::RoundRobinArbiter;
use crate::block;
use crate::primitives::*;
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

block! {
    pub struct CrossingSender("crossing_sender", include_str!("crossing_sender.rs"), clocked)
    /// For a checked configuration.
    pub fn new(config: &SwitchConfig) -> Self {
        let CrossingSizes { vcs, place_bits, pointer_bits, credit_bits } = CrossingSizes::new(config);
    }
    inputs {
        /// From the sender: a flit, whether it is a head flit, and its virtual channel; phase and hint.
        in_valid: Bit,
        in_head: Bit,
        in_vc: Bits<3>,
        in_phase: Bits<3>,
        in_hint: Bit,
        /// Of the receiver's clock: entries read, in Gray code.
        read_gray[pointer_bits]: Bit,
        /// Likewise: credits that have come back, a Gray code for each virtual channel.
        credit_gray[vcs * credit_bits] / credit_bits: Bit,
    }
    outputs {
        /// An entry is stored, in this place.
        store: Bit,
        place[place_bits]: Bit,
        /// The entry but for the words of the flit: 8 it has a flit, 7 hint, 6:4 phase, 3:1 virtual channel, 0 head.
        entry: Bits<9>,
        /// Entries stored, in Gray code.
        written_gray[pointer_bits]: Bit,
        /// To the sender: a credit, and its virtual channel.
        in_credit_valid: Bit,
        in_credit_vc: Bits<3>,
        /// A flit has been lost.
        overflow_error: Bit,
    }
    registers {
        /// Phase and hint of the entry stored last.
        told_phase_r: Bits<3>,
        told_hint_r: Bit,
        /// Round robin among virtual channels, one-hot.
        pointer_r = first_of(vcs),
        in_credit_valid_r: Bit,
        in_credit_vc_r: Bits<3>,
        overflow_error_r: Bit,
    }
    children {
        /// Entries stored, and entries read as far as they are seen.
        written: GrayCounter = GrayCounter::new(pointer_bits),
        read: Synchroniser = Synchroniser::new(pointer_bits),
        /// Of each virtual channel: credits that have come back as far as they are seen, and credits given to the sender.
        returned[vcs]: Synchroniser = Synchroniser::new(credit_bits),
        given[vcs]: GrayCounter = GrayCounter::new(credit_bits),
        turn: RoundRobinArbiter = RoundRobinArbiter::new(vcs),
    }
    locals {
        /// Bits in which the entries stored and those read differ, in Gray code.
        apart[pointer_bits]: Bit,
        empty: Bit,
        full: Bit,
        changed: Bit,
        stores: Bit,
        base: Bits<9>,
        /// The virtual channel has a credit to give.
        pending[vcs]: Bit,
        any_credit: Bit,
        credit_vc: Bits<3>,
    }
    sizes {
        vcs = vcs,
        /// Bits of the place of an entry, and of a number of entries.
        place_bits = place_bits,
        pointer_bits = pointer_bits,
        /// Bits of a number of credits.
        credit_bits = credit_bits,
    }
}

impl Logic for CrossingSender {
    #[hdl_gen]
    fn update(&mut self) {
        // The queue as this side sees it: in Gray code, as many entries stored as a whole queue more than read differ in the two highest
        // bits.
        for b in 0..self.pointer_bits.get() {
            self.read.value[b].next = self.read_gray[b].val();
        }
        for b in 0..self.pointer_bits.get() {
            self.apart[b].next = self.written.gray[b].val() ^ self.read.seen[b].val();
        }
        self.empty.next = true;
        for b in 0..self.pointer_bits.get() {
            self.empty.next = self.empty.val() & !self.apart[b].val();
        }
        self.full.next = self.apart[self.pointer_bits - 1].val() & self.apart[self.pointer_bits - 2].val();
        for b in 0..(self.pointer_bits - 2) {
            self.full.next = self.full.val() & !self.apart[b].val();
        }
        // What is stored.
        self.changed.next =
            (self.in_phase.val() != self.told_phase_r.q.val()) | (self.in_hint.val() ^ self.told_hint_r.q.val());
        self.stores.next =
            (self.in_valid.val() & !self.full.val()) | (!self.in_valid.val() & self.changed.val() & self.empty.val());
        if self.stores.val() {
            self.told_phase_r.d.next = self.in_phase.val();
            self.told_hint_r.d.next = self.in_hint.val();
        }
        self.overflow_error_r.d.next = self.overflow_error_r.q.val() | (self.in_valid.val() & self.full.val());
        self.base.next = (bit_cast::<9, 3>(self.in_phase.val()) << 4) | (bit_cast::<9, 3>(self.in_vc.val()) << 1);
        self.base.next = self.base.val().replace_bit(0, self.in_head.val());
        self.base.next = self.base.val().replace_bit(7, self.in_hint.val());
        self.base.next = self.base.val().replace_bit(8, self.in_valid.val());
        self.entry.next = self.base.val();
        self.store.next = self.stores.val();
        self.written.step.next = self.stores.val();
        for b in 0..self.place_bits.get() {
            self.place[b].next = self.written.count[b].val();
        }
        for b in 0..self.pointer_bits.get() {
            self.written_gray[b].next = self.written.gray[b].val();
        }
        // Credits.
        for v in 0..self.vcs.get() {
            for b in 0..self.credit_bits.get() {
                self.returned[v].value[b].next = self.credit_gray[v * self.credit_bits + b].val();
            }
            self.given[v].step.next = self.turn.grant[v].val();
        }
        for v in 0..self.vcs.get() {
            self.pending[v].next = false;
            for b in 0..self.credit_bits.get() {
                self.pending[v].next =
                    self.pending[v].val() | (self.given[v].gray[b].val() ^ self.returned[v].seen[b].val());
            }
        }
        for v in 0..self.vcs.get() {
            self.turn.request[v].next = self.pending[v].val();
            self.turn.pointer[v].next = self.pointer_r.q[v].val();
        }
        self.any_credit.next = false;
        for v in 0..self.vcs.get() {
            self.any_credit.next = self.any_credit.val() | self.pending[v].val();
        }
        self.credit_vc.next = 0.into();
        for v in 0..self.vcs.get() {
            if self.turn.grant[v].val() {
                self.credit_vc.next = self.credit_vc.val() | v.to_bits();
            }
        }
        if self.any_credit.val() {
            self.pointer_r.d[0].next = self.turn.grant[self.vcs - 1].val();
            for v in 1..self.vcs.get() {
                self.pointer_r.d[v].next = self.turn.grant[v - 1].val();
            }
        }
        self.in_credit_valid_r.d.next = self.any_credit.val();
        self.in_credit_vc_r.d.next = self.credit_vc.val();
        self.in_credit_valid.next = self.in_credit_valid_r.q.val();
        self.in_credit_vc.next = self.in_credit_vc_r.q.val();
        self.overflow_error.next = self.overflow_error_r.q.val();
    }
}
