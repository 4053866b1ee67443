//! Which ports of a group may be selected: always the first `n_selectable` of them (Algorithms 2 and 3).
//!
//! Latency:  a check of cycle t shows from cycle t+1 on.
//! Range:    groups of 1 to 64 ports; at least one port stays selectable.
//! Check:    `above`: the first port that is not selectable becomes so; else `below`: the last that is no longer is.
//!           A dropped port finishes what it is sending: selectability only guards new choices.
//! Reset:    all ports selectable, so that a restart never costs performance.
//! Source:   POWAR Algorithms 2 and 3; docs/microarchitecture/mechanisms/powar.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct SelectablePorts {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Last cycle of the check period.
    pub check: Signal<In, Bit>,
    /// The load is above T_on.
    pub above: Signal<In, Bit>,
    /// The load is below T_off.
    pub below: Signal<In, Bit>,
    /// Bit i: port i of the group may be selected.
    pub selectable: Vec<Signal<Out, Bit>>,
    /// Their number.
    pub n_selectable: Signal<Out, Bits<7>>,
    selectable_r: BitRegister,
    n_selectable_r: Register<Bits<7>>,
    /// One more port in this cycle.
    add: Signal<Local, Bit>,
    /// One port less in this cycle.
    remove: Signal<Local, Bit>,
    group_size: Constant<Bits<7>>,
    size: Size,
    info: BlockInfo,
}

impl SelectablePorts {
    /// For a group of `size` ports, 1..=64.
    pub fn new(size: usize) -> Self {
        SelectablePorts {
            clk: Default::default(),
            rst: Default::default(),
            check: Default::default(),
            above: Default::default(),
            below: Default::default(),
            selectable: vector(size),
            n_selectable: Default::default(),
            selectable_r: BitRegister::new(vec![true; size]),
            n_selectable_r: Register::new((size as u64).into()),
            add: Default::default(),
            remove: Default::default(),
            group_size: Constant::new((size as u64).into()),
            size: size.into(),
            info: BlockInfo::new("selectable_ports", include_str!("selectable_ports.rs")),
        }
    }
}

impl Logic for SelectablePorts {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, selectable_r, n_selectable_r);
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

rtl_signals!(
    SelectablePorts,
    clocked,
    inputs(check, above, below),
    outputs(selectable, n_selectable),
    registers(selectable_r as "selectable", n_selectable_r as "n_selectable"),
    children(),
);
