//! How long packets may still wait for one output port because it sleeps or wakes.
//!
//! Budget:   a cycle in which the port is held and not ready costs one; `earn` gives one, up to `cap`. A smaller `cap` cuts it at once.
//! Latency:  `may_sleep` says what the cycle before had.
//! Range:    any values; a budget of 0 stays 0, one at `cap` stays there.
//! Reset:    as much as `cap` is in the configuration.
//! Source:   docs/microarchitecture/mechanisms/ahead.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct WaitBudget("wait_budget", include_str!("wait_budget.rs"), clocked)
    /// With so many cycles after reset.
    pub fn new(cap: u32) -> Self {}
    inputs {
        /// The port is held by a packet.
        held: Bit,
        /// The port may send.
        ready: Bit,
        /// Every port earns a cycle.
        earn: Bit,
        /// The most that a port can have, cycles.
        cap: Bits<27>,
        /// What a port must have to fall asleep, cycles.
        reserve: Bits<26>,
    }
    outputs {
        /// It had that in the cycle before.
        may_sleep: Bit,
        /// The budget, cycles.
        left: Bits<27>,
    }
    registers {
        may_sleep_r: Bit = true,
        left_r: Bits<27> = u64::from(cap).into(),
    }
    locals {
        /// A packet waits for nothing but the port.
        lost: Bit,
    }
}

impl Logic for WaitBudget {
    // One decision inside the other: whether it earns, and whether there is room.
    #[allow(clippy::collapsible_if)]
    #[hdl_gen]
    fn update(&mut self) {
        self.lost.next = self.held.val() & !self.ready.val();
        if self.left_r.q.val() > self.cap.val() {
            self.left_r.d.next = self.cap.val();
        } else if self.lost.val() & !self.earn.val() {
            if self.left_r.q.val().any() {
                self.left_r.d.next = self.left_r.q.val() - 1;
            }
        } else if self.earn.val() & !self.lost.val() {
            if self.left_r.q.val() < self.cap.val() {
                self.left_r.d.next = self.left_r.q.val() + 1;
            }
        }
        self.may_sleep_r.d.next = self.left_r.q.val() >= bit_cast::<27, 26>(self.reserve.val());
        self.may_sleep.next = self.may_sleep_r.q.val();
        self.left.next = self.left_r.q.val();
    }
}
