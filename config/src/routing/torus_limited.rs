//! A torus as `torus` routes it, with a limit on what nodes put in: rings that are full come to a standstill but for the escape.

use super::{Routing, RoutingSees, all_ports, from_port_0, no_words, torus};
use crate::topology::Torus;

/// Switches of a ring from which on it does not stay free by itself: where nodes give more than the network takes, rings of eight carry 0.6 to
/// 0.7 of their most without a limit (docs/results.md), rings of four all of it.
const LONG_RING: usize = 8;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "torus-limited",
    doc: "as torus; packets from nodes wait until half a virtual channel's flits, or fewer, are under way where they want to go",
    sees: RoutingSees { header: false, input: true, serves: false, occupancy: true, table: false, to_node: false },
    is_for: torus::ROUTING.is_for,
    comes_first: |topology| {
        topology.of::<Torus>().is_some_and(|torus| torus.dimensions.iter().any(|&size| size >= LONG_RING))
    },
    counts_on: None,
    limits: Some(&torus::ROUTING),
    least_vcs: torus::ROUTING.least_vcs,
    keeps_order: torus::ROUTING.keeps_order,
    takes_all: torus::ROUTING.takes_all,
    deterministic: torus::ROUTING.deterministic,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check: torus::ROUTING.check,
    words: no_words,
};
