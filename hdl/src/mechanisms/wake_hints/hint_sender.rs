//! Puts words on the hint lane of one link, one bit a cycle; up to four wait.
//!
//! Word:     a start bit 1, 16 bits of the address, lowest first, and a bit that makes the sum of address and itself even. Between words 0.
//! Rule:     words go out in the order in which they came. Without a lane what waits is forgotten, and so is a word under way.
//! Latency:  a word pushed in cycle t starts in t+1 at the earliest; words follow each other without a gap.
//! Reset:    nothing waits, the lane is 0.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use crate::block;
use rust_hdl::prelude::*;

/// Words that may wait.
const PLACES: usize = 4;

block! {
    pub struct HintSender("hint_sender", include_str!("hint_sender.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// A word is to be sent.
        push: Bit,
        /// Its address.
        address: Bits<16>,
        /// There is a lane in this cycle.
        sends: Bit,
    }
    outputs {
        /// The lane.
        hint: Bit,
        /// The word is not sent: no lane, or no place.
        dropped: Bit,
    }
    registers {
        /// Addresses that wait, the oldest at place 0.
        queue_r[PLACES]: Bits<16>,
        /// How many wait.
        count_r: Bits<3>,
        /// Bits of the word under way that are still to be sent.
        left_r: Bits<5>,
        /// Those bits, the next one lowest.
        word_r: Bits<17>,
    }
    locals {
        /// The start bit of the oldest word is on the lane.
        starts: Bit,
        /// The word is to wait.
        stored: Bit,
        /// What waits after this cycle but for a word that comes, and the first free place then.
        kept[PLACES]: Bits<16>,
        place: Bits<3>,
    }
    sizes { places = PLACES }
}

impl Logic for HintSender {
    #[hdl_gen]
    fn update(&mut self) {
        self.starts.next = self.sends.val() & !self.left_r.q.val().any() & self.count_r.q.val().any();
        self.hint.next =
            self.starts.val() | (self.sends.val() & self.left_r.q.val().any() & self.word_r.q.val().get_bit(0));
        self.stored.next = self.push.val() & self.sends.val() & (self.count_r.q.val() != self.places.val().to_bits());
        self.dropped.next = self.push.val() & !self.stored.val();
        self.left_r.d.next = 0.into();
        if self.sends.val() {
            if self.starts.val() {
                self.left_r.d.next = 17.into();
            } else if self.left_r.q.val().any() {
                self.left_r.d.next = self.left_r.q.val() - 1;
            }
        }
        self.word_r.d.next = self.word_r.q.val() >> 1;
        if self.starts.val() {
            self.word_r.d.next =
                bit_cast::<17, 16>(self.queue_r[0].q.val()).replace_bit(16, self.queue_r[0].q.val().xor());
        }
        // The queue moves up when a word starts.
        self.place.next = self.count_r.q.val();
        for i in 0..self.places.get() {
            self.kept[i].next = self.queue_r[i].q.val();
        }
        if self.starts.val() {
            self.place.next = self.count_r.q.val() - 1;
            for i in 1..self.places.get() {
                self.kept[i - 1].next = self.queue_r[i].q.val();
            }
            self.kept[self.places - 1].next = 0.into();
        }
        for i in 0..self.places.get() {
            self.queue_r[i].d.next = self.kept[i].val();
            if self.stored.val() & (self.place.val() == i.to_bits()) {
                self.queue_r[i].d.next = self.address.val();
            }
        }
        self.count_r.d.next = 0.into();
        if self.sends.val() {
            self.count_r.d.next = self.place.val() + self.stored.val();
        }
    }
}
