//! Which links of a router are to be on, by its load (Design I).
//!
//! Rule:     a load below the threshold for off takes the highest link that may go off, one above that for on brings back the lowest; on
//!           wins. A link that may not go off is on, and so is one that a packet wants and that is off or comes on.
//! Latency:  one cycle from any input to `active`.
//! Range:    1 to 64 links. Under other policies all are on.
//! Reset:    all links on.
//! Source:   Soteriou and Peh 2004, section IV-A; docs/microarchitecture/mechanisms/soteriou_peh.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct LinkChoice {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The policy is one by load.
    pub by_load: Signal<In, Bit>,
    /// The load is below the threshold for off; above that for on.
    pub below: Signal<In, Bit>,
    pub above: Signal<In, Bit>,
    /// Link i may go off.
    pub may_sleep: Vec<Signal<In, Bit>>,
    /// A packet wants link i, which is off or comes on.
    pub woken: Vec<Signal<In, Bit>>,
    /// Link i is to be on.
    pub active: Vec<Signal<Out, Bit>>,
    active_r: BitRegister,
    /// Links that may go off and are off; that are on.
    off: Vec<Signal<Local, Bit>>,
    on: Vec<Signal<Local, Bit>>,
    /// None of them is below this link; above it.
    none_below: Vec<Signal<Local, Bit>>,
    none_above: Vec<Signal<Local, Bit>>,
    /// A link goes.
    lowers: Signal<Local, Bit>,
    size: Size,
    info: BlockInfo,
}

impl LinkChoice {
    /// Of so many links, 1..=64.
    pub fn new(size: usize) -> Self {
        build!(LinkChoice {
            (clk, rst, by_load, below, above, lowers)
            [size => may_sleep, woken, active, off, on, none_below, none_above]
            active_r: BitRegister::new(vec![true; size]),
            size: size.into(),
            info: BlockInfo::new("link_choice", include_str!("link_choice.rs")),
        })
    }
}

impl Logic for LinkChoice {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, active_r);
        self.lowers.next = self.below.val() & !self.above.val();
        for i in 0..self.size.get() {
            self.off[i].next = self.may_sleep[i].val() & !self.active_r.q[i].val();
            self.on[i].next = self.may_sleep[i].val() & self.active_r.q[i].val();
        }
        self.none_below[0].next = true;
        self.none_above[self.size - 1].next = true;
        for i in 1..self.size.get() {
            self.none_below[i].next = self.none_below[i - 1].val() & !self.off[i - 1].val();
            self.none_above[self.size - 1 - i].next =
                self.none_above[self.size - i].val() & !self.on[self.size - i].val();
        }
        for i in 0..self.size.get() {
            self.active_r.d[i].next = !self.by_load.val()
                | !self.may_sleep[i].val()
                | self.woken[i].val()
                | (self.above.val() & self.off[i].val() & self.none_below[i].val())
                | (self.active_r.q[i].val() & !(self.lowers.val() & self.none_above[i].val()));
        }
        for i in 0..self.size.get() {
            self.active[i].next = self.active_r.q[i].val();
        }
    }
}

rtl_signals!(
    LinkChoice,
    clocked,
    inputs(by_load, below, above, may_sleep, woken),
    outputs(active),
    registers(active_r as "active"),
    children(),
);
