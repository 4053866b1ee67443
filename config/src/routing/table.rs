//! Any network: what a table says that software has loaded.

use super::tables::{RoutingTables, TableRow};
use super::{Routing, RoutingSees, all_ports, from_port_0, never, no_group_of_several};
use crate::config::Config;
use crate::registers::{Reset, WORD_BYTES, Word, routing_words};
use crate::shape::{Deterministic, Shape};
use crate::topology::{Topology, digit_bits};
use anyhow::Result;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "table",
    doc: "what a table says that software has loaded: shortest ways, with a way up and down a tree as the last resort",
    sees: RoutingSees { header: false, input: false, serves: false, occupancy: false, table: true, to_node: false },
    is_for: |_| true,
    comes_first: never,
    counts_on: None,
    limits: None,
    least_vcs: 1,
    keeps_order: false,
    takes_all: true,
    deterministic: Deterministic::Single,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check,
    words,
};

/// Any port may be the only one for a packet.
pub(super) fn check(shape: &Shape, _: &dyn Topology) -> Result<()> {
    no_group_of_several(shape, "routing by table")
}

/// Byte addresses of `table_row` and of `table_word0`.
pub const ROW: u16 = 0x0010;
pub const WORD0: u16 = 0x0014;
/// `table_word0` to the last one that there may be.
const WORDS: [&str; 3] = ["table_word0", "table_word1", "table_word2"];
/// Byte address of the first word that says which ports lead to nodes, 32 ports a word; behind those of a row.
pub const NODE_PORTS: u16 = WORD0 + WORD_BYTES * WORDS.len() as u16;

/// Bits that an address has in the network of a configuration: a table has a row for each of their values. 1..=16 in a configuration that has
/// passed [`Config::check_switch`]; 1 without a topology.
pub fn row_bits<'a>(shape: impl Into<Shape<'a>>) -> usize {
    let Shape { topology, ports, .. } = shape.into();
    let bases = topology.map(|topology| topology.bases(ports)).unwrap_or_default();
    bases.into_iter().map(digit_bits).sum::<usize>().max(1)
}

/// A write of a word: byte address and data.
pub type Write = (u16, u32);

/// What software writes to load the table of a switch of a configuration's network: 0 to `table_row`, then all rows in order, then which ports
/// lead to nodes, if the routing sees that.
pub fn writes(config: &Config, tables: &RoutingTables, switch: usize) -> Vec<Write> {
    let (wiring, vcs) = (tables.wiring(), tables.vcs());
    let ports = wiring.ends[switch].len();
    // As many as addresses of the network have values: memory need not start at 0 everywhere.
    let rows = (u32::from(wiring.addresses.iter().copied().max().unwrap_or(0)) + 1).next_power_of_two();
    let of_row = |address: u32| {
        let words = tables.row(switch, address as u16).words(ports, vcs).into_iter();
        words.enumerate().map(|(place, word)| (WORD0 + WORD_BYTES * place as u16, word))
    };
    let words = routing_words(config).into_iter().map(|word| word.offset).filter(|&offset| offset >= NODE_PORTS);
    let nodes = words.map(|offset| (offset, (tables.node_ports(switch) >> (8 * (offset - NODE_PORTS))) as u32));
    std::iter::once((ROW, 0)).chain((0..rows).flat_map(of_row)).chain(nodes).collect()
}

/// The words through which a table is written, lowest address first.
pub(super) fn words(shape: &Shape) -> Vec<Word> {
    let (ports, vcs) = (shape.ports, shape.switch.vcs);
    let row = "Row of the routing table that is written next: the packed address of a node";
    let mut words = vec![Word::written(ROW, "table_row", row_bits(*shape) as u32, Reset::Value(0), row)];
    let count = TableRow::word_count(ports, vcs);
    for (place, name) in WORDS.into_iter().enumerate().take(count) {
        let (bits, doc) = match place + 1 == count {
            false => (32, "Part of the row, lowest first: P, the port of D, VCs allowed with P, with D"),
            true => (
                TableRow::bits(ports, vcs) - 32 * place,
                "Last part of the row (P, the port of D, VCs allowed with P, with D): writing it writes the row, and counts table_row up",
            ),
        };
        words.push(Word::written(WORD0 + WORD_BYTES * place as u16, name, bits as u32, Reset::Value(0), doc));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::Group;

    #[test]
    fn a_port_that_a_packet_relies_on_is_in_no_group_of_several() {
        let mut config = Config::of_network("4-ary-2-tree").unwrap();
        config.route_by(&ROUTING);
        config.check_switch().unwrap();
        config.groups = vec![Group { first: 4, size: 4 }];
        let error = config.check_switch().unwrap_err().to_string();
        assert_eq!(error, "groups[0].size: 4 is out of range 1..=1 with routing by table");
    }
}
