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

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct ThresholdComparator {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Flits of the period so far.
    pub count: Signal<In, Bits<24>>,
    /// Selectable ports of the group.
    pub n_selectable: Signal<In, Bits<7>>,
    /// T_on: flits per selectable port and check period.
    pub on_flits: Signal<In, Bits<16>>,
    /// T_off likewise.
    pub off_flits: Signal<In, Bits<16>>,
    /// `count` is greater than T_on asks for.
    pub above: Signal<Out, Bit>,
    /// `count` is less than T_off asks for.
    pub below: Signal<Out, Bit>,
    /// The thresholds that the limits are made of.
    on_step_r: Register<Bits<16>>,
    off_step_r: Register<Bits<16>>,
    /// The ports that they are made for.
    ports_r: Register<Bits<7>>,
    /// That number times each of the thresholds.
    on_limit_r: Register<Bits<24>>,
    off_limit_r: Register<Bits<24>>,
    /// The thresholds are still those.
    same: Signal<Local, Bit>,
    /// The limits are complete.
    settled: Signal<Local, Bit>,
    /// They are made anew; for one port more.
    restart: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    info: BlockInfo,
}

impl ThresholdComparator {
    pub fn new() -> Self {
        build!(ThresholdComparator {
            (
                clk, rst, count, n_selectable, on_flits, off_flits, above, below, on_step_r, off_step_r, ports_r, on_limit_r,
                off_limit_r, same, settled, restart, more,
            )
            info: BlockInfo::new("threshold_comparator", include_str!("threshold_comparator.rs")),
        })
    }
}

impl Default for ThresholdComparator {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for ThresholdComparator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, on_step_r, off_step_r, ports_r, on_limit_r, off_limit_r);
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

rtl_signals!(
    ThresholdComparator,
    clocked,
    inputs(count, n_selectable, on_flits, off_flits),
    outputs(above, below),
    registers(
        on_step_r as "on_step",
        off_step_r as "off_step",
        ports_r as "ports",
        on_limit_r as "on_limit",
        off_limit_r as "off_limit",
    ),
    children(),
);
