//! Boards that are joined by wavelengths: over any of those to the board of the destination.

use super::{Routing, RoutingSees, from_port_0, never, no_words, unconditional};
use crate::shape::{Deterministic, Shape};
use crate::topology::Boards;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "boards",
    doc: "over any wavelength to the board of the destination; which of them may be used is the power mechanism's to say",
    sees: RoutingSees { header: false, input: false, serves: false, occupancy: false, table: false, to_node: false },
    is_for: |topology| topology.of::<Boards>().is_some(),
    comes_first: never,
    counts_on: None,
    limits: None,
    least_vcs: 1,
    keeps_order: false,
    takes_all: true,
    deterministic: Deterministic::Single,
    lowest_adaptive: from_port_0,
    near_ports: nodes,
    check: unconditional,
    words: no_words,
};

/// What comes over a wavelength is for a node of the board.
fn nodes(shape: &Shape) -> usize {
    let boards = shape.topology.and_then(|topology| topology.of::<Boards>());
    boards.map_or(shape.ports, |boards| boards.nodes.clamp(1, shape.ports))
}
