//! Tells where a packet may go in a two-dimensional mesh whose links may be off but for one-way streets, over two virtual networks.
//!
//! Rule:     P is every way that is on, or ever-on, and from which ever-on channels lead to the destination, with the turns that are left: what is nearer, or
//!           if there is nothing of that any such way, on the virtual channels of the packet's network. D is empty on the way; at the
//!           destination it is the node's port, on any channel.
//! Networks: even channels turn west last, odd ones turn east last. A packet from a switch stays where it is; one from a node goes west last if
//!           its destination is to the east, or in this column in an odd row.
//! Latency:  none (combinational).
//! Range:    meshes of 2 to 256 switches along each dimension, 2 to 8 virtual channels; a destination that does not exist is not `routable`, and
//!           all sets are empty. A packet that comes where no switch would send it may have no way. The ports are +x, -x, +y, -y and those
//!           of the nodes.
//! Source:   docs/microarchitecture/routing.md; Soteriou and Peh, section III-B.1.

use super::{GridWays, RoutingPorts, Unit, grid_ways};
use crate::block;
use powar_config::routing::west_last_east_last;
use powar_config::topology::connectivity::Grid;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "west_last_east_last_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &west_last_east_last::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(WestLastEastLastRouting::new(config, topology)?)),
    blocks: grid_ways::blocks,
};

block! {
    pub struct WestLastEastLastRouting(
        NAME,
        include_str!("west_last_east_last_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, west_last_east_last::ROUTING.sees)
    )
    /// `None` if the topology is no mesh with connectivity graphs.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let grid = Grid::of(topology).ok().filter(|grid| !grid.wraps)?;
        let (n, vcs) = (config.ports, config.switch.vcs);
    }
    children {
        /// Directions in which links are on.
        grid: GridWays = GridWays::new(config, topology)?,
    }
    locals {
        /// The packet came from a switch. It is in the network that turns east last.
        from_switch: Bit,
        east_last: Bit,
        /// The column and the row here are odd.
        odd_column: Bit,
        odd_row: Bit,
        /// By direction +x, -x, +y, -y: the destination lies there; it is one column or row away.
        lies[4]: Bit,
        next[4]: Bit,
        same_column: Bit,
        same_row: Bit,
        /// The destination's row is ever-on in the last direction.
        last_on: Bit,
        /// The destination is ahead in the free direction, in the next column; it is ahead in the last one, in the next column.
        onward: Bit,
        follows: Bit,
        behind: Bit,
        precedes: Bit,
        /// This column is the last one in the free direction; the destination's is.
        at_end: Bit,
        to_end: Bit,
        /// The next column in the free direction is ever-on towards the destination's row.
        bends: Bit,
        /// This column is the first or the last; the next one in the free direction is.
        side: Bit,
        next_side: Bit,
        /// Ever-on channels lead to the destination behind the free and the last direction.
        free_ahead: Bit,
        last_ahead: Bit,
        /// Of +y and -y: there is a cable, the column is a street in this direction, it is ever-on, and so is the next row in the free direction.
        cable[2]: Bit,
        own_way[2]: Bit,
        street[2]: Bit,
        next_free_on[2]: Bit,
        /// From the next row one can go on in the free direction.
        leaves[2]: Bit,
        /// If the destination is onward, and if it is not: channels lead there.
        reaches[2]: Bit,
        returns[2]: Bit,
        /// The packet has gone in the last direction.
        stays: Bit,
        /// The row here is the first or the last.
        row_side: Bit,
        /// By direction: ever-on channels lead on behind it; it is ever-on itself; it may be taken.
        ahead[4]: Bit,
        ever_on[4]: Bit,
        good[4]: Bit,
        /// Some of these are nearer and on.
        leads: Bit,
    }
    sizes {
        directions = 4,
        verticals = 2,
        /// Last column and row, and those before.
        last_column = grid.columns - 1,
        last_row = grid.rows - 1,
        column_before = grid.columns - 2,
        row_before = grid.rows - 2,
        node_ports = n - 4,
        vcs = vcs,
        /// Virtual channels of either network.
        west_last_vcs = vcs.div_ceil(2),
        east_last_vcs = vcs / 2,
    }
}

