//! Manages which ports of one group may be selected: the up-ports of a fat-tree switch (Algorithm 2) or the ports of one
//! aggregated link of a torus switch (Algorithm 3).
//!
//! Latency:  a check of cycle t shows in `selectable` from cycle t+1 on.
//! Range:    groups of 1 to 64 ports.
//! Reset:    all ports selectable.
//! Source:   POWAR Algorithms 2 and 3; docs/microarchitecture/mechanisms/powar.md.

use super::{SelectablePorts, ThresholdComparator};
use crate::power::FlitCounter;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PortGroup {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Port i of the group forwards a flit in this cycle.
    pub flit: Vec<Signal<In, Bit>>,
    /// Last cycle of the check period.
    pub check: Signal<In, Bit>,
    /// T_on: flits per selectable port and check period.
    pub on_flits: Signal<In, Bits<16>>,
    /// T_off likewise.
    pub off_flits: Signal<In, Bits<16>>,
    /// Bit i: port i of the group may be selected.
    pub selectable: Vec<Signal<Out, Bit>>,
    flit_counter: Settled<FlitCounter>,
    threshold_comparator: Settled<ThresholdComparator>,
    selectable_ports: Settled<SelectablePorts>,
    size: Size,
    info: BlockInfo,
}

impl PortGroup {
    /// For a group of `size` ports, 1..=64.
    pub fn new(size: usize) -> Self {
        build!(PortGroup {
            (clk, rst, check, on_flits, off_flits)
            [size => flit, selectable]
            flit_counter: FlitCounter::new(size).into(),
            threshold_comparator: ThresholdComparator::new().into(),
            selectable_ports: SelectablePorts::new(size).into(),
            size: size.into(),
            info: BlockInfo::new("port_group", include_str!("port_group.rs")),
        })
    }
}

impl Logic for PortGroup {
    #[hdl_gen]
    fn update(&mut self) {
        self.flit_counter.clk.next = self.clk.val();
        self.flit_counter.rst.next = self.rst.val();
        self.flit_counter.check.next = self.check.val();
        for i in 0..self.size.get() {
            self.flit_counter.flit[i].next = self.flit[i].val();
        }
        self.threshold_comparator.clk.next = self.clk.val();
        self.threshold_comparator.rst.next = self.rst.val();
        self.threshold_comparator.count.next = self.flit_counter.count.val();
        self.threshold_comparator.n_selectable.next = self.selectable_ports.n_selectable.val();
        self.threshold_comparator.on_flits.next = self.on_flits.val();
        self.threshold_comparator.off_flits.next = self.off_flits.val();
        self.selectable_ports.clk.next = self.clk.val();
        self.selectable_ports.rst.next = self.rst.val();
        self.selectable_ports.check.next = self.check.val();
        self.selectable_ports.above.next = self.threshold_comparator.above.val();
        self.selectable_ports.below.next = self.threshold_comparator.below.val();
        for i in 0..self.size.get() {
            self.selectable[i].next = self.selectable_ports.selectable[i].val();
        }
    }
}

rtl_signals!(
    PortGroup,
    clocked,
    inputs(flit, check, on_flits, off_flits),
    outputs(selectable),
    registers(),
    children(flit_counter, threshold_comparator, selectable_ports),
);
