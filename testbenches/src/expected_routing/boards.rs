//! Boards that are joined by wavelengths: any of those to the board of the destination.

use super::{ExpectedRouting, Head, Route, Rules, links};
use powar_config::topology::Boards;
use powar_config::{Config, Topology};
use std::ops::Range;
use std::sync::Arc;

#[derive(Debug)]
struct BoardsRules(Boards);

pub(super) fn of(_: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    topology.of().map(|&boards| Arc::new(BoardsRules(boards)) as _)
}

impl BoardsRules {
    /// The board behind a port, and the wavelength to it; `None` of a node's.
    fn leads(&self, at: &ExpectedRouting, port: usize) -> Option<(usize, usize)> {
        let Boards { boards, nodes } = self.0;
        let cable = port.checked_sub(nodes)?;
        Some(((at.position[1] + 1 + cable / boards) % boards, cable % boards))
    }

    /// The wavelength of a board to another, as the paper has it.
    fn assigned(&self, from: usize, to: usize) -> usize {
        if to > from { self.0.boards - (to - from) } else { from - to }
    }
}

impl Rules for BoardsRules {
    fn route(&self, at: &ExpectedRouting, to: &[usize], _head: &Head) -> Route {
        let vcs = links(0, at.vcs);
        let (board, there) = (at.position[1], to[1]);
        if board == there {
            return Route { deterministic: 1 << to[0], deterministic_vcs: vcs, ..Route::default() };
        }
        let mut route = Route { adaptive_vcs: vcs, deterministic_vcs: vcs, ..Route::default() };
        for port in 0..at.ports {
            if let Some((leads, wavelength)) = self.leads(at, port)
                && leads == there
            {
                route.adaptive |= 1 << port;
                if wavelength == self.assigned(board, there) {
                    route.deterministic |= 1 << port;
                }
            }
        }
        route
    }

    fn near(&self) -> Option<usize> {
        Some(self.0.nodes)
    }

    /// From a board comes what is for this one; a node sends nothing to itself.
    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        let is_here = to[1] == at.position[1];
        if self.leads(at, input).is_some() { is_here } else { !is_here || to[0] != input }
    }

    /// Nodes take that of the destination, boards any.
    fn input_vcs(&self, at: &ExpectedRouting, _vc: usize) -> (Range<usize>, Range<usize>) {
        (0..at.vcs, 0..at.vcs)
    }
}
