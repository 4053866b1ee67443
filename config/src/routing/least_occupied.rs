//! A k-ary n-tree: up where the next buffers are emptiest, of those ports that the power mechanism counts on, then down.

use super::{Routing, RoutingSees, unconditional};
use crate::config::Deterministic;
use crate::topology::FatTree;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "least-occupied",
    doc: "up on the ports with the emptiest next buffers, of those that serve, until the destination is below, then down",
    sees: RoutingSees { header: true, input: true, serves: true, occupancy: true },
    is_for: |topology| topology.of::<FatTree>().is_some(),
    least_vcs: 1,
    deterministic: Deterministic::Single,
    check: unconditional,
};
