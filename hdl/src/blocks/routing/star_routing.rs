//! Tells where a packet may go in a network of one switch with a node at every port.
//!
//! Rule:     node p is at port p; nothing to choose. A packet leaves on the virtual channel `destination` mod V.
//! Latency:  none (combinational).
//! Range:    2 to 64 ports, 1, 2, 4 or 8 virtual channels; a destination that does not exist is not `routable`, and all sets are empty.
//! Source:   docs/microarchitecture.md 5.11.

use super::RoutingUnit;
use crate::blocks::vector;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct StarRouting {
    /// Packed address of this switch: not used, there is only one.
    pub position: Signal<In, Bits<16>>,
    /// Not used.
    pub stage: Signal<In, Bits<4>>,
    /// Packed address of the packet's destination node.
    pub destination: Signal<In, Bits<16>>,
    /// The destination exists.
    pub routable: Signal<Out, Bit>,
    /// P: ports to choose from.
    pub adaptive: Vec<Signal<Out, Bit>>,
    /// D: the port that is left if P is taken.
    pub deterministic: Vec<Signal<Out, Bit>>,
    /// Virtual channels allowed on a port of P.
    pub adaptive_vcs: Vec<Signal<Out, Bit>>,
    /// Virtual channels allowed on a port of D.
    pub deterministic_vcs: Vec<Signal<Out, Bit>>,
    /// Ports.
    nodes: Constant<Bits<16>>,
    /// Bits of the destination that choose the virtual channel.
    vc_mask: Constant<Bits<16>>,
    n: Size,
    vcs: Size,
    info: BlockInfo,
}

impl RoutingUnit for StarRouting {
    const NAME: &'static str = "star_routing";

    fn for_topology(config: &Config, topology: &Topology) -> Option<Self> {
        let Topology::Star = topology else { return None };
        let (n, vcs) = (config.ports, config.switch.vcs);
        Some(StarRouting {
            position: Default::default(),
            stage: Default::default(),
            destination: Default::default(),
            routable: Default::default(),
            adaptive: vector(n),
            deterministic: vector(n),
            adaptive_vcs: vector(vcs),
            deterministic_vcs: vector(vcs),
            nodes: Constant::new(n.to_bits()),
            vc_mask: Constant::new((vcs - 1).to_bits()),
            n: n.into(),
            vcs: vcs.into(),
            info: BlockInfo::new(Self::NAME, include_str!("star_routing.rs")),
        })
    }
}

impl Logic for StarRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.routable.next = self.destination.val() < self.nodes.val();
        for p in 0..self.n.get() {
            self.adaptive[p].next = false;
            self.deterministic[p].next = self.destination.val() == p.to_bits();
        }
        for w in 0..self.vcs.get() {
            self.adaptive_vcs[w].next = false;
            self.deterministic_vcs[w].next =
                self.routable.val() & ((self.destination.val() & self.vc_mask.val()) == w.to_bits());
        }
    }
}

rtl_signals!(
    StarRouting,
    combinational,
    inputs(position, stage, destination),
    outputs(routable, adaptive, deterministic, adaptive_vcs, deterministic_vcs),
    registers(),
    children(),
);
