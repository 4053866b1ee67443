//! A mesh: minimal adaptive over an escape channel in the order of dimensions (Duato).

use super::{Routing, RoutingSees, all_ports, from_port_0, never, no_words, unconditional};
use crate::shape::Deterministic;
use crate::topology::Mesh;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "mesh",
    doc: "any shortest way; one virtual channel in the order of dimensions as an escape",
    sees: RoutingSees { header: false, input: false, serves: false, occupancy: false, table: false, to_node: false },
    is_for: |topology| topology.of::<Mesh>().is_some(),
    comes_first: never,
    counts_on: None,
    limits: None,
    least_vcs: 1,
    keeps_order: false,
    takes_all: true,
    deterministic: Deterministic::Single,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check: unconditional,
    words: no_words,
};
