//! Manages which ports of one group may be selected: the up-ports of a fat-tree switch (Algorithm 2) or the ports of one
//! aggregated link of a torus switch (Algorithm 3).
//!
//! Latency:  a check of cycle t shows in `selectable` from cycle t+1 on.
//! Range:    groups of 1 to 64 ports.
//! Reset:    all ports selectable.
//! Source:   POWAR Algorithms 2 and 3; docs/microarchitecture/mechanisms/powar.md.

use super::{SelectablePorts, ThresholdComparator};
use crate::block;
use crate::power::FlitCounter;
use rust_hdl::prelude::*;

block! {
    pub struct PortGroup("port_group", include_str!("port_group.rs"), clocked)
    /// For a group of `size` ports, 1..=64.
    pub fn new(size: usize) -> Self {}
    inputs {
        /// Port i of the group forwards a flit in this cycle.
        flit[size]: Bit,
        /// Last cycle of the check period.
        check: Bit,
        /// T_on: flits per selectable port and check period.
        on_flits: Bits<16>,
        /// T_off likewise.
        off_flits: Bits<16>,
    }
    outputs {
        /// Bit i: port i of the group may be selected.
        selectable[size]: Bit,
    }
    children {
        flit_counter: FlitCounter = FlitCounter::new(size),
        threshold_comparator: ThresholdComparator = ThresholdComparator::new(),
        selectable_ports: SelectablePorts = SelectablePorts::new(size),
    }
    sizes { size = size }
}

impl Logic for PortGroup {
    #[hdl_gen]
    fn update(&mut self) {
        self.flit_counter.check.next = self.check.val();
        for i in 0..self.size.get() {
            self.flit_counter.flit[i].next = self.flit[i].val();
        }
        self.threshold_comparator.count.next = self.flit_counter.count.val();
        self.threshold_comparator.n_selectable.next = self.selectable_ports.n_selectable.val();
        self.threshold_comparator.on_flits.next = self.on_flits.val();
        self.threshold_comparator.off_flits.next = self.off_flits.val();
        self.selectable_ports.check.next = self.check.val();
        self.selectable_ports.above.next = self.threshold_comparator.above.val();
        self.selectable_ports.below.next = self.threshold_comparator.below.val();
        for i in 0..self.size.get() {
            self.selectable[i].next = self.selectable_ports.selectable[i].val();
        }
    }
}
