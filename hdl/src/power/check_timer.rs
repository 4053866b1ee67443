//! Marks the last cycle of each check period (Algorithms 2 and 3: "periodically").
//!
//! Latency:  `check` follows `period` in the same cycle.
//! Range:    any period; 0 and 1 both check in every cycle. A shorter period written in mid-run takes effect at once.
//! Reset:    a period begins.
//! Source:   POWAR section 3.1; docs/microarchitecture/power.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct CheckTimer("check_timer", include_str!("check_timer.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// Check period, cycles.
        period: Bits<16>,
    }
    outputs {
        /// 1 in the last cycle of each period.
        check: Bit,
    }
    registers {
        /// Cycles of this period that have passed.
        count_r: Bits<16>,
    }
    locals {
        /// The same with this cycle, one bit wider so that it can't wrap.
        elapsed: Bits<17>,
    }
}

impl Logic for CheckTimer {
    #[hdl_gen]
    fn update(&mut self) {
        self.elapsed.next = bit_cast::<17, 16>(self.count_r.q.val()) + 1;
        self.check.next = self.elapsed.val() >= bit_cast::<17, 16>(self.period.val());
        if self.check.val() {
            self.count_r.d.next = 0.into();
        } else {
            self.count_r.d.next = bit_cast::<16, 17>(self.elapsed.val());
        }
    }
}
