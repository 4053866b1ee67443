//! Compares a group's flit count with T_on and T_off times its number of selectable ports.
//!
//! Latency:  `above` and `below` follow `count` in the same cycle, while the limits are those of the present thresholds and number of ports;
//!           both are 0 while they are being made.
//! Limits:   made by adding, a port a cycle: one more selectable port takes one cycle; one less, or another threshold, begins again
//!           from 0: n + 1 cycles for n ports. A check in these cycles decides nothing.
//! Range:    up to 127 ports; thresholds in flits per selectable port and check period. `above` is strictly greater,
//!           `below` strictly less.
//! Reset:    limits 0, for no port.
//! Source:   POWAR Algorithms 2 and 3 (utilization > T_on, < T_off); docs/microarchitecture/mechanisms/powar.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct ThresholdComparator("threshold_comparator", include_str!("threshold_comparator.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// Flits of the period so far.
        count: Bits<24>,
        /// Selectable ports of the group.
        n_selectable: Bits<7>,
        /// T_on: flits per selectable port and check period.
        on_flits: Bits<16>,
        /// T_off likewise.
        off_flits: Bits<16>,
    }
    outputs {
        /// `count` is greater than T_on asks for.
        above: Bit,
        /// `count` is less than T_off asks for.
        below: Bit,
    }
    registers {
        /// The thresholds that the limits are made of.
        on_step_r: Bits<16>,
        off_step_r: Bits<16>,
        /// The ports that they are made for.
        ports_r: Bits<7>,
        /// That number times each of the thresholds.
        on_limit_r: Bits<24>,
        off_limit_r: Bits<24>,
    }
    locals {
        /// The thresholds are still those.
        same: Bit,
        /// The limits are complete.
        settled: Bit,
        /// They are made anew; for one port more.
        restart: Bit,
        more: Bit,
    }
}

impl Logic for ThresholdComparator {
    #[hdl_gen]
    fn update(&mut self) {
        self.on_step_r.d.next = self.on_flits.val();
        self.off_step_r.d.next = self.off_flits.val();
        self.same.next =
            (self.on_step_r.q.val() == self.on_flits.val()) & (self.off_step_r.q.val() == self.off_flits.val());
        self.settled.next = self.same.val() & (self.ports_r.q.val() == self.n_selectable.val());
        self.restart.next = !self.same.val() | (self.ports_r.q.val() > self.n_selectable.val());
        self.more.next = self.ports_r.q.val() < self.n_selectable.val();
        if self.restart.val() {
            self.ports_r.d.next = 0.into();
            self.on_limit_r.d.next = 0.into();
            self.off_limit_r.d.next = 0.into();
        } else if self.more.val() {
            self.ports_r.d.next = self.ports_r.q.val() + 1;
            self.on_limit_r.d.next = self.on_limit_r.q.val() + bit_cast::<24, 16>(self.on_step_r.q.val());
            self.off_limit_r.d.next = self.off_limit_r.q.val() + bit_cast::<24, 16>(self.off_step_r.q.val());
        }
        self.above.next = self.settled.val() & (self.count.val() > self.on_limit_r.q.val());
        self.below.next = self.settled.val() & (self.count.val() < self.off_limit_r.q.val());
    }
}
