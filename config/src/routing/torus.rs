//! A torus: minimal adaptive over escape channels in the order of dimensions (Duato).

use super::{Routing, RoutingSees, all_ports, from_port_0, never, no_words};
use crate::shape::{Deterministic, Shape};
use crate::topology::{Topology, Torus};
use anyhow::{Result, ensure};

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "torus",
    doc: "any shortest way; two virtual channels in the order of dimensions as an escape",
    sees: RoutingSees { header: false, input: false, serves: false, occupancy: false, table: false, to_node: false },
    is_for: |topology| topology.of::<Torus>().is_some(),
    comes_first: never,
    counts_on: None,
    limits: None,
    least_vcs: 2,
    keeps_order: false,
    takes_all: true,
    deterministic: Deterministic::Set,
    lowest_adaptive: from_port_0,
    near_ports: all_ports,
    check,
    words: no_words,
};

fn check(shape: &Shape, topology: &dyn Topology) -> Result<()> {
    let trunk = topology.of::<Torus>().map_or(1, |torus| torus.trunk);
    ensure!(
        trunk == 1 || shape.deterministic == Deterministic::Set,
        "deterministic: single must be set in a torus with trunks of {trunk} links"
    );
    Ok(())
}
