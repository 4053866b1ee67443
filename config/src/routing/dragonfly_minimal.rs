//! A dragonfly: the shortest way, over at most one link between groups.

use super::{Routing, RoutingSees, all_ports, from_port_0, never, no_group_of_several, no_words};
use crate::shape::Deterministic;
use crate::topology::Dragonfly;

const NAME: &str = "dragonfly-minimal";

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: NAME,
    doc: "the shortest way; a virtual channel for each link between groups that has been crossed",
    sees: RoutingSees { header: false, input: true, serves: false, occupancy: false, table: false, to_node: false },
    is_for: |topology| topology.of::<Dragonfly>().is_some(),
    comes_first: never,
    counts_on: None,
    limits: None,
    least_vcs: 3,
    keeps_order: false,
    takes_all: true,
    deterministic: Deterministic::Single,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check: |config, _| no_group_of_several(config, NAME),
    words: no_words,
};
