//! A dragonfly: the shortest way, or over another group where the buffers of the first switch say that it is quicker (UGAL-L).

use super::{Routing, RoutingSees, all_ports, from_port_0, never, no_group_of_several, no_words};
use crate::shape::Deterministic;
use crate::topology::Dragonfly;

const NAME: &str = "dragonfly-ugal";

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: NAME,
    doc: "the shortest way, or over another group if the next buffers of the first switch say that it is quicker (UGAL-L)",
    sees: RoutingSees { header: false, input: true, serves: false, occupancy: true, table: false, to_node: false },
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
