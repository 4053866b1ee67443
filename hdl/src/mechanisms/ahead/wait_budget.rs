//! How long packets may still wait for one output port because it sleeps or wakes.
//!
//! Budget:   a cycle in which the port is held and not ready costs one; `earn` gives one, up to `cap`. A smaller `cap` cuts it at once.
//! Latency:  `may_sleep` says what the cycle before had.
//! Range:    any values; a budget of 0 stays 0, one at `cap` stays there.
//! Reset:    as much as `cap` is in the configuration.
//! Source:   docs/microarchitecture/mechanisms/ahead.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct WaitBudget {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The port is held by a packet.
    pub held: Signal<In, Bit>,
    /// The port may send.
    pub ready: Signal<In, Bit>,
    /// Every port earns a cycle.
    pub earn: Signal<In, Bit>,
    /// The most that a port can have, cycles.
    pub cap: Signal<In, Bits<27>>,
    /// What a port must have to fall asleep, cycles.
    pub reserve: Signal<In, Bits<26>>,
    /// It had that in the cycle before.
    pub may_sleep: Signal<Out, Bit>,
    may_sleep_r: Register<Bit>,
    /// The budget, cycles.
    left_r: Register<Bits<27>>,
    /// A packet waits for nothing but the port.
    lost: Signal<Local, Bit>,
    info: BlockInfo,
}

impl WaitBudget {
    /// With so many cycles after reset.
    pub fn new(cap: u32) -> Self {
        build!(WaitBudget {
            (clk, rst, held, ready, earn, cap, reserve, may_sleep, lost)
            may_sleep_r: Register::new(true),
            left_r: Register::new(u64::from(cap).into()),
            info: BlockInfo::new("wait_budget", include_str!("wait_budget.rs")),
        })
    }
}

impl Logic for WaitBudget {
    // One decision inside the other: whether it earns, and whether there is room.
    #[allow(clippy::collapsible_if)]
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, may_sleep_r, left_r);
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
    }
}

rtl_signals!(
    WaitBudget,
    clocked,
    inputs(held, ready, earn, cap, reserve),
    outputs(may_sleep),
    registers(may_sleep_r as "may_sleep", left_r as "left"),
    children(),
);
