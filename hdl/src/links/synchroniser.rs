//! Two flip-flops for a value of another clock: the first may hang between 0 and 1 for a moment, the second has what became of it.
//!
//! Use:      only for values of which one bit changes at a time, such as those of a `gray_counter`: bits that change together may come apart.
//!           No logic stands before the first flip-flops, none between them and the second.
//! Latency:  between one and two cycles.
//! Range:    1 to 16 bits.
//! Reset:    0, which must be what the other clock has after its own.
//! Source:   docs/microarchitecture/crossing.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct Synchroniser("synchroniser", include_str!("synchroniser.rs"), clocked)
    /// Of `bits` bits, 1..=16.
    pub fn new(bits: usize) -> Self {}
    inputs {
        /// Flip-flops of another clock.
        value[bits]: Bit,
    }
    outputs {
        /// Their value, in step with this clock.
        seen[bits]: Bit,
    }
    registers {
        /// The flip-flops that may hang.
        first_r = vec![false; bits],
        second_r = vec![false; bits],
    }
    sizes { bits = bits }
}

impl Logic for Synchroniser {
    #[hdl_gen]
    fn update(&mut self) {
        for b in 0..self.bits.get() {
            self.first_r.d[b].next = self.value[b].val();
            self.second_r.d[b].next = self.first_r.q[b].val();
            self.seen[b].next = self.second_r.q[b].val();
        }
    }
}
