//! Takes the words off the hint lane of one link.
//!
//! Word:     a start bit 1, 16 bits of the address, lowest first, and a bit that makes the sum of address and itself even. Between words 0.
//! Rule:     a word whose parity is right waits until it is taken. One that finds another waiting is dropped, as is a wrong one.
//! Latency:  a word with its last bit in cycle t waits from t+1 on.
//! Range:    words may follow each other at once. One under way when `listens` falls is forgotten.
//! Reset:    nothing waits, no word is under way.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct HintReceiver("hint_receiver", include_str!("hint_receiver.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// The lane.
        hint_in: Bit,
        /// What is on the lane counts.
        listens: Bit,
        /// The hint that waits is taken.
        take: Bit,
    }
    outputs {
        /// A hint waits.
        waiting: Bit,
        /// Packed address of its destination.
        destination: Bits<16>,
        /// A word ends here that is no hint to wait.
        dropped: Bit,
    }
    registers {
        waiting_r: Bit,
        destination_r: Bits<16>,
        /// Bits of the word that are still to come, with that of this cycle.
        count_r: Bits<5>,
        /// The last bits that came, the newest highest.
        word_r: Bits<16>,
    }
    locals {
        /// The last bit of a word is on the lane.
        ends: Bit,
        /// The sum of the word's bits is odd.
        odd: Bit,
        /// The word is to wait.
        stored: Bit,
    }
}

impl Logic for HintReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        self.ends.next = self.listens.val() & (self.count_r.q.val() == 1);
        self.odd.next = self.word_r.q.val().xor() ^ self.hint_in.val();
        self.stored.next = self.ends.val() & !self.odd.val() & (!self.waiting_r.q.val() | self.take.val());
        self.count_r.d.next = 0.into();
        if self.listens.val() {
            if self.count_r.q.val().any() {
                self.count_r.d.next = self.count_r.q.val() - 1;
            } else if self.hint_in.val() {
                self.count_r.d.next = 17.into();
            }
        }
        // With the last bit of a word on the lane these are its address, and the start has gone out at the low end.
        self.word_r.d.next = (self.word_r.q.val() >> 1).replace_bit(15, self.hint_in.val());
        self.waiting_r.d.next = self.stored.val() | (self.waiting_r.q.val() & !self.take.val());
        if self.stored.val() {
            self.destination_r.d.next = self.word_r.q.val();
        }
        self.waiting.next = self.waiting_r.q.val();
        self.destination.next = self.destination_r.q.val();
        self.dropped.next = self.ends.val() & !self.stored.val();
    }
}
