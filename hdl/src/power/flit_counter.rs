//! Counts the flits that a group of ports forwards in a check period (FC of Algorithms 2 and 3).
//!
//! Latency:  a flit of cycle t is in `count` from cycle t+1 on.
//! Range:    any group size from 1 to 64; 64 ports over the longest period, 65535 cycles, stay below 2^24.
//! Check:    a flit forwarded in the check cycle itself counts for the next period.
//! Reset:    0.
//! Source:   POWAR Algorithms 2 and 3; docs/microarchitecture/power.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct FlitCounter("flit_counter", include_str!("flit_counter.rs"), clocked)
    /// For a group of `size` ports, 1..=64.
    pub fn new(size: usize) -> Self {}
    inputs {
        /// Port i of the group forwards a flit in this cycle.
        flit[size]: Bit,
        /// Last cycle of the check period.
        check: Bit,
    }
    outputs {
        /// Flits forwarded since the last check.
        count: Bits<24>,
    }
    registers { count_r: Bits<24> }
    locals {
        /// Flits of this cycle.
        flits: Bits<24>,
    }
    sizes { size = size }
}

impl Logic for FlitCounter {
    #[hdl_gen]
    fn update(&mut self) {
        self.flits.next = 0.into();
        for i in 0..self.size.get() {
            self.flits.next = self.flits.val() + self.flit[i].val();
        }
        if self.check.val() {
            self.count_r.d.next = self.flits.val();
        } else {
            self.count_r.d.next = self.count_r.q.val() + self.flits.val();
        }
        self.count.next = self.count_r.q.val();
    }
}
