//! Tells where a packet may go in a two-dimensional mesh or torus whose links may be off but for one-way streets.
//!
//! Rule:     P is every way that is on (`grid_ways`), on the virtual channels 0 to V-3. D is the next hop of the escape along the streets, on V-2
//!           or V-1. A packet that came on one of these from a switch has an empty P. At the destination, D is the node's port, on any
//!           channel.
//! Escape:   in a torus along the row, then along the column, in their only directions, on V-2 while the way left in the dimension crosses the
//!           wrap-around link, else on V-1. In a mesh the same on V-1 if row and column lead there; if not, on V-2 to the edge and
//!           along it to the row where the column begins.
//! Latency:  none (combinational).
//! Range:    dimensions of 2 to 256 switches, in a torus of 3 and more, 3 to 8 virtual channels; a destination that does not exist is not
//!           `routable`, and all sets are empty. The ports are +x, -x, +y, -y and those of the nodes.
//! Source:   docs/microarchitecture/routing.md; Duato 1993; Soteriou and Peh, section III.

use super::{GridWays, InjectionLimit, RoutingPorts};
use super::{Unit, escape_blocks, grid_ways::DIRECTIONS};
use crate::block;
use powar_config::routing::alternating_escape;
use powar_config::topology::connectivity::Grid;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "alternating_escape_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &alternating_escape::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(AlternatingEscapeRouting::new(config, topology)?)),
    blocks: escape_blocks,
};

block! {
    pub struct AlternatingEscapeRouting(
        NAME,
        include_str!("alternating_escape_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, alternating_escape::ROUTING.sees)
    )
    /// `None` if the topology has no connectivity graphs.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let grid = Grid::of(topology).ok()?;
        let (n, vcs, mesh) = (config.ports, config.switch.vcs, usize::from(!grid.wraps));
    }
    children {
        /// Directions in which links are on.
        grid: GridWays = GridWays::new(config, topology)?,
        /// Directions that are open to packets from nodes.
        limit: InjectionLimit = InjectionLimit::new(config, DIRECTIONS),
    }
    locals {
        /// The packet came on an escape channel.
        escaping: Bit,
        /// Of the row and of the destination's column: their only direction is downwards.
        odd[2]: Bit,
        /// Of the column here.
        odd_here: Bit,
        /// By dimension: it differs, the destination is upwards.
        differs[2]: Bit,
        higher[2]: Bit,
        /// Of a torus: the destination is upwards in the dimension of the next hop.
        beyond[1 - mesh]: Bit,
        /// Of a mesh. The row, the destination's column and the column here are at an edge.
        border[2 * mesh]: Bit,
        border_here[mesh]: Bit,
        /// The row and the destination's column lead there; both do.
        leads[2 * mesh]: Bit,
        direct[mesh]: Bit,
        /// The next hop is along y; it is upwards.
        turned: Bit,
        upwards: Bit,
        /// By direction: the next hop is this one.
        hop[DIRECTIONS]: Bit,
        /// Its channel is the last one.
        late: Bit,
    }
    sizes {
        dimensions = 2,
        /// 1 for a mesh and 0 for a torus, and the other way round; a mesh's dimensions.
        mesh = mesh,
        torus = 1 - mesh,
        lines = 2 * mesh,
        last_column = grid.columns - 1,
        directions = DIRECTIONS,
        node_ports = n - 4,
        vcs = vcs,
        /// Adaptive virtual channels.
        adaptives = vcs - 2,
    }
    tables {
        /// Last row and column.
        street_ends = vec![grid.rows - 1, grid.columns - 1],
    }
}

impl Logic for AlternatingEscapeRouting {
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
        self.escaping.next = (self.ports.input_port[0].val() < self.directions.val().to_bits())
            & (self.ports.input_vc[0].val() >= self.adaptives.val().to_bits());
        for i in 0..self.dimensions.get() {
            self.differs[i].next = self.grid.to[i].val() != self.grid.from[i].val();
            self.higher[i].next = self.grid.to[i].val() > self.grid.from[i].val();
        }
        self.odd_here.next = self.grid.from[0].val().get_bit(0);
        self.odd[0].next = self.grid.from[1].val().get_bit(0);
        self.odd[1].next = self.grid.to[0].val().get_bit(0);
        for r in 0..self.torus.get() {
            self.turned.next = !self.differs[0].val();
            self.upwards.next = !self.odd[0].val();
            self.beyond[r].next = self.higher[0].val();
            if self.turned.val() {
                self.upwards.next = !self.odd_here.val();
                self.beyond[r].next = self.higher[1].val();
            }
            // Ahead on the street, so that it does not cross the wrap-around link.
            self.late.next = self.beyond[r].val() == self.upwards.val();
        }
        for m in 0..self.mesh.get() {
            self.border[m].next =
                (self.grid.from[1].val() == 0) | (self.grid.from[1].val() == self.street_ends[m].to_bits());
            self.border[m + 1].next =
                (self.grid.to[0].val() == 0) | (self.grid.to[0].val() == self.street_ends[m + 1].to_bits());
            self.border_here[m].next =
                (self.grid.from[0].val() == 0) | (self.grid.from[0].val() == self.last_column.val().to_bits());
        }
        for i in 0..self.lines.get() {
            self.leads[i].next =
                !self.differs[i].val() | self.border[i].val() | (self.higher[i].val() != self.odd[i].val());
        }
        for m in 0..self.mesh.get() {
            self.direct[m].next = self.leads[m].val() & self.leads[m + 1].val();
            self.late.next = self.direct[m].val();
            self.turned.next = self.border_here[m].val();
            self.upwards.next = !self.odd[0].val();
            if self.border_here[m].val() {
                self.upwards.next = self.odd[1].val();
            }
            if self.direct[m].val() {
                self.turned.next = !self.differs[0].val();
                self.upwards.next = self.higher[0].val() | (!self.differs[0].val() & self.higher[1].val());
            }
        }
        // The escape's next hop, and whether the packet may ask for it.
        self.hop[0].next = !self.turned.val() & self.upwards.val();
        self.hop[1].next = !self.turned.val() & !self.upwards.val();
        self.hop[2].next = self.turned.val() & self.upwards.val();
        self.hop[3].next = self.turned.val() & !self.upwards.val();
        for g in 0..self.directions.get() {
            self.ports.deterministic[g].next = self.grid.away.val() & self.hop[g].val() & self.limit.admits[g].val();
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
            self.grid.routable.val() & !(self.grid.away.val() & self.late.val());
        self.ports.deterministic_vcs[self.vcs - 1].next =
            self.grid.routable.val() & (!self.grid.away.val() | self.late.val());
    }
}
