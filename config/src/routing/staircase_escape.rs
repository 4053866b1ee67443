//! A mesh or a torus whose links may be off but for stairs: any way that is on, over an escape along the stairs.

use super::{Routing, RoutingSees, all_ports, from_port_0, grid, never, no_words, unconditional};
use crate::shape::Deterministic;
use crate::topology::connectivity::STAIRCASE;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "staircase-escape",
    doc: "any way over links that are on, a hop round what is off; two virtual channels along ever-on stairs as an escape",
    sees: RoutingSees { header: false, input: true, serves: true, occupancy: true, table: false, to_node: false },
    is_for: grid::is_for,
    comes_first: never,
    counts_on: Some(&STAIRCASE),
    limits: None,
    least_vcs: 3,
    keeps_order: false,
    takes_all: true,
    deterministic: Deterministic::Single,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check: unconditional,
    words: no_words,
};
