//! Tells where a packet may go in any network by a table, where nodes wait for room in the next buffers.
//!
//! Rule:     the row is read as `table_routing` reads it. Of both sets a packet from a port to a node gets only ports to which no more flits are
//!           under way than fill half a virtual channel, but for those that lead to nodes themselves.
//! Latency:  none (combinational).
//! Range:    as `table_routing`. With `to_node` 0 nobody waits.
//! Source:   docs/microarchitecture/routing.md; Baydal, López and Duato 2005.

use super::{RoutingPorts, TableRouting, Unit, no_blocks};
use crate::block;
use powar_config::Config;
use powar_config::routing::table_limited;
use powar_config::routing::tables::TableRow;
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "table_limited_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &table_limited::ROUTING,
    module: NAME,
    build: |config, _| Some(Box::new(TableLimitedRouting::new(config))),
    blocks: no_blocks,
};

block! {
    pub struct TableLimitedRouting(
        NAME,
        include_str!("table_limited_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, table_limited::ROUTING.sees)
    )
    pub fn new(config: &Config) -> Self {
        let (n, vcs) = (config.ports, config.switch.vcs);
    }
    children {
        /// Where it may go if there is room.
        table: TableRouting = TableRouting::new(config),
    }
    locals {
        /// It came in from a node.
        from_node: Bit,
        /// Ports that are open to it.
        admits[n]: Bit,
    }
    constants {
        /// Flits that fill half a virtual channel.
        limit: Bits<13> = (config.switch.vc_depth() / 2).to_bits(),
    }
    sizes { n = n, vcs = vcs, row_words = TableRow::word_count(n, vcs) }
}

impl Logic for TableLimitedRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.table.position.next = self.ports.position.val();
        self.table.stage.next = self.ports.stage.val();
        self.table.destination.next = self.ports.destination.val();
        for w in 0..self.row_words.get() {
            self.table.row[w].next = self.ports.row[w].val();
        }
        self.from_node.next = false;
        for p in 0..self.n.get() {
            self.from_node.next =
                self.from_node.val() | (self.ports.to_node[p].val() & (self.ports.input_port[0].val() == p.to_bits()));
        }
        for p in 0..self.n.get() {
            self.admits[p].next = !self.from_node.val()
                | self.ports.to_node[p].val()
                | (self.ports.occupancy[p].val() <= self.limit.val());
        }
        self.ports.routable.next = self.table.routable.val();
        for p in 0..self.n.get() {
            self.ports.adaptive[p].next = self.table.adaptive[p].val() & self.admits[p].val();
            self.ports.deterministic[p].next = self.table.deterministic[p].val() & self.admits[p].val();
        }
        for v in 0..self.vcs.get() {
            self.ports.adaptive_vcs[v].next = self.table.adaptive_vcs[v].val();
            self.ports.deterministic_vcs[v].next = self.table.deterministic_vcs[v].val();
        }
    }
}
