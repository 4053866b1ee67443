//! Tells whether flits stay in the input buffers of a router for longer than they should: then links go off later.
//!
//! Age:      flits in buffers, summed over cycles, by the flits that have left: both are predictions.
//! Latency:  a check of cycle t shows in `late` from cycle t+3 on.
//! Range:    any limit in quarters of a cycle; nothing wraps. With flits in the buffers that never leave they are late.
//! Reset:    not late.
//! Source:   Soteriou and Peh 2004, equation 3, sections III-C and IV-B; docs/microarchitecture/mechanisms/soteriou_peh.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct AgeMonitor("age_monitor", include_str!("age_monitor.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// Last cycle of a window.
        check: Bit,
        /// Flits read from the buffers in the window.
        departures: Bits<24>,
        /// Bit i: a check was i + 1 cycles ago.
        stage: Bits<3>,
        /// The prediction of flits in buffers over the cycles of a window.
        past_filled: Bits<36>,
        /// Quarters of a cycle.
        age_limit: Bits<16>,
    }
    outputs {
        /// Flits were older than that.
        late: Bit,
    }
    registers { past_departures_r: Bits<24>, allowed_r: Bits<40>, late_r: Bit }
    locals {
        /// This window three times and the last prediction.
        departures_sum: Bits<26>,
        /// The limit times the lower and the upper part of the departures.
        low_product: Bits<32>,
        high_product: Bits<32>,
    }
}

impl Logic for AgeMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        self.departures_sum.next = bit_cast::<26, 24>(self.departures.val())
            + (bit_cast::<26, 24>(self.departures.val()) << 1)
            + bit_cast::<26, 24>(self.past_departures_r.q.val());
        if self.check.val() {
            self.past_departures_r.d.next = self.departures_sum.val().get_bits::<24>(2);
        }
        self.low_product.next = self.past_departures_r.q.val().get_bits::<16>(0) * self.age_limit.val();
        self.high_product.next =
            bit_cast::<16, 8>(self.past_departures_r.q.val().get_bits::<8>(16)) * self.age_limit.val();
        if self.stage.val().get_bit(0) {
            self.allowed_r.d.next =
                bit_cast::<40, 32>(self.low_product.val()) + (bit_cast::<40, 32>(self.high_product.val()) << 16);
        }
        if self.stage.val().get_bit(1) {
            self.late_r.d.next = (bit_cast::<40, 36>(self.past_filled.val()) << 2) > self.allowed_r.q.val();
        }
        self.late.next = self.late_r.q.val();
    }
}
