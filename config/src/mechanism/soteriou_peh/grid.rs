//! Meshes and tori of two dimensions, as far as a switch can tell from its place: those that the connectivity graphs are of.

use crate::Config;
use crate::topology::{Mesh, Torus, digit_bits};

/// A mesh or torus of two dimensions without trunks. The ports of its switches are +x, -x, +y, -y, then those of the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Switches along x and along y, 2..=256 each.
    pub sizes: [usize; 2],
    /// A torus.
    pub wraps: bool,
    /// Lowest bits of the digits of a position: x, y.
    pub low: [usize; 2],
    /// Bits of these digits.
    pub bits: [usize; 2],
}

impl Grid {
    /// That of a configuration, if its topology is one.
    pub fn of(config: &Config) -> Option<Grid> {
        let topology = config.topology.as_ref()?;
        let (dimensions, nodes, wraps) = match (topology.of(), topology.of()) {
            (Some(Mesh { dimensions, nodes }), _) => (dimensions, *nodes, false),
            (_, Some(Torus { dimensions, trunk: 1, nodes })) => (dimensions, *nodes, true),
            _ => return None,
        };
        let &[x, y] = dimensions.as_slice() else { return None };
        let node_bits = if nodes > 1 { digit_bits(nodes) } else { 0 };
        let bits = [digit_bits(x), digit_bits(y)];
        Some(Grid { sizes: [x, y], wraps, low: [node_bits, node_bits + bits[0]], bits })
    }

    /// x and y of the switch with this packed address.
    pub fn place(&self, position: u16) -> [usize; 2] {
        [0, 1].map(|i| usize::from(position) >> self.low[i] & ((1 << self.bits[i]) - 1))
    }
}
