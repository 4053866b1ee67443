//! The half of a `link_crossing` that has the receiver's clock: it reads the queue and counts credits.
//!
//! Flits:    an entry is read as soon as it is seen to be there; it is on the link in the next cycle. Between entries the link shows phase
//!           and hint of the last one.
//! Latency:  an entry is on the link after the third rising edge of this clock from when it is stored, if none is before it.
//! Range:    1 to 8 virtual channels of 1 to 4096 flits, 8 to 2048 entries. Credits of a virtual channel that there is not are not counted.
//! Reset:    the queue empty, no credits counted, the link idle and `On`.
//! Source:   docs/microarchitecture/crossing.md.

use super::{CrossingSizes, GrayCounter, Synchroniser};
use crate::block;
use powar_config::{Phase, SwitchConfig};
use rust_hdl::prelude::*;

block! {
    pub struct CrossingReceiver("crossing_receiver", include_str!("crossing_receiver.rs"), clocked)
    /// For a checked configuration.
    pub fn new(config: &SwitchConfig) -> Self {
        let CrossingSizes { vcs, place_bits, pointer_bits, credit_bits } = CrossingSizes::new(config);
    }
    inputs {
        /// Of the sender's clock: entries stored, in Gray code.
        written_gray[pointer_bits]: Bit,
        /// The entry read last, but for the words of the flit: 8 it has a flit, 7 hint, 6:4 phase, 3:1 virtual channel, 0 head.
        entry: Bits<9>,
        /// From the receiver: a credit, and its virtual channel.
        out_credit_valid: Bit,
        out_credit_vc: Bits<3>,
    }
    outputs {
        /// An entry is read, from this place.
        fetch: Bit,
        place[place_bits]: Bit,
        /// Entries read, in Gray code.
        read_gray[pointer_bits]: Bit,
        /// Credits that have come back, a Gray code for each virtual channel.
        credit_gray[vcs * credit_bits] / credit_bits: Bit,
        /// To the receiver: a flit, whether it is a head flit, and its virtual channel; phase and hint.
        out_valid: Bit,
        out_head: Bit,
        out_vc: Bits<3>,
        out_phase: Bits<3>,
        out_hint: Bit,
    }
    registers {
        /// An entry was read in the cycle before; one has been read since the reset.
        fetched_r: Bit,
        told_r: Bit,
    }
    children {
        /// Entries read, and entries stored as far as they are seen.
        read: GrayCounter = GrayCounter::new(pointer_bits),
        written: Synchroniser = Synchroniser::new(pointer_bits),
        /// Of each virtual channel: credits that have come back.
        returned[vcs]: GrayCounter = GrayCounter::new(credit_bits),
    }
    locals {
        /// There is an entry.
        some: Bit,
    }
    constants { on: Bits<3> = (Phase::On as usize).to_bits() }
    sizes {
        vcs = vcs,
        /// Bits of the place of an entry, and of a number of entries.
        place_bits = place_bits,
        pointer_bits = pointer_bits,
        /// Bits of a number of credits.
        credit_bits = credit_bits,
    }
}

impl Logic for CrossingReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        // The queue as this side sees it.
        for b in 0..self.pointer_bits.get() {
            self.written.value[b].next = self.written_gray[b].val();
        }
        self.some.next = false;
        for b in 0..self.pointer_bits.get() {
            self.some.next = self.some.val() | (self.read.gray[b].val() ^ self.written.seen[b].val());
        }
        self.fetch.next = self.some.val();
        self.fetched_r.d.next = self.some.val();
        self.told_r.d.next = self.told_r.q.val() | self.some.val();
        self.read.step.next = self.some.val();
        for b in 0..self.place_bits.get() {
            self.place[b].next = self.read.count[b].val();
        }
        for b in 0..self.pointer_bits.get() {
            self.read_gray[b].next = self.read.gray[b].val();
        }
        // The link. The entry knows no reset.
        self.out_valid.next = self.fetched_r.q.val() & self.entry.val().get_bit(8);
        self.out_head.next = self.entry.val().get_bit(0);
        self.out_vc.next = self.entry.val().get_bits::<3>(1);
        self.out_phase.next = self.on.val();
        self.out_hint.next = self.told_r.q.val() & self.entry.val().get_bit(7);
        if self.told_r.q.val() {
            self.out_phase.next = self.entry.val().get_bits::<3>(4);
        }
        // Credits.
        for v in 0..self.vcs.get() {
            self.returned[v].step.next = self.out_credit_valid.val() & (self.out_credit_vc.val() == v.to_bits());
            for b in 0..self.credit_bits.get() {
                self.credit_gray[v * self.credit_bits + b].next = self.returned[v].gray[b].val();
            }
        }
    }
}
