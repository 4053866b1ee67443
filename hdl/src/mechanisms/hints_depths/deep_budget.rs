//! Whether the budget of one output port pays for a deep wake-up: only then does the second threshold hold for it.
//!
//! Latency:  `allowed_after` follows `deep_after` in the same cycle, and says what the cycle before had.
//! Range:    any values.
//! Reset:    it has enough.
//! Source:   docs/microarchitecture/mechanisms/hints_depths.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct DeepBudget("deep_budget", include_str!("deep_budget.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// The port's budget, cycles.
        left: Bits<27>,
        /// What it must have to sleep deeply, cycles.
        reserve: Bits<25>,
        /// Cycles that a port sleeps lightly before it sleeps deeply, as software has set them; 0: for ever.
        deep_after: Bits<24>,
    }
    outputs {
        /// The same of this port: for ever, if it has too little.
        allowed_after: Bits<24>,
    }
    registers {
        may_deepen_r: Bit = true,
    }
}

impl Logic for DeepBudget {
    #[hdl_gen]
    fn update(&mut self) {
        self.may_deepen_r.d.next = self.left.val() >= bit_cast::<27, 25>(self.reserve.val());
        self.allowed_after.next = 0.into();
        if self.may_deepen_r.q.val() {
            self.allowed_after.next = self.deep_after.val();
        }
    }
}
