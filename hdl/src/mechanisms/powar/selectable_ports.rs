//! Which ports of a group may be selected: always the first `n_selectable` of them (Algorithms 2 and 3).
//!
//! Latency:  a check of cycle t shows from cycle t+1 on.
//! Range:    groups of 1 to 64 ports; at least one port stays selectable.
//! Check:    `above`: the first port that is not selectable becomes so; else `below`: the last that is no longer is.
//!           A dropped port finishes what it is sending: selectability only guards new choices.
//! Reset:    all ports selectable, so that a restart never costs performance.
//! Source:   POWAR Algorithms 2 and 3; docs/microarchitecture/mechanisms/powar.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct SelectablePorts("selectable_ports", include_str!("selectable_ports.rs"), clocked)
    /// For a group of `size` ports, 1..=64.
    pub fn new(size: usize) -> Self {}
    inputs {
        /// Last cycle of the check period.
        check: Bit,
        /// The load is above T_on.
        above: Bit,
        /// The load is below T_off.
        below: Bit,
    }
    outputs {
        /// Bit i: port i of the group may be selected.
        selectable[size]: Bit,
        /// Their number.
        n_selectable: Bits<7>,
    }
    registers { selectable_r = vec![true; size], n_selectable_r: Bits<7> = (size as u64).into() }
    locals {
        /// One more port in this cycle.
        add: Bit,
        /// One port less in this cycle.
        remove: Bit,
    }
    constants { group_size: Bits<7> = (size as u64).into() }
    sizes { size = size }
}

impl Logic for SelectablePorts {
    #[hdl_gen]
    fn update(&mut self) {
        self.add.next = self.check.val() & self.above.val() & (self.n_selectable_r.q.val() < self.group_size.val());
        self.remove.next = self.check.val() & !self.add.val() & self.below.val() & (self.n_selectable_r.q.val() > 1);
        // The selectable ports are a thermometer code: one more shifts a 1 in at port 0, one less shifts a 0 in at the top.
        if self.add.val() {
            self.n_selectable_r.d.next = self.n_selectable_r.q.val() + 1;
            self.selectable_r.d[0].next = true;
            for i in 1..self.size.get() {
                self.selectable_r.d[i].next = self.selectable_r.q[i - 1].val();
            }
        } else if self.remove.val() {
            self.n_selectable_r.d.next = self.n_selectable_r.q.val() - 1;
            for i in 1..self.size.get() {
                self.selectable_r.d[i - 1].next = self.selectable_r.q[i].val();
            }
            self.selectable_r.d[self.size - 1].next = false;
        }
        for i in 0..self.size.get() {
            self.selectable[i].next = self.selectable_r.q[i].val();
        }
        self.n_selectable.next = self.n_selectable_r.q.val();
    }
}