impl Logic for WestLastEastLastRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.grid.position.next = self.ports.position.val();
        self.grid.destination.next = self.ports.destination.val();
        self.grid.input_port.next = self.ports.input_port[0].val();
        for p in 0..self.directions.get() {
            self.grid.serves[p].next = self.ports.serves[p].val();
        }
        for l in 0..self.node_ports.get() {
            self.grid.serves[self.directions + l].next = self.ports.serves[self.directions + l].val();
        }
        self.ports.routable.next = self.grid.routable.val();
        self.odd_column.next = self.grid.from[0].val().get_bit(0);
        self.odd_row.next = self.grid.from[1].val().get_bit(0);
        for i in 0..self.verticals.get() {
            self.lies[2 * i].next = self.grid.to[i].val() > self.grid.from[i].val();
            self.lies[2 * i + 1].next = self.grid.to[i].val() < self.grid.from[i].val();
            self.next[2 * i].next = self.grid.to[i].val() == self.grid.from[i].val() + 1;
            self.next[2 * i + 1].next = self.grid.to[i].val() + 1 == self.grid.from[i].val();
        }
        self.same_column.next = !self.lies[0].val() & !self.lies[1].val();
        self.same_row.next = !self.lies[2].val() & !self.lies[3].val();
        // A node's packet goes to the network from which it can come back to its row, if it has to.
        self.from_switch.next = self.ports.input_port[0].val() < self.directions.val().to_bits();
        self.east_last.next = self.lies[1].val() | (self.same_column.val() & !self.grid.to[1].val().get_bit(0));
        if self.from_switch.val() {
            self.east_last.next = self.ports.input_vc[0].val().get_bit(0);
        }
        self.last_on.next = (self.grid.to[1].val() == 0)
            | (self.grid.to[1].val() == self.last_row.val().to_bits())
            | (self.grid.to[1].val().get_bit(0) != self.east_last.val());
        self.side.next = (self.grid.from[0].val() == 0) | (self.grid.from[0].val() == self.last_column.val().to_bits());
        if self.east_last.val() {
            self.onward.next = self.lies[1].val();
            self.follows.next = self.next[1].val();
            self.behind.next = self.lies[0].val();
            self.precedes.next = self.next[0].val();
            self.at_end.next = self.grid.from[0].val() == 0;
            self.to_end.next = self.grid.to[0].val() == 0;
            self.next_side.next = self.grid.from[0].val() == 1;
            self.stays.next = self.ports.input_port[0].val() == 1;
        } else {
            self.onward.next = self.lies[0].val();
            self.follows.next = self.next[0].val();
            self.behind.next = self.lies[1].val();
            self.precedes.next = self.next[1].val();
            self.at_end.next = self.grid.from[0].val() == self.last_column.val().to_bits();
            self.to_end.next = self.grid.to[0].val() == self.last_column.val().to_bits();
            self.next_side.next = self.grid.from[0].val() == self.column_before.val().to_bits();
            self.stays.next = self.ports.input_port[0].val() == 0;
        }
        // The next column is odd where this one is even.
        self.bends.next = self.next_side.val() | (self.odd_column.val() == self.lies[2].val());
        self.free_ahead.next = !self.at_end.val()
            & ((self.onward.val() & !self.follows.val())
                | (self.follows.val() & self.same_row.val())
                | (!self.same_row.val() & (self.last_on.val() | (self.follows.val() & self.bends.val()))));
        self.last_ahead.next = self.same_row.val() & (self.precedes.val() | (self.behind.val() & self.last_on.val()));
        self.cable[0].next = self.grid.from[1].val() != self.last_row.val().to_bits();
        self.cable[1].next = self.grid.from[1].val() != 0;
        self.own_way[0].next = !self.odd_column.val();
        self.own_way[1].next = self.odd_column.val();
        self.next_free_on[0].next =
            (self.grid.from[1].val() == self.row_before.val().to_bits()) | (self.odd_row.val() != self.east_last.val());
        self.next_free_on[1].next = (self.grid.from[1].val() == 1) | (self.odd_row.val() != self.east_last.val());
        for i in 0..self.verticals.get() {
            self.street[i].next = self.side.val() | self.own_way[i].val();
            self.leaves[i].next = self.street[i].val() | self.next_free_on[i].val();
            self.reaches[i].next = self.leaves[i].val()
                & (!self.follows.val()
                    | self.own_way[i].val()
                    | self.lies[2 + i].val()
                    | self.last_on.val()
                    | self.to_end.val());
            self.returns[i].next = ((self.same_column.val() | self.last_on.val())
                & (self.next[2 + i].val() | (self.lies[2 + i].val() & self.street[i].val())))
                | (self.last_on.val() & !self.at_end.val() & self.leaves[i].val());
        }
        for i in 0..self.verticals.get() {
            self.ahead[2 + i].next = self.cable[i].val()
                & !self.stays.val()
                & ((self.onward.val() & self.reaches[i].val()) | (!self.onward.val() & self.returns[i].val()));
        }
        if self.east_last.val() {
            self.ahead[0].next = self.last_ahead.val();
            self.ahead[1].next = self.free_ahead.val();
        } else {
            self.ahead[0].next = self.free_ahead.val();
            self.ahead[1].next = self.last_ahead.val();
        }
        self.row_side.next =
            (self.grid.from[1].val() == 0) | (self.grid.from[1].val() == self.last_row.val().to_bits());
        self.ever_on[0].next = self.row_side.val() | !self.odd_row.val();
        self.ever_on[1].next = self.row_side.val() | self.odd_row.val();
        self.ever_on[2].next = self.street[0].val();
        self.ever_on[3].next = self.street[1].val();
        self.leads.next = false;
        for g in 0..self.directions.get() {
            self.good[g].next = self.grid.away.val()
                & self.ahead[g].val()
                & (self.ports.serves[g].val() | self.ever_on[g].val())
                & (self.ports.input_port[0].val() != g.to_bits());
            self.leads.next = self.leads.val() | (self.grid.ways[g].val() & self.good[g].val());
        }
        for g in 0..self.directions.get() {
            self.ports.adaptive[g].next = self.good[g].val() & (self.grid.ways[g].val() | !self.leads.val());
            self.ports.deterministic[g].next = false;
        }
        for l in 0..self.node_ports.get() {
            self.ports.adaptive[self.directions + l].next = false;
            self.ports.deterministic[self.directions + l].next = self.grid.own[self.directions + l].val();
        }
        for w in 0..self.west_last_vcs.get() {
            self.ports.adaptive_vcs[2 * w].next = self.grid.away.val() & !self.east_last.val();
        }
        for w in 0..self.east_last_vcs.get() {
            self.ports.adaptive_vcs[2 * w + 1].next = self.grid.away.val() & self.east_last.val();
        }
        for w in 0..self.vcs.get() {
            self.ports.deterministic_vcs[w].next = self.grid.routable.val() & !self.grid.away.val();
        }
    }
}
