//! A k-ary n-tree: up where the next buffers are emptiest, of those ports that the power mechanism counts on, then down.

use super::fat_tree::{down_ports, lowest_up};
use super::{Routing, RoutingSees, never, no_words};
use crate::shape::{Deterministic, Shape};
use crate::topology::{FatTree, Topology};
use anyhow::{Result, ensure};

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "least-occupied",
    doc: "up on the ports with the emptiest next buffers, of those that serve, until the destination is below, then down",
    sees: RoutingSees { header: true, input: true, serves: true, occupancy: true, table: false, to_node: false },
    is_for: |topology| topology.of::<FatTree>().is_some(),
    comes_first: never,
    counts_on: None,
    limits: None,
    least_vcs: 1,
    keeps_order: true,
    takes_all: true,
    deterministic: Deterministic::Set,
    lowest_adaptive: lowest_up,
    near_ports: down_ports,
    check,
    words: no_words,
};

fn check(shape: &Shape, _: &dyn Topology) -> Result<()> {
    ensure!(shape.deterministic == Deterministic::Set, "deterministic: single must be set with least-occupied routing");
    Ok(())
}
