//! Tells where a packet may go in any network: what a table says that software has loaded.
//!
//! Rule:     the row of the destination has, without gaps and lowest first: P, the number of the port of D, the virtual channels allowed with
//!           P, those allowed with D. A set without a virtual channel is empty, and so is D if there is no such port.
//! Latency:  none (combinational).
//! Range:    2 to 64 ports, 1 to 8 virtual channels. A row without a port says that there is no such destination.
//! Source:   docs/microarchitecture/routing.md.

use super::{RoutingPorts, Unit, no_blocks};
use crate::block;
use powar_config::Config;
use powar_config::routing::table;
use powar_config::routing::tables::TableRow;
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "table_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &table::ROUTING,
    module: NAME,
    build: |config, _| Some(Box::new(TableRouting::new(config))),
    blocks: no_blocks,
};

block! {
    pub struct TableRouting(
        NAME,
        include_str!("table_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, table::ROUTING.sees)
    )
    pub fn new(config: &Config) -> Self {
        let (n, vcs) = (config.ports, config.switch.vcs);
        let bits = TableRow::bits(n, vcs);
    }
    locals {
        /// The number of the port of D.
        port: Bits<6>,
        /// P has a virtual channel, and a port; D likewise.
        adaptive_has_vc: Bit,
        deterministic_has_vc: Bit,
        some_adaptive: Bit,
        some_deterministic: Bit,
    }
    sizes {
        n = n,
        vcs = vcs,
        port_bits = TableRow::port_bits(n),
        /// Where the virtual channels of P begin in the row.
        first_vc = n + TableRow::port_bits(n),
    }
    tables {
        /// The word of each bit of the row, and its place there.
        word_of = (0..bits).map(|bit| bit / 32).collect(),
        bit_of = (0..bits).map(|bit| bit % 32).collect(),
    }
}

impl Logic for TableRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.adaptive_has_vc.next = false;
        self.deterministic_has_vc.next = false;
        for w in 0..self.vcs.get() {
            self.adaptive_has_vc.next = self.adaptive_has_vc.val()
                | self.ports.row[self.word_of[self.first_vc + w]].val().get_bit(self.bit_of[self.first_vc + w]);
            self.deterministic_has_vc.next = self.deterministic_has_vc.val()
                | self.ports.row[self.word_of[self.first_vc + self.vcs + w]]
                    .val()
                    .get_bit(self.bit_of[self.first_vc + self.vcs + w]);
        }
        self.port.next = 0.into();
        for b in 0..self.port_bits.get() {
            self.port.next = self
                .port
                .val()
                .replace_bit(b, self.ports.row[self.word_of[self.n + b]].val().get_bit(self.bit_of[self.n + b]));
        }
        for p in 0..self.n.get() {
            self.ports.adaptive[p].next =
                self.adaptive_has_vc.val() & self.ports.row[self.word_of[p]].val().get_bit(self.bit_of[p]);
            self.ports.deterministic[p].next = self.deterministic_has_vc.val() & (self.port.val() == p.to_bits());
        }
        self.some_adaptive.next = false;
        self.some_deterministic.next = false;
        for p in 0..self.n.get() {
            self.some_adaptive.next = self.some_adaptive.val() | self.ports.adaptive[p].val();
            self.some_deterministic.next = self.some_deterministic.val() | self.ports.deterministic[p].val();
        }
        self.ports.routable.next = self.some_adaptive.val() | self.some_deterministic.val();
        for w in 0..self.vcs.get() {
            self.ports.adaptive_vcs[w].next = self.some_adaptive.val()
                & self.ports.row[self.word_of[self.first_vc + w]].val().get_bit(self.bit_of[self.first_vc + w]);
            self.ports.deterministic_vcs[w].next = self.some_deterministic.val()
                & self.ports.row[self.word_of[self.first_vc + self.vcs + w]]
                    .val()
                    .get_bit(self.bit_of[self.first_vc + self.vcs + w]);
        }
    }
}
