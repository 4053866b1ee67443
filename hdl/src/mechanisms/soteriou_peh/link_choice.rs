//! Which links of a router are to be on, by its load (Design I).
//!
//! Rule:     a load below the threshold for off takes the highest link that may go off, one above that for on brings back the lowest; on
//!           wins. A link that may not go off is on, and so is one that a packet wants and that is off or comes on.
//! Latency:  one cycle from any input to `active`.
//! Range:    1 to 64 links. Under other policies all are on.
//! Reset:    all links on.
//! Source:   Soteriou and Peh 2004, section IV-A; docs/microarchitecture/mechanisms/soteriou_peh.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct LinkChoice("link_choice", include_str!("link_choice.rs"), clocked)
    /// Of so many links, 1..=64.
    pub fn new(size: usize) -> Self {}
    inputs {
        /// The policy is one by load.
        by_load: Bit,
        /// The load is below the threshold for off; above that for on.
        below: Bit,
        above: Bit,
        /// Link i may go off.
        may_sleep[size]: Bit,
        /// A packet wants link i, which is off or comes on.
        woken[size]: Bit,
    }
    outputs {
        /// Link i is to be on.
        active[size]: Bit,
    }
    registers { active_r = vec![true; size] }
    locals {
        /// Links that may go off and are off; that are on.
        off[size]: Bit,
        on[size]: Bit,
        /// None of them is below this link; above it.
        none_below[size]: Bit,
        none_above[size]: Bit,
        /// A link goes.
        lowers: Bit,
    }
    sizes { size = size }
}

impl Logic for LinkChoice {
    #[hdl_gen]
    fn update(&mut self) {
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
