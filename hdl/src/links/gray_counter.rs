//! A counter that another clock may look at: its Gray code changes in one bit a step, so a sample is the value before a step or that after it.
//!
//! Latency:  one cycle from `step` to `count` and `gray`.
//! Range:    2 to 16 bits; after the largest value comes 0, which is one bit away in Gray code as well.
//! Reset:    0.
//! Source:   docs/microarchitecture/crossing.md.

use crate::block;
use crate::primitives::*;
use rust_hdl::prelude::*;

block! {
    pub struct GrayCounter("gray_counter", include_str!("gray_counter.rs"), clocked)
    /// Of `bits` bits, 2..=16.
    pub fn new(bits: usize) -> Self {}
    inputs {
        /// Count one more.
        step: Bit,
    }
    outputs {
        /// The number, in binary and in Gray code.
        count[bits]: Bit,
        gray[bits]: Bit,
    }
    registers { count_r = vec![false; bits], gray_r = vec![false; bits] }
    others {
        /// The number less all ones, which is one more, or less 0.
        next: Subtractor = Subtractor::new(bits),
    }
    sizes { bits = bits }
}

impl Logic for GrayCounter {
    #[hdl_gen]
    fn update(&mut self) {
        for b in 0..self.bits.get() {
            self.next.a[b].next = self.count_r.q[b].val();
            self.next.b[b].next = self.step.val();
        }
        for b in 0..self.bits.get() {
            self.count_r.d[b].next = self.next.difference[b].val();
        }
        for b in 0..(self.bits - 1) {
            self.gray_r.d[b].next = self.next.difference[b].val() ^ self.next.difference[b + 1].val();
        }
        self.gray_r.d[self.bits - 1].next = self.next.difference[self.bits - 1].val();
        for b in 0..self.bits.get() {
            self.count[b].next = self.count_r.q[b].val();
            self.gray[b].next = self.gray_r.q[b].val();
        }
    }
}
