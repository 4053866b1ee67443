//! `alternating_escape_routing`: grids whose links may be off but for one-way streets.

use crate::reference::mechanisms::Twin;
use crate::reference::routing::grid_ways::{GridWays, Ways, offered};
use crate::reference::routing::injection_limit::InjectionLimit;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, grid_ways, injection_limit};
use powar_config::Config;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("alternating-escape", |config| Some(Arc::new(AlternatingEscapeRouting::new(config)?)));

/// The routing unit of a grid with an escape along streets.
#[derive(Clone, Copy, Debug)]
pub struct AlternatingEscapeRouting {
    grid: GridWays,
    limit: InjectionLimit,
    vcs: usize,
}

/// A direction: along x (0) or y (1), and whether upwards.
type Hop = (usize, bool);

impl AlternatingEscapeRouting {
    /// `None` as of [`GridWays::of`].
    fn new(config: &Config) -> Option<Self> {
        let (limit, vcs) = (InjectionLimit::new(config), config.switch.vcs);
        Some(AlternatingEscapeRouting { grid: GridWays::of(config)?, limit, vcs })
    }

    /// In a torus: the hop, and whether the way left in its dimension crosses the wrap-around link.
    fn along_rings(&self, Ways { from, to, .. }: &Ways) -> (Hop, bool) {
        let dimension = usize::from(from[0] == to[0]);
        let street = from[1 - dimension];
        let plus = street % 2 == 0;
        let crosses = if plus { to[dimension] < from[dimension] } else { to[dimension] > from[dimension] };
        ((dimension, plus), crosses)
    }

    /// In a mesh: the hop, and whether the way is not direct.
    fn along_streets(&self, Ways { from: [x, y], to: [tx, ty], .. }: &Ways) -> (Hop, bool) {
        let [last_x, last_y] = self.grid.sizes.map(|size| size - 1);
        let is_edge = |street: usize, last: usize| street == 0 || street == last;
        let row = tx == x || is_edge(*y, last_y) || if y % 2 == 0 { tx > x } else { tx < x };
        let column = ty == y || is_edge(*tx, last_x) || if tx % 2 == 0 { ty > y } else { ty < y };
        let hop = match (row && column, tx == x) {
            (true, false) => (0, tx > x),
            (true, true) => (1, ty > y),
            (false, _) if is_edge(*x, last_x) => (1, tx % 2 == 1),
            (false, _) => (0, y % 2 == 0),
        };
        (hop, !(row && column))
    }
}

impl RoutingUnit for AlternatingEscapeRouting {
    fn name(&self) -> &'static str {
        "alternating_escape_routing"
    }

    fn blocks(&self, config: &Config) -> Vec<(String, Twin)> {
        [grid_ways::twins(config), injection_limit::twins(config)].into_iter().flatten().collect()
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let ways = self.grid.ways(inputs);
        offered(inputs, &ways, &self.limit, self.vcs, || {
            let ((dimension, plus), early) =
                if self.grid.wraps { self.along_rings(&ways) } else { self.along_streets(&ways) };
            (2 * dimension + usize::from(!plus), self.vcs - if early { 2 } else { 1 })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::topology::pack_address;

    /// Port and VC of the escape with 4 VCs, in a network of 5 x 5.
    fn escape(name: &str, [from, to]: [usize; 2]) -> (u64, u64) {
        let mut config = Config::of_network(name).unwrap();
        config.switch.vcs = 4;
        let [position, destination] = [from, to].map(|node| pack_address(&[5, 5], node));
        let inputs = RoutingInputs { position, destination, input_port: 4, occupancy: &[0; 5], ..Default::default() };
        let route = AlternatingEscapeRouting::new(&config).unwrap().route(&inputs);
        (route.deterministic, route.deterministic_vcs)
    }

    #[test]
    fn round_the_streets_of_a_torus() {
        let at = |from, to| escape("torus-5x5", [from, to]);
        // Row 1 goes down: from (1, 1) to (3, 0) round; to (0, 0) not. Then column 1 down, column 2 up.
        assert_eq!([at(6, 3), at(6, 0)], [(0b0010, 0b0100), (0b0010, 0b1000)]);
        assert_eq!([at(6, 1), at(6, 16)], [(0b1000, 0b1000), (0b1000, 0b0100)]);
        assert_eq!([at(7, 17), at(7, 2)], [(0b0100, 0b1000), (0b0100, 0b0100)]);
    }

    #[test]
    fn along_the_streets_of_a_mesh() {
        let at = |from, to| escape("mesh-5x5", [from, to]);
        // Row 2 leads from (1, 2) to (3, 2), and column 3 down, not up.
        assert_eq!([at(11, 13), at(11, 8), at(11, 18)], [(0b0001, 0b1000), (0b0001, 0b1000), (0b0001, 0b0100)]);
        // At the edge to the row where the column begins: the last one for column 3, row 0 for column 2.
        assert_eq!([at(14, 18), at(14, 17)], [(0b0100, 0b0100), (0b1000, 0b0100)]);
        // Edges are two-way.
        assert_eq!(
            [at(24, 18), at(23, 18), at(10, 0), at(4, 0)],
            [(0b0010, 0b1000), (0b1000, 0b1000), (0b1000, 0b1000), (0b0010, 0b1000)]
        );
    }
}
