//! Any network by a table, as `table` does it, with a limit on what nodes put in: long rings that are full come to a standstill but for the escape.

use super::table::{self, NODE_PORTS};
use super::{Routing, RoutingSees, all_ports, from_port_0};
use crate::registers::{Reset, WORD_BYTES, Word};
use crate::shape::Shape;
use crate::topology::Graph;

/// The line in the list of routings. It is the usual one of networks from files, whatever they look like: there is no telling beforehand which
/// of them fill up (docs/results.md).
pub const ROUTING: Routing = Routing {
    name: "table-limited",
    doc: "as table; packets from nodes wait until half a virtual channel's flits, or fewer, are under way where they want to go",
    sees: RoutingSees { header: false, input: true, serves: false, occupancy: true, table: true, to_node: true },
    is_for: table::ROUTING.is_for,
    comes_first: |topology| topology.of::<Graph>().is_some(),
    counts_on: None,
    limits: Some(&table::ROUTING),
    least_vcs: table::ROUTING.least_vcs,
    keeps_order: table::ROUTING.keeps_order,
    takes_all: table::ROUTING.takes_all,
    deterministic: table::ROUTING.deterministic,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check: table::check,
    words,
};

const NAMES: [&str; 2] = ["node_ports0", "node_ports1"];

/// The words of the table, and those that say which ports lead to nodes.
fn words(shape: &Shape) -> Vec<Word> {
    let mut words = table::words(shape);
    for (place, name) in NAMES.into_iter().enumerate().take(shape.ports.div_ceil(32)) {
        let bits = (shape.ports - 32 * place).min(32) as u32;
        let doc = "Bit p: port p (of node_ports1: port 32 + p) leads to a node, and what comes in there waits for room. 0: nothing waits";
        words.push(Word::written(NODE_PORTS + WORD_BYTES * place as u16, name, bits, Reset::Value(0), doc));
    }
    words
}
