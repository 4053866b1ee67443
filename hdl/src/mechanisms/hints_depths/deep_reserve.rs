//! What a port must have in its budget to sleep deeply: one more than the longer wake-up takes.
//!
//! Latency:  a duration of cycle t is in `reserve` from cycle t+1 on.
//! Range:    durations 0 to 2^24 - 1 cycles; the one more is for a duration of 0, which counts as 1.
//! Reset:    what it comes to in the configuration.
//! Source:   docs/microarchitecture/mechanisms/hints_depths.md.

use crate::block;
use powar_config::mechanism::hints_depths::HintsDepthsValues;
use rust_hdl::prelude::*;

block! {
    pub struct DeepReserve("deep_reserve", include_str!("deep_reserve.rs"), clocked)
    /// Of these values after reset.
    pub fn new(reset: &HintsDepthsValues) -> Self {
        let longer = reset.hints.ahead.powar.t_wake.max(reset.t_wake_deep);
    }
    inputs {
        /// Cycles that a light wake-up takes.
        t_wake: Bits<24>,
        /// Cycles that a deep wake-up takes in all.
        t_wake_deep: Bits<24>,
    }
    outputs {
        /// Cycles that a port must have to sleep deeply.
        reserve: Bits<25>,
    }
    registers {
        reserve_r: Bits<25> = (u64::from(longer) + 1).into(),
    }
    locals {
        /// A port that is deep wakes by POWAR's time too, and is ready after both.
        longer: Bits<24>,
    }
}

impl Logic for DeepReserve {
    #[hdl_gen]
    fn update(&mut self) {
        self.longer.next = self.t_wake_deep.val();
        if self.t_wake.val() > self.t_wake_deep.val() {
            self.longer.next = self.t_wake.val();
        }
        self.reserve_r.d.next = bit_cast::<25, 24>(self.longer.val()) + 1;
        self.reserve.next = self.reserve_r.q.val();
    }
}
