//! Tells where a packet may go in a network of one switch with a node at every port.
//!
//! Rule:     node p is at port p; nothing to choose. A packet leaves on the virtual channel `destination` mod V.
//! Latency:  none (combinational).
//! Range:    2 to 64 ports, 1, 2, 4 or 8 virtual channels; a destination that does not exist is not `routable`, and all sets are empty.
//! Source:   docs/microarchitecture/routing.md.

use super::RoutingPorts;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::topology::Star;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "star_routing";

#[derive(LogicBlock)]
pub struct StarRouting {
    pub ports: RoutingPorts,
    /// Ports.
    nodes: Constant<Bits<16>>,
    /// Bits of the destination that choose the virtual channel.
    vc_mask: Constant<Bits<16>>,
    n: Size,
    vcs: Size,
    info: BlockInfo,
}

impl StarRouting {
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        topology.of::<Star>()?;
        let (n, vcs) = (config.ports, config.switch.vcs);
        Some(StarRouting {
            ports: RoutingPorts::new(n, vcs),
            nodes: Constant::new(n.to_bits()),
            vc_mask: Constant::new((vcs - 1).to_bits()),
            n: n.into(),
            vcs: vcs.into(),
            info: BlockInfo::new(NAME, include_str!("star_routing.rs")),
        })
    }
}

impl Logic for StarRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.ports.routable.next = self.ports.destination.val() < self.nodes.val();
        for p in 0..self.n.get() {
            self.ports.adaptive[p].next = false;
            self.ports.deterministic[p].next = self.ports.destination.val() == p.to_bits();
        }
        for w in 0..self.vcs.get() {
            self.ports.adaptive_vcs[w].next = false;
            self.ports.deterministic_vcs[w].next =
                self.ports.routable.val() & ((self.ports.destination.val() & self.vc_mask.val()) == w.to_bits());
        }
    }
}

rtl_signals!(StarRouting, ports(RoutingPorts), registers(), children());
