//! How long one output port is not in use, and how often that has got to each of the thresholds that it may choose.
//!
//! Counters: b counts gaps of 2^b cycles or more, in the cycle in which they get there: one threshold a cycle at most.
//! Look:     a counter that is looked at begins anew; what this cycle counts is the next window's.
//! Range:    counters stop at 255, a gap is counted in cycles up to 2^24 - 1.
//! Reset:    no gap, and nothing counted.
//! Source:   docs/microarchitecture/mechanisms/perf_bound.md.

use crate::block;
use powar_config::mechanism::perf_bound::THRESHOLDS;
use rust_hdl::prelude::*;

block! {
    pub struct GapHistogram("gap_histogram", include_str!("gap_histogram.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// A packet holds the port or is given it, or a flit sets out for it.
        in_use: Bit,
        /// Bit b: counter b is looked at, and begins anew; one or none.
        look: Bits<24>,
    }
    outputs {
        /// The counter that is looked at; 0 if none is.
        looked: Bits<8>,
        /// Cycles of this gap with this one, if it is one.
        idle: Bits<24>,
    }
    registers {
        /// Cycles of this gap before this one.
        gap_r: Bits<24>,
        count_r[THRESHOLDS]: Bits<8>,
    }
    locals {
        /// The gap gets to a threshold in this cycle: to as many cycles as the bit of `idle` that is 1.
        reaches: Bit,
    }
    sizes { thresholds = THRESHOLDS }
}

impl Logic for GapHistogram {
    #[hdl_gen]
    fn update(&mut self) {
        self.idle.next = self.gap_r.q.val() + !self.gap_r.q.val().all();
        self.gap_r.d.next = self.idle.val();
        if self.in_use.val() {
            self.gap_r.d.next = 0.into();
        }
        // A power of two has no bit in common with the number before it.
        self.reaches.next = !self.in_use.val() & !(self.gap_r.q.val() & self.idle.val()).any();
        for b in 0..self.thresholds.get() {
            if self.look.val().get_bit(b) {
                self.count_r[b].d.next = 0.into();
                if self.reaches.val() & self.idle.val().get_bit(b) {
                    self.count_r[b].d.next = 1.into();
                }
            } else if !self.count_r[b].q.val().all() {
                self.count_r[b].d.next = self.count_r[b].q.val() + (self.reaches.val() & self.idle.val().get_bit(b));
            }
        }
        self.looked.next = 0.into();
        for b in 0..self.thresholds.get() {
            if self.look.val().get_bit(b) {
                self.looked.next = self.looked.val() | self.count_r[b].q.val();
            }
        }
    }
}
