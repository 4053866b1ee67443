//! `west_last_east_last_routing`: meshes whose links may be off but for one-way streets, over two virtual networks with a look-ahead.

use crate::bits::low_bits;
use crate::reference::mechanisms::Twin;
use crate::reference::routing::grid_ways::{DIRECTIONS, GridWays, Ways};
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, grid_ways};
use powar_config::Config;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("west-last-east-last", |config| {
    let grid = GridWays::of(config).filter(|grid| !grid.wraps)?;
    Some(Arc::new(WestLastEastLastRouting { grid, vcs: config.switch.vcs }))
});

/// The routing unit of a mesh with two virtual networks.
#[derive(Clone, Copy, Debug)]
pub struct WestLastEastLastRouting {
    grid: GridWays,
    vcs: usize,
}

/// A place and a destination as one of the two virtual networks sees them.
#[derive(Clone, Copy, Debug)]
struct View {
    /// Last column and row of the mesh.
    last_place: [usize; 2],
    from: [usize; 2],
    to: [usize; 2],
    /// Of the two networks the one that turns east last; its free direction is -x.
    east_last: bool,
}

impl View {
    fn is_edge(&self, dimension: usize, place: usize) -> bool {
        place == 0 || place == self.last_place[dimension]
    }

    /// The row is ever-on in the free direction, in the last one.
    fn free_on(&self, row: usize) -> bool {
        self.is_edge(1, row) || (row % 2 == 1) == self.east_last
    }

    fn last_on(&self, row: usize) -> bool {
        self.is_edge(1, row) || (row % 2 == 1) != self.east_last
    }

    /// The column is ever-on in +y, or else in -y.
    fn street(&self, column: usize, up: bool) -> bool {
        self.is_edge(0, column) || column.is_multiple_of(2) == up
    }

    /// The last column in the free direction.
    fn end(&self) -> usize {
        if self.east_last { 0 } else { self.last_place[0] }
    }

    /// Whether a column is one farther in the free direction than another.
    fn follows(&self, column: usize, other: usize) -> bool {
        if self.east_last { column + 1 == other } else { column == other + 1 }
    }

    fn onward(&self) -> bool {
        let ([x, _], [tx, _]) = (self.from, self.to);
        if self.east_last { tx < x } else { tx > x }
    }

    fn free(&self) -> bool {
        let ([x, y], [tx, ty]) = (self.from, self.to);
        if x == self.end() {
            return false;
        }
        let is_next = self.follows(tx, x);
        let n = if self.east_last { x - 1 } else { x + 1 };
        self.onward() && !is_next
            || is_next && ty == y
            || ty != y && (self.last_on(ty) || is_next && self.street(n, ty > y))
    }

    fn last(&self) -> bool {
        let ([x, y], [tx, ty]) = (self.from, self.to);
        let behind = tx != x && !self.onward();
        ty == y && (self.follows(x, tx) || behind && self.last_on(y))
    }

    fn along_the_column(&self, up: bool) -> bool {
        let ([x, y], [tx, ty]) = (self.from, self.to);
        if y == if up { self.last_place[1] } else { 0 } {
            return false;
        }
        let (r, beyond) = if up { (y + 1, ty > y + 1) } else { (y - 1, ty < y - 1) };
        let street = self.street(x, up);
        let leaves = street || self.free_on(r);
        if self.onward() {
            let own_way = x.is_multiple_of(2) == up;
            let not_missed = !self.follows(tx, x) || own_way || beyond || ty == r || tx == self.end();
            return leaves && (not_missed || self.last_on(ty));
        }
        (tx == x || self.last_on(ty)) && (ty == r || beyond && street) || self.last_on(ty) && x != self.end() && leaves
    }

    /// Ports whose channels are ever-on.
    fn ever_on(&self) -> u64 {
        let [x, y] = self.from;
        let row = |even: bool| self.is_edge(1, y) || y.is_multiple_of(2) == even;
        u64::from(row(true))
            | u64::from(row(false)) << 1
            | u64::from(self.street(x, true)) << 2
            | u64::from(self.street(x, false)) << 3
    }

    /// The ports of the free and of the last direction.
    fn along_the_row(&self) -> (usize, usize) {
        if self.east_last { (1, 0) } else { (0, 1) }
    }

    /// Ports behind which ever-on channels lead to the destination.
    fn ahead(&self) -> u64 {
        let (free, last) = self.along_the_row();
        u64::from(self.free()) << free
            | u64::from(self.last()) << last
            | u64::from(self.along_the_column(true)) << 2
            | u64::from(self.along_the_column(false)) << 3
    }
}

