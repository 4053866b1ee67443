//! A mesh whose links may be off but for one-way streets: two virtual networks with a last turn each, and a look-ahead instead of an escape
//! (Soteriou and Peh, III-B.1).

use super::{Routing, RoutingSees, all_ports, from_port_0, grid, never, no_words, unconditional};
use crate::shape::Deterministic;
use crate::topology::connectivity::ALTERNATING;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "west-last-east-last",
    doc: "any way over links that are on from which ever-on streets lead on; two virtual networks, one turns west last, one east last",
    sees: RoutingSees { header: false, input: true, serves: true, occupancy: false, table: false, to_node: false },
    is_for: grid::is_for_a_mesh,
    comes_first: never,
    counts_on: Some(&ALTERNATING),
    limits: None,
    least_vcs: 2,
    keeps_order: false,
    takes_all: false,
    deterministic: Deterministic::Single,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check: unconditional,
    words: no_words,
};
