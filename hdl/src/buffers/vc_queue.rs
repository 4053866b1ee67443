//! Pointers and fill of a circular queue in a memory that somebody else owns.
//!
//! Latency:  one cycle from `push` and `pop` to the pointers and the count.
//! Range:    1 to 4096 entries. Never `push` when full or `pop` when empty; both in one cycle are fine.
//! Reset:    empty, pointers at 0.
//! Source:   docs/microarchitecture/buffers.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct VcQueue("vc_queue", include_str!("vc_queue.rs"), clocked)
    /// For `depth` entries, 1..=4096.
    pub fn new(depth: usize) -> Self {}
    inputs {
        /// An entry is written at `write_pointer`.
        push: Bit,
        /// The entry at `read_pointer` is read.
        pop: Bit,
    }
    outputs {
        write_pointer: Bits<12>,
        read_pointer: Bits<12>,
        /// Entries in the queue.
        count: Bits<13>,
        /// There are some.
        some: Bit,
    }
    registers {
        write_pointer_r: Bits<12>,
        read_pointer_r: Bits<12>,
        count_r: Bits<13>,
        some_r: Bit,
    }
    locals {
        /// What comes to `count`: 1, 0, or all ones, which is one less.
        step: Bits<13>,
    }
    constants {
        /// The last place; place 0 follows.
        last_place: Bits<12> = (depth - 1).to_bits(),
        /// The bits that a place has, and a number of entries; synthesis leaves the others out.
        place_mask: Bits<12> = (depth.next_power_of_two() - 1).to_bits(),
        count_mask: Bits<13> = ((depth + 1).next_power_of_two() - 1).to_bits(),
    }
    sizes {
        /// 0 if the place after the last is 0 by these bits alone, else 1.
        wraps_early = usize::from(!depth.is_power_of_two()),
    }
}

impl Logic for VcQueue {
    #[hdl_gen]
    fn update(&mut self) {
        if self.push.val() {
            self.write_pointer_r.d.next = (self.write_pointer_r.q.val() + 1) & self.place_mask.val();
            if (self.wraps_early.val() == 1) & (self.write_pointer_r.q.val() == self.last_place.val()) {
                self.write_pointer_r.d.next = 0.into();
            }
        }
        if self.pop.val() {
            self.read_pointer_r.d.next = (self.read_pointer_r.q.val() + 1) & self.place_mask.val();
            if (self.wraps_early.val() == 1) & (self.read_pointer_r.q.val() == self.last_place.val()) {
                self.read_pointer_r.d.next = 0.into();
            }
        }
        // One adder for both directions.
        self.step.next = 0.into();
        if self.pop.val() & !self.push.val() {
            self.step.next = self.count_mask.val();
            self.some_r.d.next = self.count_r.q.val() != 1;
        }
        if self.push.val() & !self.pop.val() {
            self.step.next = 1.into();
            self.some_r.d.next = true;
        }
        self.count_r.d.next = (self.count_r.q.val() + self.step.val()) & self.count_mask.val();
        self.write_pointer.next = self.write_pointer_r.q.val();
        self.read_pointer.next = self.read_pointer_r.q.val();
        self.count.next = self.count_r.q.val();
        self.some.next = self.some_r.q.val();
    }
}