impl RoutingUnit for WestLastEastLastRouting {
    fn name(&self) -> &'static str {
        "west_last_east_last_routing"
    }

    fn blocks(&self, config: &Config) -> Vec<(String, Twin)> {
        grid_ways::twins(config)
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let ways = self.grid.ways(inputs);
        if !ways.routable {
            return Route::default();
        }
        if !ways.away {
            return Route::on(low_bits(self.vcs), 0, ways.own);
        }
        let Ways { from, to, .. } = ways;
        let input_port = usize::from(inputs.input_port);
        let east_last = if input_port < DIRECTIONS {
            inputs.input_vc % 2 == 1
        } else {
            to[0] < from[0] || to[0] == from[0] && to[1].is_multiple_of(2)
        };
        let view = View { last_place: self.grid.sizes.map(|size| size - 1), from, to, east_last };
        let (free, last) = view.along_the_row();
        let turns = if input_port == free { 1 << last } else { u64::MAX };
        let good = view.ahead() & (inputs.serves | view.ever_on()) & !(1 << inputs.input_port) & turns;
        let adaptive = if ways.ways & good == 0 { good } else { ways.ways & good };
        let of_its_network = if east_last { 0b1010_1010 } else { 0b0101_0101 };
        Route { routable: true, adaptive, adaptive_vcs: of_its_network & low_bits(self.vcs), ..Route::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::topology::pack_address;

    /// Of a mesh of 5 x 5, where a packet may go that came in at a port on a VC, when these ports serve.
    fn route([from, to]: [[usize; 2]; 2], [input_port, input_vc]: [u8; 2], serves: u64) -> Route {
        let grid = GridWays::of(&Config::of_network("mesh-5x5").unwrap()).unwrap();
        let [position, destination] = [from, to].map(|[x, y]| pack_address(&[5, 5], x + 5 * y));
        let inputs = RoutingInputs { position, destination, input_port, input_vc, serves, ..RoutingInputs::default() };
        WestLastEastLastRouting { grid, vcs: 5 }.route(&inputs)
    }

    #[test]
    fn nearer_first_and_in_one_of_two_networks() {
        let on = |adaptive, adaptive_vcs| Route { routable: true, adaptive, adaptive_vcs, ..Route::default() };
        let [west_last, east_last] = [0b10101, 0b01010];
        assert_eq!(route([[1, 1], [3, 3]], [4, 3], 0b11111), on(0b0101, west_last));
        // Neither column 3 nor row 2 leads on from (3, 2).
        assert_eq!(route([[3, 1], [1, 3]], [4, 0], 0b11111), on(0b0010, east_last));
        // In the column it is the destination's row.
        assert_eq!(route([[1, 1], [1, 3]], [4, 0], 0b11111), on(0b0100, west_last));
        assert_eq!(route([[1, 3], [1, 2]], [4, 0], 0b11111), on(0b1000, east_last));
        // Row 1 goes west, column 1 down: it stays on its way, whatever that is.
        assert_eq!(route([[1, 1], [3, 3]], [4, 0], 0b11010), on(0b1000, west_last));
        assert_eq!(route([[1, 1], [3, 3]], [2, 2], 0b11010), on(0b1000, west_last));
        let here = Route { routable: true, deterministic: 1 << 4, deterministic_vcs: 0b11111, ..Route::default() };
        assert_eq!(route([[2, 2], [2, 2]], [0, 1], 0), here);
    }

    #[test]
    fn the_last_direction_is_kept_and_taken_only_where_it_leads_there() {
        // From the right: what turns west last goes on, in its row alone. In the other network anything goes.
        assert_eq!(route([[2, 1], [0, 1]], [0, 0], 0b11111).adaptive, 0b0010);
        assert_eq!(route([[2, 1], [0, 3]], [0, 0], 0b11111).adaptive, 0);
        assert_eq!(route([[2, 1], [0, 3]], [0, 1], 0b11111).adaptive, 0b0110);
        // Each network has every second VC.
        assert_eq!(route([[2, 1], [0, 3]], [0, 2], 0b11111).adaptive, 0);
        assert_eq!(route([[2, 1], [0, 3]], [0, 3], 0b11111).adaptive, 0b0110);
        // Row 2 leads east alone, but for a hop to the destination itself.
        assert_eq!(route([[2, 1], [0, 2]], [3, 0], 0b11111).adaptive, 0);
        assert_eq!(route([[1, 2], [0, 2]], [3, 0], 0b11111).adaptive, 0b0010);
    }

    #[test]
    fn nobody_goes_where_there_is_no_way_on() {
        // Column 1 leads down alone. West last, past column 2, a packet would have to come back along row 2, which leads east.
        assert_eq!(route([[0, 1], [1, 2]], [4, 0], 0b11111).adaptive, 0b0100);
        // To row 3 it can come back.
        assert_eq!(route([[0, 1], [1, 3]], [4, 0], 0b11001).adaptive, 0b0001);
    }

    #[test]
    fn ever_on_ways_are_there_whatever_serves() {
        // Column 0 is a two-way street, and row 1 leads west.
        assert_eq!(route([[0, 1], [1, 3]], [4, 0], 0).adaptive, 0b1100);
        // What serves and is nearer comes before what is only ever-on.
        assert_eq!(route([[1, 1], [3, 3]], [4, 0], 0b00001).adaptive, 0b0001);
        assert_eq!(route([[1, 1], [3, 3]], [4, 0], 0).adaptive, 0b1000);
    }
}
