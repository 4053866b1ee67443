//! `boards_routing`: boards that are joined by wavelengths.

use crate::bits::low_bits;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, digits, exists};
use powar_config::topology::Boards;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("boards", |config| {
    let &Boards { boards, nodes } = config.topology.as_ref()?.of()?;
    Some(Arc::new(BoardsRouting { boards, nodes, vcs: config.switch.vcs }))
});

/// The routing unit of a board.
#[derive(Clone, Copy, Debug)]
pub struct BoardsRouting {
    /// B and D of the page.
    boards: usize,
    nodes: usize,
    vcs: usize,
}

impl RoutingUnit for BoardsRouting {
    fn name(&self) -> &'static str {
        "boards_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let &BoardsRouting { boards, nodes, vcs } = self;
        let bases = [nodes, boards];
        if !exists(&bases, inputs.destination) {
            return Route::default();
        }
        let to: Vec<usize> = digits(&bases, inputs.destination).collect();
        let here: Vec<usize> = digits(&bases, inputs.position).collect();
        let o = (to[1] + boards - here[1]) % boards;
        if o == 0 {
            return Route::on(low_bits(vcs), 0, 1 << to[0]);
        }
        let first = nodes + (o - 1) * boards;
        Route::on(low_bits(vcs), low_bits(boards) << first, 1 << (first + boards - o))
    }
}
