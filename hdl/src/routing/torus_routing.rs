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

use super::RoutingPorts;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::routing::torus;
use powar_config::topology::{Torus, digit_bits};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "torus_routing";

#[derive(LogicBlock)]
pub struct TorusRouting {
    pub ports: RoutingPorts,
    /// Both addresses with room to take a digit at any place.
    wide_position: Signal<Local, Bits<32>>,
    wide_destination: Signal<Local, Bits<32>>,
    /// Their digits, dimension by dimension.
    from: Vec<Signal<Local, Bits<9>>>,
    to: Vec<Signal<Local, Bits<9>>>,
    /// The node at its switch, if there are several.
    node: Vec<Signal<Local, Bits<9>>>,
    /// Hops to the destination in the plus and in the minus direction.
    up: Vec<Signal<Local, Bits<9>>>,
    down: Vec<Signal<Local, Bits<9>>>,
    /// Dimensions that differ; the lowest of them.
    differs: Vec<Signal<Local, Bit>>,
    first: Vec<Signal<Local, Bit>>,
    /// Directions that shorten the way, and the one of dimension order: plus and minus of each dimension.
    productive: Vec<Signal<Local, Bit>>,
    escape: Vec<Signal<Local, Bit>>,
    /// Some dimension differs.
    away: Signal<Local, Bit>,
    /// The way left in the dimension crosses the wrap-around link; that of the lowest one that differs.
    wraps: Vec<Signal<Local, Bit>>,
    crosses: Signal<Local, Bit>,
    /// Bits of the destination above all digits.
    above: Constant<Bits<16>>,
    dimensions: Size,
    /// Size of each dimension, lowest bit of its digit, and the bits of the digit.
    size: Table,
    low: Table,
    mask: Table,
    directions: Size,
    /// Links of a trunk.
    trunk: Size,
    /// Ports to nodes; digits that tell nodes apart (0 or 1), how many nodes there are, and the bits of the digit.
    node_ports: Size,
    node_digits: Size,
    nodes: Table,
    node_mask: Table,
    vcs: Size,
    /// Adaptive virtual channels.
    adaptives: Size,
    info: BlockInfo,
}

impl TorusRouting {
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let torus: &Torus = topology.of()?;
        let Torus { dimensions: sizes, trunk, nodes } = torus;
        let (n, vcs, count) = (config.ports, config.switch.vcs, sizes.len());
        let several: Vec<usize> = Some(*nodes).filter(|&nodes| nodes > 1).into_iter().collect();
        let node_bits: usize = several.iter().map(|&nodes| digit_bits(nodes)).sum();
        let widths: Vec<usize> = sizes.iter().map(|&size| digit_bits(size)).collect();
        let low: Vec<usize> = (0..=count).map(|i| node_bits + widths[..i].iter().sum::<usize>()).collect();
        Some(TorusRouting {
            ports: RoutingPorts::new(n, vcs, torus::ROUTING.sees),
            wide_position: Default::default(),
            wide_destination: Default::default(),
            from: vector(count),
            to: vector(count),
            node: vector(several.len()),
            up: vector(count),
            down: vector(count),
            differs: vector(count),
            first: vector(count),
            productive: vector(2 * count),
            escape: vector(2 * count),
            away: Default::default(),
            wraps: vector(count),
            crosses: Default::default(),
            above: Constant::new((0xFFFF_usize << low[count] & 0xFFFF).to_bits()),
            dimensions: count.into(),
            size: Table::new(sizes.clone()),
            low: Table::new(low),
            mask: Table::new(widths.iter().map(|&width| (1 << width) - 1).collect()),
            directions: (2 * count).into(),
            trunk: (*trunk).into(),
            node_ports: torus.node_ports().into(),
            node_digits: several.len().into(),
            node_mask: Table::new(several.iter().map(|_| (1 << node_bits) - 1).collect()),
            nodes: Table::new(several),
            vcs: vcs.into(),
            adaptives: (vcs - 2).into(),
            info: BlockInfo::new(NAME, include_str!("torus_routing.rs")),
        })
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

rtl_signals!(TorusRouting, ports(RoutingPorts), registers(), children());
