//! `grid_ways`: where a packet may go on in a two-dimensional mesh or torus some of whose links are off.

use crate::bits::ones;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::mechanisms::{Twin, twin};
use crate::reference::routing::{RoutingInputs, digits, exists};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, destination, flag, flags, port_number, position, set};
use powar_config::topology::connectivity::Grid;
use powar_config::{Config, Owner};

/// Ports +x, -x, +y, -y: the first ones.
pub(super) const DIRECTIONS: usize = 4;

/// The block, and what units with it know of their network.
#[derive(Clone, Copy, Debug)]
pub struct GridWays {
    /// Switches along x and y.
    pub(super) sizes: [usize; 2],
    /// A torus.
    pub(super) wraps: bool,
    /// Bases of an address's digits: the node at a switch, x and y. With one node at a switch there is no digit for it.
    bases: [usize; 3],
}

/// What it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    pub routable: bool,
    pub away: bool,
    /// x and y of the switch, and of the destination's.
    pub from: [usize; 2],
    pub to: [usize; 2],
    /// Sets of ports.
    pub own: u64,
    pub ways: u64,
}

impl GridWays {
    /// That of the configuration's topology; `None` if it has no connectivity graphs.
    pub fn of(config: &Config) -> Option<GridWays> {
        let grid = Grid::of(&**config.topology.as_ref()?).ok()?;
        let (sizes, nodes) = ([grid.columns, grid.rows], config.ports - DIRECTIONS);
        Some(GridWays { sizes, wraps: grid.wraps, bases: [nodes, sizes[0], sizes[1]] })
    }

    /// The block's function; of the inputs it takes the position, the destination, the input port and what serves.
    pub fn ways(&self, inputs: &RoutingInputs) -> Ways {
        let bases = if self.bases[0] > 1 { &self.bases[..] } else { &self.bases[1..] };
        let coordinates = |address: u16| {
            let mut digits = digits(bases, address).skip(bases.len() - 2);
            [(); 2].map(|()| digits.next().unwrap_or(0))
        };
        let (from, to) = (coordinates(inputs.position), coordinates(inputs.destination));
        let routable = exists(bases, inputs.destination);
        let away = routable && from != to;
        if !away {
            let digit = if self.bases[0] > 1 { digits(bases, inputs.destination).next().unwrap_or(0) } else { 0 };
            let own = if routable { 1 << (DIRECTIONS + digit) } else { 0 };
            return Ways { routable, away, from, to, own, ..Ways::default() };
        }
        let (mut towards, mut level, mut cables) = (0, 0, 0);
        for i in 0..2 {
            let (from, to, size) = (from[i], to[i], self.sizes[i]);
            let sides = if self.wraps {
                let distance = |from: usize, to: usize| (to as i32 - from as i32).rem_euclid(size as i32);
                let (up, down) = (distance(from, to), distance(to, from));
                [(up, down), (down, up)]
                    .map(|(this, other)| (up != 0 && this <= other, up != 0 && this <= other + 1, true))
            } else {
                [(to > from, to > from, from != size - 1), (to < from, to < from, from != 0)]
            };
            for (side, (nearer, no_farther, cable)) in sides.into_iter().enumerate() {
                let port = 2 * i + side;
                towards |= u64::from(nearer) << port;
                level |= u64::from(no_farther) << port;
                cables |= u64::from(cable) << port;
            }
        }
        let open = cables & inputs.serves & !(1 << inputs.input_port);
        let misrouted = ones(level).any(|port| port == usize::from(inputs.input_port));
        let ways = match towards & open {
            0 if !misrouted => open,
            nearer => nearer,
        };
        Ways { routable, away, from, to, own: 0, ways }
    }
}

/// The block as a child of the configuration's routing unit.
pub(super) fn twins(config: &Config) -> Vec<(String, Twin)> {
    GridWaysBlock::new(config).map(|block| ("grid_ways".into(), twin(block))).into_iter().collect()
}

/// The block under the harness.
#[derive(Clone, Copy, Debug)]
pub struct GridWaysBlock {
    ports: usize,
    grid: GridWays,
}

