//! A two-dimensional mesh or torus: what connectivity graphs are drawn on.

use crate::topology::{Mesh, Topology, Torus};
use anyhow::{Context, Result, ensure};

/// One of the four ways out of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// 0: x, along a row. 1: y, along a column.
    pub dimension: usize,
    /// Towards higher coordinates.
    pub plus: bool,
}

/// All of them, by port.
pub const DIRECTIONS: [Direction; 4] = [
    Direction { dimension: 0, plus: true },
    Direction { dimension: 0, plus: false },
    Direction { dimension: 1, plus: true },
    Direction { dimension: 1, plus: false },
];

impl Direction {
    /// The port of a switch that leads this way: +x, -x, +y, -y.
    pub fn port(self) -> usize {
        2 * self.dimension + usize::from(!self.plus)
    }
}

/// A mesh or a torus of two dimensions, one link from a switch to each neighbour. Switch s is at column s mod columns and row s / columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub columns: usize,
    pub rows: usize,
    /// A torus.
    pub wraps: bool,
}

impl Grid {
    /// The grid of a topology, whatever the number of nodes at a switch.
    ///
    /// # Errors
    /// A topology that is neither a mesh nor a torus; another number of dimensions than two; trunks.
    pub fn of(topology: &dyn Topology) -> Result<Grid> {
        let (mesh, torus) = (topology.of::<Mesh>(), topology.of::<Torus>());
        let dimensions = mesh.map(|mesh| &mesh.dimensions).or(torus.map(|torus| &torus.dimensions));
        let kind = topology.kind().name;
        let dimensions = dimensions.with_context(|| {
            format!("topology.kind: a {kind} has no connectivity graphs; it must be one of mesh, torus")
        })?;
        let trunk = torus.map_or(1, |torus| torus.trunk);
        ensure!(trunk == 1, "topology.trunk: {trunk} must be 1 in a network with a connectivity graph");
        let &[columns, rows] = &dimensions[..] else {
            anyhow::bail!("topology.dimensions: {dimensions:?} must be two in a network with a connectivity graph");
        };
        Ok(Grid { columns, rows, wraps: torus.is_some() })
    }

    pub fn switches(&self) -> usize {
        self.columns * self.rows
    }

    /// Column and row of a switch.
    pub fn coordinates(&self, switch: usize) -> (usize, usize) {
        (switch % self.columns, switch / self.columns)
    }

    /// Switches along a dimension.
    pub fn size(&self, dimension: usize) -> usize {
        [self.columns, self.rows][dimension]
    }

    /// The switch that the link in a direction leads to; `None` at the edge of a mesh.
    pub fn neighbour(&self, switch: usize, direction: Direction) -> Option<usize> {
        let (mut at, size) = (<[usize; 2]>::from(self.coordinates(switch)), self.size(direction.dimension));
        let coordinate = &mut at[direction.dimension];
        let edge = if direction.plus { size - 1 } else { 0 };
        if *coordinate == edge && !self.wraps {
            return None;
        }
        *coordinate = (*coordinate + if direction.plus { 1 } else { size - 1 }) % size;
        Some(at[0] + self.columns * at[1])
    }

    /// Output ports of a switch to other switches, as a mask.
    pub fn cables(&self, switch: usize) -> u64 {
        let there = |direction: &Direction| self.neighbour(switch, *direction).is_some();
        DIRECTIONS.into_iter().filter(there).fold(0, |ports, direction| ports | 1 << direction.port())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::topology::wiring::End;
    use crate::topology::{Wiring, by_name};

    #[test]
    fn a_grid_is_the_network_s() {
        for name in ["mesh-4x3", "mesh-2x5-nodes3", "torus-4x3", "torus-5x2-trunk1-nodes2"] {
            let wiring = Wiring::new(&Config::of_network(name).unwrap()).unwrap();
            let grid = Grid::of(&*by_name(name).unwrap().0).unwrap();
            assert_eq!(grid.switches(), wiring.ends.len(), "{name}");
            for (switch, ends) in wiring.ends.iter().enumerate() {
                for direction in DIRECTIONS {
                    let there = match ends[direction.port()] {
                        End::Switch { switch, .. } => Some(switch as usize),
                        _ => None,
                    };
                    assert_eq!(grid.neighbour(switch, direction), there, "{name} {switch} {direction:?}");
                }
            }
        }
    }

    #[test]
    fn other_networks_are_refused() {
        let error = |name| Grid::of(&*by_name(name).unwrap().0).unwrap_err().to_string();
        assert_eq!(
            error("4-ary-2-tree"),
            "topology.kind: a fat-tree has no connectivity graphs; it must be one of mesh, torus"
        );
        assert_eq!(
            error("torus-4x4x4"),
            "topology.dimensions: [4, 4, 4] must be two in a network with a connectivity graph"
        );
        assert_eq!(error("torus-4x4-trunk2"), "topology.trunk: 2 must be 1 in a network with a connectivity graph");
    }
}
