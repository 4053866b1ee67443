//! Tells where a packet may go in a two-dimensional mesh or torus whose links may be off but for stairs.
//!
//! Rule:     P is every way that is on (`grid_ways`), on the virtual channels 0 to V-3. D is the next hop of the escape along the stairs, on V-2
//!           or V-1. A packet that came on one of these from a switch has an empty P and stays on it. At the destination, D is the
//!           node's port, on any channel.
//! Escape:   where x + y is even along x, else along y, towards the destination; in its column (row) once upwards on V-2, once downwards on
//!           V-1, and away from the edge. V-2 carries what is to go up or to the right of the falling diagonal, or along it, V-1 the rest.
//! Latency:  none (combinational).
//! Range:    dimensions of 2 to 256 switches, in a torus of 3 and more, 3 to 8 virtual channels; a destination that does not exist is not
//!           `routable`, and all sets are empty. The ports are +x, -x, +y, -y and those of the nodes.
//! Source:   docs/microarchitecture/routing.md; Duato 1993; Soteriou and Peh, section III.

use super::{GridWays, InjectionLimit, RoutingPorts};
use super::{Unit, escape_blocks, grid_ways::DIRECTIONS};
use crate::block;
use powar_config::routing::staircase_escape;
use powar_config::topology::connectivity::Grid;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "staircase_escape_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &staircase_escape::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(StaircaseEscapeRouting::new(config, topology)?)),
    blocks: escape_blocks,
};

block! {
    pub struct StaircaseEscapeRouting(
        NAME,
        include_str!("staircase_escape_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, staircase_escape::ROUTING.sees)
    )
    /// `None` if the topology has no connectivity graphs.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let grid = Grid::of(topology).ok()?;
        let (n, vcs) = (config.ports, config.switch.vcs);
    }
    children {
        /// Directions in which links are on.
        grid: GridWays = GridWays::new(config, topology)?,
        /// Directions that are open to packets from nodes.
        limit: InjectionLimit = InjectionLimit::new(config, DIRECTIONS),
    }
    locals {
        /// The packet came on an escape channel; on the first one, on the last.
        escaping: Bit,
        on_first: Bit,
        /// Sums of coordinates, x + y.
        here: Bits<10>,
        there: Bits<10>,
        /// The packet's escape channel is the first one.
        first: Bit,
        /// The stairs go on along y.
        odd: Bit,
        /// By dimension: the next hop is upwards; it is along this one.
        upwards[2]: Bit,
        along[2]: Bit,
    }
    sizes {
        dimensions = 2,
        directions = DIRECTIONS,
        node_ports = n - 4,
        vcs = vcs,
        /// Adaptive virtual channels.
        adaptives = vcs - 2,
    }
    tables {
        /// Last coordinate of each dimension.
        last = vec![grid.columns - 1, grid.rows - 1],
    }
}

impl Logic for StaircaseEscapeRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.grid.position.next = self.ports.position.val();
        self.grid.destination.next = self.ports.destination.val();
        self.grid.input_port.next = self.ports.input_port[0].val();
        self.limit.input_port.next = self.ports.input_port[0].val();
        for p in 0..self.directions.get() {
            self.grid.serves[p].next = self.ports.serves[p].val();
            self.limit.occupancy[p].next = self.ports.occupancy[p].val();
        }
        for l in 0..self.node_ports.get() {
            self.grid.serves[self.directions + l].next = self.ports.serves[self.directions + l].val();
        }
        self.ports.routable.next = self.grid.routable.val();
        // What the escape has been is kept to.
        self.escaping.next = (self.ports.input_port[0].val() < self.directions.val().to_bits())
            & (self.ports.input_vc[0].val() >= self.adaptives.val().to_bits());
        self.on_first.next = self.ports.input_vc[0].val() == self.adaptives.val().to_bits();
        self.here.next = bit_cast::<10, 9>(self.grid.from[0].val()) + bit_cast::<10, 9>(self.grid.from[1].val());
        self.there.next = bit_cast::<10, 9>(self.grid.to[0].val()) + bit_cast::<10, 9>(self.grid.to[1].val());
        self.first.next = self.there.val() >= self.here.val();
        if self.escaping.val() {
            self.first.next = self.on_first.val();
        }
        self.odd.next = self.here.val().get_bit(0);
        self.along[0].next = !self.odd.val();
        self.along[1].next = self.odd.val();
        for i in 0..self.dimensions.get() {
            self.upwards[i].next = (self.grid.to[i].val() > self.grid.from[i].val())
                | ((self.grid.to[i].val() == self.grid.from[i].val())
                    & ((self.first.val() & (self.grid.from[i].val() != self.last[i].to_bits()))
                        | (!self.first.val() & (self.grid.from[i].val() == 0))));
        }
        for i in 0..self.dimensions.get() {
            self.ports.deterministic[2 * i].next =
                self.grid.away.val() & self.along[i].val() & self.upwards[i].val() & self.limit.admits[2 * i].val();
            self.ports.deterministic[2 * i + 1].next = self.grid.away.val()
                & self.along[i].val()
                & !self.upwards[i].val()
                & self.limit.admits[2 * i + 1].val();
        }
        for g in 0..self.directions.get() {
            self.ports.adaptive[g].next = self.grid.ways[g].val() & self.limit.admits[g].val() & !self.escaping.val();
        }
        for l in 0..self.node_ports.get() {
            self.ports.adaptive[self.directions + l].next = false;
            self.ports.deterministic[self.directions + l].next = self.grid.own[self.directions + l].val();
        }
        for w in 0..self.adaptives.get() {
            self.ports.adaptive_vcs[w].next = self.grid.away.val() & !self.escaping.val();
            self.ports.deterministic_vcs[w].next = self.grid.routable.val() & !self.grid.away.val();
        }
        self.ports.adaptive_vcs[self.vcs - 2].next = false;
        self.ports.adaptive_vcs[self.vcs - 1].next = false;
        self.ports.deterministic_vcs[self.vcs - 2].next =
            self.grid.routable.val() & (!self.grid.away.val() | self.first.val());
        self.ports.deterministic_vcs[self.vcs - 1].next =
            self.grid.routable.val() & !(self.grid.away.val() & self.first.val());
    }
}