impl GridWaysBlock {
    /// `None` as of [`GridWays::of`].
    pub fn new(config: &Config) -> Option<GridWaysBlock> {
        Some(GridWaysBlock { ports: config.ports, grid: GridWays::of(config)? })
    }
}

impl Registers for GridWaysBlock {}

inputs! {
    /// What the block sees; as in [`RoutingInputs`].
    #[derive(Clone, Copy, Debug)]
    pub struct GridWaysInputs of block: &GridWaysBlock {
        pub position: u16 = position("position"),
        pub destination: u16 = destination("destination"),
        pub input_port: u8 = port_number("input_port"),
        pub serves: u64 = flags("serves", Owner::Port, block.ports),
    }
}

impl Block for GridWaysBlock {
    type Inputs<'a> = GridWaysInputs;
    const HAS_RST: bool = false;

    fn outputs(&self, seen: &GridWaysInputs, rows: &mut RegisterRows) {
        let &GridWaysInputs { position, destination, input_port, serves } = seen;
        let inputs = RoutingInputs { position, destination, input_port, serves, ..RoutingInputs::default() };
        let ways = self.grid.ways(&inputs);
        rows.one(flag("routable"), ways.routable);
        rows.one(flag("away"), ways.away);
        rows.many(count("from", 9), ways.from.map(|digit| digit as u64));
        rows.many(count("to", 9), ways.to.map(|digit| digit as u64));
        rows.one(set("own", self.ports), ways.own);
        rows.one(set("ways", self.ports), ways.ways);
    }

    fn edge(&mut self, _: bool, _: &GridWaysInputs) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::topology::pack_address;

    fn ways(name: &str, [from, to]: [usize; 2], input_port: u8, serves: u64) -> Ways {
        let config = Config::of_network(name).unwrap();
        let bases = config.topology.as_ref().unwrap().bases(config.ports);
        let [position, destination] = [from, to].map(|node| pack_address(&bases, node));
        let inputs = RoutingInputs { position, destination, input_port, serves, ..RoutingInputs::default() };
        GridWays::of(&config).unwrap().ways(&inputs)
    }

    #[test]
    fn nearer_over_what_is_on() {
        // From (1, 1) to (3, 2), from a node.
        let at = |serves| ways("mesh-4x4", [5, 11], 4, serves).ways;
        assert_eq!([at(0b1111), at(0b1110), at(0b1011), at(0b1010)], [0b0101, 0b0100, 0b0001, 0b1010]);
        assert_eq!(
            ways("mesh-4x4", [5, 5], 0, 0b1111),
            Ways { routable: true, from: [1, 1], to: [1, 1], own: 1 << 4, ..Ways::default() }
        );
    }

    #[test]
    fn a_hop_aside_is_followed_by_one_that_leads_there() {
        // It came down from (1, 2), or from the left or the right.
        let at = |input, serves| ways("mesh-4x4", [5, 11], input, serves).ways;
        assert_eq!([at(2, 0b1111), at(2, 0b1010), at(0, 0b1010), at(1, 0b1010)], [0b0001, 0, 0, 0b1000]);
        // At an edge there is no cable on the other side.
        assert_eq!(ways("mesh-4x4", [1, 3], 4, 0b1010).ways, 0b0010);
        assert_eq!(ways("mesh-4x4", [0, 3], 4, 0b1010).ways, 0);
    }

    #[test]
    fn rings_have_two_sides() {
        // Two hops either way of four, and two or three of five.
        assert_eq!(ways("torus-4x4", [0, 2], 4, 0b1111).ways, 0b0011);
        assert_eq!(ways("torus-5x4", [0, 2], 4, 0b1111).ways, 0b0001);
        // From (4, 0), which is as far from (2, 0) as (0, 0): a hop too many.
        assert_eq!(ways("torus-5x4", [0, 2], 1, 0b1100).ways, 0);
        assert_eq!(ways("torus-5x4", [0, 1], 1, 0b1100).ways, 0b1100);
        let shared = ways("torus-4x4-nodes3", [1, 2], 5, 0);
        assert_eq!((shared.own, shared.away), (1 << 6, false));
        assert_eq!(
            ways("torus-4x4-nodes3", [1, 3], 5, 0),
            Ways { routable: true, away: true, to: [1, 0], ..Ways::default() }
        );
    }
}
