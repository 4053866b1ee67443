//! What the routings of grids whose links may be off have in common: any way that is on, an escape, and a limit on what nodes send.

use crate::bits::low_bits;
use crate::reference::mechanisms::Twin;
use crate::reference::routing::grid_ways::{self, DIRECTIONS, GridWays, Ways};
use crate::reference::routing::injection_limit::{self, InjectionLimit};
use crate::reference::routing::{Route, RoutingInputs};
use powar_config::Config;

/// A routing unit but for its escape, which has the last two VCs.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdaptiveWithEscape {
    pub(super) grid: GridWays,
    pub(super) limit: InjectionLimit,
    pub(super) vcs: usize,
}

impl AdaptiveWithEscape {
    /// `None` as of [`GridWays::of`].
    pub(super) fn new(config: &Config) -> Option<AdaptiveWithEscape> {
        let (limit, vcs) = (InjectionLimit::new(config, DIRECTIONS), config.switch.vcs);
        Some(AdaptiveWithEscape { grid: GridWays::of(config)?, limit, vcs })
    }

    /// The blocks that a routing unit has in it as children.
    pub(super) fn twins(config: &Config) -> Vec<(String, Twin)> {
        [grid_ways::twins(config), injection_limit::twins(config, DIRECTIONS)].into_iter().flatten().collect()
    }

    /// Whether the packet came on one of the two escape VCs from a switch.
    pub(super) fn escaping(&self, inputs: &RoutingInputs) -> bool {
        usize::from(inputs.input_port) < DIRECTIONS && usize::from(inputs.input_vc) >= self.vcs - 2
    }

    /// What a packet is offered that may take any way that is on, or the escape: port and VC of its next hop, which are asked for only if the
    /// packet is not where it should be. One from a node gets only what the limit leaves of both.
    pub(super) fn offered(&self, inputs: &RoutingInputs, escape: impl FnOnce(&Ways) -> (usize, usize)) -> Route {
        let ways = self.grid.ways(inputs);
        if !ways.routable {
            return Route::default();
        }
        if !ways.away {
            return Route::on(low_bits(self.vcs), 0, ways.own);
        }
        let (port, vc) = escape(&ways);
        let admits = self.limit.admits(inputs.input_port, inputs.occupancy);
        let (adaptive, adaptive_vcs) =
            if self.escaping(inputs) { (0, 0) } else { (ways.ways & admits, low_bits(self.vcs - 2)) };
        Route { routable: true, adaptive, adaptive_vcs, deterministic: 1 << port & admits, deterministic_vcs: 1 << vc }
    }
}
