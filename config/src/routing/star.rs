//! One switch: every node is at a port of its own.

use super::{Routing, RoutingSees, all_ports, from_port_0, never, no_words, unconditional};
use crate::shape::Deterministic;
use crate::topology::Star;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "star",
    doc: "to the port of the destination",
    sees: RoutingSees { header: false, input: false, serves: false, occupancy: false, table: false, to_node: false },
    is_for: |topology| topology.of::<Star>().is_some(),
    comes_first: never,
    counts_on: None,
    limits: None,
    least_vcs: 1,
    keeps_order: true,
    takes_all: true,
    deterministic: Deterministic::Single,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check: unconditional,
    words: no_words,
};
