//! Routing unit of a k-ary n-mesh (Duato's protocol).
//!
//! Contract
//! --------
//! Rule:     P is every direction that shortens the way, on the adaptive virtual channels 0 to V-2. D is the direction of dimension
//!           order, on the escape channel V-1. At the destination's switch, D is the node's port, on any channel.
//! Latency:  none (combinational).
//! Range:    dimensions of 2 to 256 switches, 1 to 8 virtual channels; a destination that does not exist is not `routable`, and
//!           all sets are empty. The ports are +0, -0, +1, -1, .., then those of the nodes; of several nodes at a switch a digit below
//!           those of the dimensions says which.
//! Source:   docs/microarchitecture/routing.md; Duato 1993.

use super::{RoutingPorts, Unit, no_blocks};
use crate::block;
use powar_config::routing::mesh;
use powar_config::topology::{Mesh, digit_bits};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "mesh_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &mesh::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(MeshRouting::new(config, topology)?)),
    blocks: no_blocks,
};

block! {
    pub struct MeshRouting(
        NAME,
        include_str!("mesh_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, mesh::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let Mesh { dimensions: sizes, nodes } = topology.of()?;
        let (n, vcs, count) = (config.ports, config.switch.vcs, sizes.len());
        let several: Vec<usize> = Some(*nodes).filter(|&nodes| nodes > 1).into_iter().collect();
        let node_bits: usize = several.iter().map(|&nodes| digit_bits(nodes)).sum();
        let widths: Vec<usize> = sizes.iter().map(|&size| digit_bits(size)).collect();
        let low: Vec<usize> = (0..=count).map(|i| node_bits + widths[..i].iter().sum::<usize>()).collect();
    }
    locals {
        /// Both addresses with room to take a digit at any place.
        wide_position: Bits<32>,
        wide_destination: Bits<32>,
        /// Their digits, dimension by dimension.
        from[count]: Bits<9>,
        to[count]: Bits<9>,
        /// The node at its switch, if there are several.
        node[several.len()]: Bits<9>,
        /// Directions that shorten the way, and the one of dimension order: plus and minus of each dimension.
        productive[2 * count]: Bit,
        escape[2 * count]: Bit,
        /// Some dimension differs.
        away: Bit,
    }
    constants {
        /// Bits of the destination above all digits.
        above: Bits<16> = (0xFFFF_usize << low[count] & 0xFFFF).to_bits(),
    }
    sizes {
        dimensions = count,
        directions = 2 * count,
        /// Ports to nodes; digits that tell nodes apart (0 or 1), how many nodes there are, and the bits of the digit.
        node_ports = *nodes,
        node_digits = several.len(),
        vcs = vcs,
        /// Adaptive virtual channels.
        adaptives = vcs - 1,
    }
    tables {
        /// Size of each dimension, lowest bit of its digit, and the bits of the digit.
        size = sizes.clone(),
        low = low,
        mask = widths.iter().map(|&width| (1 << width) - 1).collect(),
        nodes = several.clone(),
        node_mask = several.iter().map(|_| (1 << node_bits) - 1).collect(),
    }
}

impl Logic for MeshRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.wide_position.next = bit_cast::<32, 16>(self.ports.position.val());
        self.wide_destination.next = bit_cast::<32, 16>(self.ports.destination.val());
        self.ports.routable.next = (self.ports.destination.val() & self.above.val()) == 0;
        for k in 0..self.node_digits.get() {
            self.node[k].next = self.wide_destination.val().get_bits::<9>(0) & self.node_mask[k].to_bits();
            self.ports.routable.next = self.ports.routable.val() & (self.node[k].val() < self.nodes[k].to_bits());
        }
        self.away.next = false;
        for i in 0..self.dimensions.get() {
            self.from[i].next = self.wide_position.val().get_bits::<9>(self.low[i]) & self.mask[i].to_bits();
            self.to[i].next = self.wide_destination.val().get_bits::<9>(self.low[i]) & self.mask[i].to_bits();
            self.ports.routable.next = self.ports.routable.val() & (self.to[i].val() < self.size[i].to_bits());
            self.productive[2 * i].next = self.to[i].val() > self.from[i].val();
            self.productive[2 * i + 1].next = self.to[i].val() < self.from[i].val();
            self.escape[2 * i].next = self.productive[2 * i].val() & !self.away.val();
            self.escape[2 * i + 1].next = self.productive[2 * i + 1].val() & !self.away.val();
            self.away.next = self.away.val() | self.productive[2 * i].val() | self.productive[2 * i + 1].val();
        }
        for g in 0..self.directions.get() {
            self.ports.adaptive[g].next = self.ports.routable.val() & self.productive[g].val();
            self.ports.deterministic[g].next = self.ports.routable.val() & self.escape[g].val();
        }
        for l in 0..self.node_ports.get() {
            self.ports.adaptive[self.directions + l].next = false;
            self.ports.deterministic[self.directions + l].next = self.ports.routable.val() & !self.away.val();
            for k in 0..self.node_digits.get() {
                self.ports.deterministic[self.directions + l].next =
                    self.ports.routable.val() & !self.away.val() & (self.node[k].val() == l.to_bits());
            }
        }
        for w in 0..self.adaptives.get() {
            self.ports.adaptive_vcs[w].next = self.ports.routable.val() & self.away.val();
            self.ports.deterministic_vcs[w].next = self.ports.routable.val() & !self.away.val();
        }
        self.ports.adaptive_vcs[self.vcs - 1].next = false;
        self.ports.deterministic_vcs[self.vcs - 1].next = self.ports.routable.val();
    }
}
