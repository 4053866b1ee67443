//! Pointers and fill of a circular queue of beats in which a packet counts once it is complete, and can be given up before.
//!
//! Use:      `store` with every beat, `commit` with the last one of its packet; `discard` with the number of beats stored since the last
//!           `commit` frees their places.
//! Latency:  one cycle from the inputs to the pointers and `full`.
//! Range:    2 to 4096 beats. Never `store` when full, or with `discard`; `read` only beats of complete packets.
//! Reset:    empty, pointers at 0.
//! Source:   docs/microarchitecture/network_interface.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct PacketQueue("packet_queue", include_str!("packet_queue.rs"), clocked)
    /// For `depth` beats, 2..=4096.
    pub fn new(depth: usize) -> Self {}
    inputs {
        /// A beat is written at `place`.
        store: Bit,
        /// It is its packet's last.
        commit: Bit,
        /// The beats of the packet under way are given up.
        discard: Bit,
        /// How many of them are stored.
        beats: Bits<10>,
        /// The beat at `read_pointer` is read.
        read: Bit,
    }
    outputs {
        /// There is no place left.
        full: Bit,
        place: Bits<12>,
        read_pointer: Bits<12>,
    }
    registers {
        place_r: Bits<12>,
        /// Where the packet under way begins.
        base_r: Bits<12>,
        read_pointer_r: Bits<12>,
        full_r: Bit,
        /// Beats stored, those of the packet under way too.
        count_r: Bits<13>,
    }
    locals {
        /// The place behind `place`.
        next_place: Bits<12>,
        /// What is added to the count and taken away from it.
        more: Bits<13>,
        less: Bits<13>,
    }
    constants {
        /// The last place; place 0 follows.
        last_place: Bits<12> = (depth - 1).to_bits(),
        /// The bits that a place has; synthesis leaves the others out.
        place_mask: Bits<12> = (depth.next_power_of_two() - 1).to_bits(),
    }
    sizes {
        /// 0 if the place after the last is 0 by these bits alone, else 1.
        wraps_early = usize::from(!depth.is_power_of_two()),
    }
}

impl Logic for PacketQueue {
    #[hdl_gen]
    fn update(&mut self) {
        self.next_place.next = (self.place_r.q.val() + 1) & self.place_mask.val();
        if (self.wraps_early.val() == 1) & (self.place_r.q.val() == self.last_place.val()) {
            self.next_place.next = 0.into();
        }
        if self.discard.val() {
            self.place_r.d.next = self.base_r.q.val();
        } else if self.store.val() {
            self.place_r.d.next = self.next_place.val();
        }
        if self.commit.val() {
            self.base_r.d.next = self.next_place.val();
        }
        if self.read.val() {
            self.read_pointer_r.d.next = (self.read_pointer_r.q.val() + 1) & self.place_mask.val();
            if (self.wraps_early.val() == 1) & (self.read_pointer_r.q.val() == self.last_place.val()) {
                self.read_pointer_r.d.next = 0.into();
            }
        }
        self.more.next = 0.into();
        if self.store.val() {
            self.more.next = 1.into();
        }
        self.less.next = 0.into();
        if self.discard.val() {
            self.less.next = bit_cast::<13, 10>(self.beats.val());
        }
        self.count_r.d.next = self.count_r.q.val() + self.more.val() - self.less.val();
        if self.read.val() {
            self.count_r.d.next = self.count_r.q.val() + self.more.val() - self.less.val() - 1;
        }
        // Whether the count is the depth, known at the beginning of a cycle.
        if self.discard.val() {
            if self.read.val() | self.beats.val().any() {
                self.full_r.d.next = false;
            }
        } else if self.store.val() & !self.read.val() {
            self.full_r.d.next = self.count_r.q.val() == bit_cast::<13, 12>(self.last_place.val());
        } else if self.read.val() & !self.store.val() {
            self.full_r.d.next = false;
        }
        self.full.next = self.full_r.q.val();
        self.place.next = self.place_r.q.val();
        self.read_pointer.next = self.read_pointer_r.q.val();
    }
}
