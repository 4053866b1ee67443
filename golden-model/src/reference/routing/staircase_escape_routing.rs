//! `staircase_escape_routing`: grids whose links may be off but for stairs.

use crate::reference::mechanisms::Twin;
use crate::reference::routing::grid_ways::{GridWays, Ways, escaping, offered};
use crate::reference::routing::injection_limit::InjectionLimit;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, grid_ways, injection_limit};
use powar_config::Config;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("staircase-escape", |config| Some(Arc::new(StaircaseEscapeRouting::new(config)?)));

/// The routing unit of a grid with an escape along stairs.
#[derive(Clone, Copy, Debug)]
pub struct StaircaseEscapeRouting {
    grid: GridWays,
    limit: InjectionLimit,
    vcs: usize,
}

impl StaircaseEscapeRouting {
    /// `None` as of [`GridWays::of`].
    fn new(config: &Config) -> Option<Self> {
        let (limit, vcs) = (InjectionLimit::new(config), config.switch.vcs);
        Some(StaircaseEscapeRouting { grid: GridWays::of(config)?, limit, vcs })
    }

    /// Port and VC of the escape's next hop.
    fn escape(&self, inputs: &RoutingInputs, ways: &Ways) -> (usize, usize) {
        let sum = |at: [usize; 2]| at[0] + at[1];
        let first = match escaping(inputs, self.vcs) {
            true => usize::from(inputs.input_vc) == self.vcs - 2,
            false => sum(ways.to) >= sum(ways.from),
        };
        let dimension = sum(ways.from) % 2;
        let (from, to, last) = (ways.from[dimension], ways.to[dimension], self.grid.sizes[dimension] - 1);
        let plus = if from == to { if first { from != last } else { from == 0 } } else { from < to };
        (2 * dimension + usize::from(!plus), self.vcs - if first { 2 } else { 1 })
    }
}

impl RoutingUnit for StaircaseEscapeRouting {
    fn name(&self) -> &'static str {
        "staircase_escape_routing"
    }

    fn blocks(&self, config: &Config) -> Vec<(String, Twin)> {
        [grid_ways::twins(config), injection_limit::twins(config)].into_iter().flatten().collect()
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let ways = self.grid.ways(inputs);
        offered(inputs, &ways, &self.limit, self.vcs, || self.escape(inputs, &ways))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::topology::pack_address;

    /// In a mesh of 4 x 4 with 4 VCs, all candidates off.
    fn route(ends: [usize; 2], input_port: u8, input_vc: u8) -> Route {
        in_traffic(ends, input_port, input_vc, 0)
    }

    /// With so many flits under way to each port.
    fn in_traffic([from, to]: [usize; 2], input_port: u8, input_vc: u8, fill: u64) -> Route {
        let mut config = Config::of_network("mesh-4x4").unwrap();
        config.switch.vcs = 4;
        let [position, destination] = [from, to].map(|node| pack_address(&[4, 4], node));
        let even = (from % 4 + from / 4).is_multiple_of(2);
        let serves = if even { 0b1_0011 } else { 0b1_1100 };
        let occupancy = &[fill; 5];
        let inputs =
            RoutingInputs { position, destination, input_port, input_vc, serves, occupancy, ..Default::default() };
        StaircaseEscapeRouting::new(&config).unwrap().route(&inputs)
    }

    fn away(adaptive: u64, deterministic: u64, deterministic_vcs: u64) -> Route {
        Route { routable: true, adaptive, deterministic, adaptive_vcs: 0b0011, deterministic_vcs }
    }

    #[test]
    fn the_escape_takes_the_stairs() {
        // From (0, 0) to (3, 3), and to (0, 3): aside first. From there down to (2, 0): from an odd switch, the other channel.
        assert_eq!(route([0, 15], 4, 0), away(0b0001, 0b0001, 0b0100));
        assert_eq!(route([0, 12], 4, 3), away(0b0001, 0b0001, 0b0100));
        assert_eq!(route([12, 2], 4, 0), away(0b1000, 0b1000, 0b1000));
        // At the right edge aside is to the left.
        assert_eq!(route([15, 3], 4, 0), away(0b0010, 0b0010, 0b1000));
        assert_eq!(route([7, 15], 4, 0), away(0b0010, 0b0010, 0b0100));
        // In between up to the right, down to the left.
        assert_eq!(route([5, 9], 4, 0).deterministic, 0b0001);
        assert_eq!(route([10, 6], 4, 0).deterministic, 0b0010);
    }

    #[test]
    fn nodes_wait_for_room() {
        let half = Config::of_network("mesh-4x4").unwrap().switch.buffer_flits as u64 / 8;
        assert_eq!(in_traffic([5, 10], 4, 0, half), route([5, 10], 4, 0));
        assert_eq!(in_traffic([5, 10], 4, 0, half + 1), away(0, 0, 0b0100));
        assert_eq!(in_traffic([5, 10], 1, 0, half + 1), route([5, 10], 1, 0));
        assert_eq!(in_traffic([5, 5], 4, 0, half + 1), route([5, 5], 4, 0));
    }

    #[test]
    fn on_the_escape_packets_stay() {
        let stays = |vcs| Route { adaptive: 0, adaptive_vcs: 0, ..away(0, 0b0001, vcs) };
        // From the left, on either channel: on neither of them by its destination.
        assert_eq!(route([5, 15], 1, 2), stays(0b0100));
        assert_eq!(route([5, 15], 1, 3), stays(0b1000));
        assert_eq!(route([5, 15], 1, 1), away(0b0001, 0b0001, 0b0100));
        let here = Route { routable: true, deterministic: 1 << 4, deterministic_vcs: 0b1111, ..Route::default() };
        assert_eq!(route([5, 5], 1, 2), here);
    }
}
