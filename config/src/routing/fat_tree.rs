//! A k-ary n-tree: up on any port until the destination is below, then down.

use super::{Routing, RoutingSees, no_words, unconditional};
use crate::config::Deterministic;
use crate::topology::FatTree;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "fat-tree",
    doc: "up on any port until the destination is below, then down",
    sees: RoutingSees { header: false, input: false, serves: false, occupancy: false, table: false },
    is_for: |topology| topology.of::<FatTree>().is_some(),
    counts_on: None,
    least_vcs: 1,
    keeps_order: true,
    takes_all: true,
    deterministic: Deterministic::Single,
    check: unconditional,
    words: no_words,
};
