//! Tells where a packet may go in a network of one switch with a node at every port.
//!
//! Rule:     node p is at port p; nothing to choose. A packet leaves on the virtual channel `destination[5:0]` mod V.
//! Latency:  none (combinational).
//! Range:    2 to 64 ports, 1 to 8 virtual channels; a destination that does not exist is not `routable`, and all sets are empty.
//! Source:   docs/microarchitecture/routing.md.

use super::{RoutingPorts, Unit, no_blocks, vc_rows};
use crate::block;
use powar_config::routing::star;
use powar_config::topology::Star;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "star_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &star::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(StarRouting::new(config, topology)?)),
    blocks: no_blocks,
};

block! {
    pub struct StarRouting(
        NAME,
        include_str!("star_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, star::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        topology.of::<Star>()?;
        let (n, vcs) = (config.ports, config.switch.vcs);
    }
    locals {
        /// The bits of the destination that choose the virtual channel.
        vc_row: Bits<16>,
        /// Virtual channel on which the packet leaves.
        vc[vcs]: Bit,
    }
    constants {
        /// Ports.
        nodes: Bits<16> = n.to_bits(),
        /// Its six lowest bits; as many of them as matter if V is a power of two.
        row_mask: Bits<16> = (vc_rows(vcs) - 1).to_bits(),
    }
    sizes {
        n = n,
        vcs = vcs,
        /// Values of these bits that are for the same virtual channel, at most.
        multiples = vc_rows(vcs).div_ceil(vcs),
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
        self.vc_row.next = self.ports.destination.val() & self.row_mask.val();
        for w in 0..self.vcs.get() {
            self.ports.adaptive_vcs[w].next = false;
            self.vc[w].next = self.vc_row.val() == w.to_bits();
            for m in 1..self.multiples.get() {
                self.vc[w].next = self.vc[w].val() | (self.vc_row.val() == (m * self.vcs + w).to_bits());
            }
            self.ports.deterministic_vcs[w].next = self.ports.routable.val() & self.vc[w].val();
        }
    }
}
