//! When windows end, and which counters of all ports are looked at behind that, one a cycle.
//!
//! Window:   `period` cycles; counter b is looked at in the b + 1st cycle of the next window.
//! Range:    any period; 0 counts as 1. One of fewer than 24 cycles begins the search anew before it has come to the
//!           end.
//! Reset:    the first cycle of a window, and no counter is looked at in it.
//! Source:   docs/microarchitecture/mechanisms/perf_bound.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct WindowSearch("window_search", include_str!("window_search.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// Cycles of a window.
        period: Bits<24>,
    }
    outputs {
        /// Bit b: counter b is looked at, and begins anew.
        look: Bits<24>,
    }
    registers {
        look_r: Bits<24>,
        /// Cycles of this window that have passed.
        count_r: Bits<24>,
    }
    locals {
        /// The same with this one: all of them and one more.
        passed: Bits<25>,
    }
}

impl Logic for WindowSearch {
    #[hdl_gen]
    fn update(&mut self) {
        self.passed.next = bit_cast::<25, 24>(self.count_r.q.val()) + 1;
        self.count_r.d.next = bit_cast::<24, 25>(self.passed.val());
        self.look_r.d.next = self.look_r.q.val() << 1;
        if self.passed.val() >= bit_cast::<25, 24>(self.period.val()) {
            self.count_r.d.next = 0.into();
            self.look_r.d.next = 1.into();
        }
        self.look.next = self.look_r.q.val();
    }
}
