//! Tells where a packet may go in a k-ary n-cube with trunks of L links, without deadlock (Duato's protocol).
//!
//! Rule:     P is every link that shortens the way, on the adaptive virtual channels 0 to V-3. D is the links of dimension order, on
//!           an escape channel: V-2 while the way left in the dimension crosses the wrap-around link, else V-1. At the destination,
//!           D is the node's links, on any channel. Of several nodes at a switch each has one link, and a digit below those of the
//!           dimensions tells them apart.
//! Latency:  none (combinational).
//! Range:    dimensions of 2 to 256 switches, 2 to 8 virtual channels; a destination that does not exist is not `routable`, and
//!           all sets are empty. The ports are +0, -0, +1, -1, .., L links each, and those of the node or nodes.
//! Source:   docs/microarchitecture/routing.md; Duato 1993; Dally and Seitz 1987; POWAR section 4.1.

use super::{RoutingPorts, Unit, no_blocks};
use crate::block;
use powar_config::routing::torus;
use powar_config::topology::{Torus, digit_bits};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "torus_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &torus::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(TorusRouting::new(config, topology)?)),
    blocks: no_blocks,
};

block! {
    pub struct TorusRouting(
        NAME,
        include_str!("torus_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, torus::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let torus: &Torus = topology.of()?;
        let Torus { dimensions: sizes, trunk, nodes } = torus;
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
        /// Hops to the destination in the plus and in the minus direction.
        up[count]: Bits<9>,
        down[count]: Bits<9>,
        /// Dimensions that differ; the lowest of them.
        differs[count]: Bit,
        first[count]: Bit,
        /// Directions that shorten the way, and the one of dimension order: plus and minus of each dimension.
        productive[2 * count]: Bit,
        escape[2 * count]: Bit,
        /// Some dimension differs.
        away: Bit,
        /// The way left in the dimension crosses the wrap-around link; that of the lowest one that differs.
        wraps[count]: Bit,
        crosses: Bit,
    }
    constants {
        /// Bits of the destination above all digits.
        above: Bits<16> = (0xFFFF_usize << low[count] & 0xFFFF).to_bits(),
    }
    sizes {
        dimensions = count,
        directions = 2 * count,
        /// Links of a trunk.
        trunk = *trunk,
        /// Ports to nodes; digits that tell nodes apart (0 or 1), how many nodes there are, and the bits of the digit.
        node_ports = torus.node_ports(),
        node_digits = several.len(),
        vcs = vcs,
        /// Adaptive virtual channels.
        adaptives = vcs - 2,
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

impl Logic for TorusRouting {
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
        self.crosses.next = false;
        for i in 0..self.dimensions.get() {
            self.from[i].next = self.wide_position.val().get_bits::<9>(self.low[i]) & self.mask[i].to_bits();
            self.to[i].next = self.wide_destination.val().get_bits::<9>(self.low[i]) & self.mask[i].to_bits();
            self.ports.routable.next = self.ports.routable.val() & (self.to[i].val() < self.size[i].to_bits());
            // Hops modulo the size of the ring.
            self.up[i].next = self.to[i].val() - self.from[i].val();
            if self.to[i].val() < self.from[i].val() {
                self.up[i].next = self.up[i].val() + self.size[i].to_bits();
            }
            self.down[i].next = self.from[i].val() - self.to[i].val();
            if self.from[i].val() < self.to[i].val() {
                self.down[i].next = self.down[i].val() + self.size[i].to_bits();
            }
            self.differs[i].next = self.to[i].val() != self.from[i].val();
            self.productive[2 * i].next = self.differs[i].val() & (self.up[i].val() <= self.down[i].val());
            self.productive[2 * i + 1].next = self.differs[i].val() & (self.down[i].val() <= self.up[i].val());
            self.wraps[i].next = (self.productive[2 * i].val() & (self.to[i].val() < self.from[i].val()))
                | (!self.productive[2 * i].val() & (self.to[i].val() > self.from[i].val()));
            self.first[i].next = self.differs[i].val() & !self.away.val();
            self.away.next = self.away.val() | self.differs[i].val();
            self.escape[2 * i].next = self.first[i].val() & self.productive[2 * i].val();
            self.escape[2 * i + 1].next = self.first[i].val() & !self.productive[2 * i].val();
            self.crosses.next = self.crosses.val() | (self.first[i].val() & self.wraps[i].val());
        }
        for g in 0..self.directions.get() {
            for l in 0..self.trunk.get() {
                self.ports.adaptive[g * self.trunk + l].next = self.ports.routable.val() & self.productive[g].val();
                self.ports.deterministic[g * self.trunk + l].next = self.ports.routable.val() & self.escape[g].val();
            }
        }
        for l in 0..self.node_ports.get() {
            self.ports.adaptive[self.directions * self.trunk + l].next = false;
            self.ports.deterministic[self.directions * self.trunk + l].next =
                self.ports.routable.val() & !self.away.val();
            for k in 0..self.node_digits.get() {
                self.ports.deterministic[self.directions * self.trunk + l].next =
                    self.ports.routable.val() & !self.away.val() & (self.node[k].val() == l.to_bits());
            }
        }
        for w in 0..self.adaptives.get() {
            self.ports.adaptive_vcs[w].next = self.ports.routable.val() & self.away.val();
            self.ports.deterministic_vcs[w].next = self.ports.routable.val() & !self.away.val();
        }
        self.ports.adaptive_vcs[self.vcs - 2].next = false;
        self.ports.adaptive_vcs[self.vcs - 1].next = false;
        self.ports.deterministic_vcs[self.vcs - 2].next =
            self.ports.routable.val() & (!self.away.val() | self.crosses.val());
        self.ports.deterministic_vcs[self.vcs - 1].next = self.ports.routable.val() & !self.crosses.val();
    }
}
