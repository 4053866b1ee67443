//! Where a switch is in a mesh or torus of two dimensions, as far as it can tell from its packed address.

use crate::Shape;
use crate::topology::connectivity::Grid;
use crate::topology::digit_bits;

/// The digits of the packed addresses of a grid's switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    pub grid: Grid,
    /// Lowest bits of the digits x and y: that of a node at its switch, if there are several, is below them.
    pub low: [usize; 2],
    /// Bits that they have.
    pub bits: [usize; 2],
}

impl Places {
    /// Those of a configuration, if its topology is a grid: a mesh or torus of two dimensions without trunks.
    pub fn of<'a>(shape: impl Into<Shape<'a>>) -> Option<Places> {
        let Shape { topology, ports, .. } = shape.into();
        let topology = topology?;
        let grid = Grid::of(topology).ok()?;
        let bases = topology.bases(ports);
        let node_bits = bases.iter().rev().skip(2).map(|&nodes| digit_bits(nodes)).sum::<usize>();
        let bits = [digit_bits(grid.columns), digit_bits(grid.rows)];
        Some(Places { grid, low: [node_bits, node_bits + bits[0]], bits })
    }

    /// x and y of the switch with this packed address.
    pub fn of_position(&self, position: u16) -> [usize; 2] {
        [0, 1].map(|i| usize::from(position) >> self.low[i] & ((1 << self.bits[i]) - 1))
    }
}
