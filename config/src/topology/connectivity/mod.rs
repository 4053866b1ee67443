//! Connectivity graphs of two-dimensional meshes and tori: which links may be off, and which are on for ever (Soteriou and Peh,
//! section III-A). `docs/connectivity.md` draws them.
//!
//! To add one: a file beside these with its entry, and one line in [`ALL`].

mod alternating;
mod grid;
mod on_demand;
mod spanning_tree;
mod staircase;

pub use alternating::CONNECTIVITY as ALTERNATING;
pub use grid::{DIRECTIONS, Direction, Grid};
pub use on_demand::CONNECTIVITY as ON_DEMAND;
pub use spanning_tree::CONNECTIVITY as SPANNING_TREE;
pub use staircase::CONNECTIVITY as STAIRCASE;

use super::Topology;
use crate::nearest::is_unknown;
use anyhow::{Result, anyhow};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::VecDeque;

/// Every connectivity graph.
pub const ALL: [&Connectivity; 4] = [&STAIRCASE, &ALTERNATING, &ON_DEMAND, &SPANNING_TREE];

/// A rule that says of every output channel of a two-dimensional mesh or torus whether it may be off. The two directions of a cable are two
/// channels: one of them may be off while the other is on.
pub struct Connectivity {
    /// Name in configurations.
    pub name: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Whether the channel from the switch at column x and row y in a direction, in which it has a cable, may be off.
    pub may_be_off: fn(grid: &Grid, x: usize, y: usize, direction: Direction) -> bool,
}

impl Connectivity {
    /// The graph with this name.
    ///
    /// # Errors
    /// There is none; the known ones are listed.
    pub fn by_name(name: &str) -> Result<&'static Connectivity> {
        Connectivity::find(name).map_err(|unknown| anyhow!("connectivity: {unknown}"))
    }

    /// The same with an error that does not name the field.
    fn find(name: &str) -> Result<&'static Connectivity, String> {
        let found = ALL.into_iter().find(|graph| graph.name == name);
        found.ok_or_else(|| is_unknown(name, ALL.map(|graph| graph.name)))
    }

    /// Output ports of a switch that may be off, as a mask of its ports: bit p stands for port p. Ports to nodes, and those without a cable,
    /// are none of them.
    pub fn candidates(&self, grid: &Grid, switch: usize) -> u64 {
        let (x, y) = grid.coordinates(switch);
        let may_be_off = |direction: &Direction| {
            grid.neighbour(switch, *direction).is_some() && (self.may_be_off)(grid, x, y, *direction)
        };
        DIRECTIONS.into_iter().filter(may_be_off).fold(0, |ports, direction| ports | 1 << direction.port())
    }

    /// Output ports of a switch to other switches that are on for ever, as a mask.
    pub fn ever_on(&self, grid: &Grid, switch: usize) -> u64 {
        grid.cables(switch) & !self.candidates(grid, switch)
    }

    /// The same as [`Connectivity::candidates`] of every switch of a topology, by the switches' numbers.
    ///
    /// # Errors
    /// A topology without connectivity graphs: see [`Grid::of`].
    pub fn candidates_of(&self, topology: &dyn Topology) -> Result<Vec<u64>> {
        let grid = Grid::of(topology)?;
        Ok((0..grid.switches()).map(|switch| self.candidates(&grid, switch)).collect())
    }

    /// Part of the channels between switches that may be off, 0 to 1: what can be saved at most.
    pub fn share(&self, grid: &Grid) -> f64 {
        let count = |mask: fn(&Connectivity, &Grid, usize) -> u64| -> u32 {
            (0..grid.switches()).map(|switch| mask(self, grid, switch).count_ones()).sum()
        };
        let all = count(|_, grid, switch| grid.cables(switch));
        f64::from(count(Connectivity::candidates)) / f64::from(all)
    }

    /// Links that a packet crosses at least from a switch to every other while all candidates are off, by their numbers; `None` to those that it
    /// can't come to.
    pub fn hops_from(&self, grid: &Grid, switch: usize) -> Vec<Option<u32>> {
        let mut hops = vec![None; grid.switches()];
        hops[switch] = Some(0);
        let mut front = VecDeque::from([(switch, 0)]);
        while let Some((here, so_far)) = front.pop_front() {
            let ever_on = self.ever_on(grid, here);
            for direction in DIRECTIONS.into_iter().filter(|direction| ever_on >> direction.port() & 1 == 1) {
                let Some(next) = grid.neighbour(here, direction) else { continue };
                if hops[next].is_none() {
                    hops[next] = Some(so_far + 1);
                    front.push_back((next, so_far + 1));
                }
            }
        }
        hops
    }

    /// Links that a packet crosses at least between the two switches that are farthest from each other while all candidates are off; `None` if
    /// some can't be come to at all.
    pub fn diameter(&self, grid: &Grid) -> Option<u32> {
        (0..grid.switches())
            .flat_map(|switch| self.hops_from(grid, switch))
            .try_fold(0, |most, hops| Some(most.max(hops?)))
    }
}

impl std::fmt::Debug for Connectivity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Connectivity {
    fn eq(&self, other: &Connectivity) -> bool {
        self.name == other.name
    }
}

impl Serialize for Connectivity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for &'static Connectivity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Connectivity::find(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::by_name;

    fn grid(name: &str) -> Grid {
        Grid::of(&*by_name(name).unwrap().0).unwrap()
    }

    fn square(kind: &str, k: usize) -> Grid {
        grid(&format!("{kind}-{k}x{k}"))
    }

    #[test]
    fn shares_of_candidates() {
        let share = |graph: &Connectivity, name| 100.0 * graph.share(&grid(name));
        for (graph, mesh, torus) in [(&STAIRCASE, 50.0, 50.0), (&ALTERNATING, 37.5, 50.0), (&ON_DEMAND, 100.0, 100.0)] {
            assert_eq!((share(graph, "mesh-8x8"), share(graph, "torus-8x8")), (mesh, torus), "{graph:?}");
        }
        // All but the 63 cables of the tree, of 112 and of 128.
        assert_eq!(share(&SPANNING_TREE, "mesh-8x8"), 43.75);
        assert_eq!(share(&SPANNING_TREE, "torus-8x8"), 50.78125);
        for k in 2..=9 {
            for graph in [&STAIRCASE, &ALTERNATING] {
                let torus = square("torus", k);
                assert!((0..k * k).all(|switch| graph.candidates(&torus, switch).count_ones() == 2), "{graph:?} {k}");
            }
        }
    }

    #[test]
    fn candidates_of_the_switches_in_a_corner_and_inside() {
        // Ports +x, -x, +y, -y.
        let (mesh, torus) = (square("mesh", 4), square("torus", 4));
        let at = |graph: &Connectivity, grid: &Grid, x: usize, y: usize| graph.candidates(grid, x + 4 * y);
        assert_eq!([at(&STAIRCASE, &mesh, 0, 0), at(&STAIRCASE, &torus, 0, 0)], [0b0100, 0b1100]);
        assert_eq!([at(&STAIRCASE, &mesh, 3, 0), at(&STAIRCASE, &torus, 3, 0)], [0b0010, 0b0011]);
        assert_eq!(at(&STAIRCASE, &mesh, 1, 1), 0b1100);
        // Row 0 goes +x, column 1 goes -y; a mesh's edges are on.
        assert_eq!([at(&ALTERNATING, &mesh, 1, 0), at(&ALTERNATING, &torus, 1, 0)], [0b0100, 0b0110]);
        assert_eq!(at(&ALTERNATING, &mesh, 1, 1), 0b0101);
        assert_eq!(at(&ALTERNATING, &mesh, 2, 1), 0b1001);
        assert_eq!([at(&ON_DEMAND, &mesh, 0, 0), at(&ON_DEMAND, &torus, 0, 0)], [0b0101, 0b1111]);
        // The tree is one way through all: along row 0, back along row 1.
        assert_eq!([at(&SPANNING_TREE, &mesh, 0, 0), at(&SPANNING_TREE, &mesh, 3, 0)], [0b0100, 0]);
        assert_eq!([at(&SPANNING_TREE, &mesh, 0, 1), at(&SPANNING_TREE, &torus, 2, 1)], [0b1000, 0b1100]);
    }

    #[test]
    fn ever_on_channels_connect_all_switches() {
        for kind in ["mesh", "torus"] {
            for (k, rows) in (2..=9).flat_map(|k| (2..=9).map(move |rows| (k, rows))) {
                let grid = grid(&format!("{kind}-{k}x{rows}"));
                for graph in [&STAIRCASE, &ALTERNATING, &SPANNING_TREE] {
                    assert!(graph.diameter(&grid).is_some(), "{graph:?} {kind} {k}x{rows}");
                }
                assert_eq!(ON_DEMAND.diameter(&grid), None);
            }
        }
    }

    /// Table I of the paper gives 2k - 1 and k for the staircase. For the alternating graph its 3(k - 1) and 3k/2 are what the routing may
    /// take; the graph itself is less wide.
    #[test]
    fn ever_on_diameters() {
        let diameter = |graph: &Connectivity, kind, k| graph.diameter(&square(kind, k)).unwrap() as usize;
        for k in 2..=12 {
            assert_eq!(diameter(&STAIRCASE, "mesh", k), 2 * k - 1, "{k}");
            assert_eq!(diameter(&ALTERNATING, "mesh", k), 2 * (k - 1), "{k}");
            assert_eq!(diameter(&SPANNING_TREE, "mesh", k), k * k - 1, "{k}");
            assert_eq!(diameter(&SPANNING_TREE, "torus", k), k * k - 1, "{k}");
        }
        for k in (4..=12).step_by(2) {
            assert_eq!(diameter(&STAIRCASE, "torus", k), k + 1, "{k}");
        }
        assert_eq!(diameter(&ALTERNATING, "torus", 8), 9);
    }

    /// What is on while all candidates are off, row 0 at the bottom.
    fn drawing(graph: &Connectivity, grid: &Grid) -> Vec<String> {
        let on = |x: usize, y: usize, direction: Direction| {
            graph.ever_on(grid, x + grid.columns * y) >> direction.port() & 1 == 1
        };
        let [plus_x, minus_x, plus_y, minus_y] = DIRECTIONS;
        let mut lines = vec![];
        for y in (0..grid.rows).rev() {
            let below = (y + grid.rows - 1) % grid.rows;
            let (mut row, mut between) = (String::new(), String::new());
            for x in 0..grid.columns {
                row += match (on(x, y, plus_x), on((x + 1) % grid.columns, y, minus_x)) {
                    (true, true) => "o---",
                    (true, false) => "o-->",
                    (false, true) => "o<--",
                    (false, false) => "o   ",
                };
                between += match (on(x, below, plus_y), on(x, y, minus_y)) {
                    (true, true) => "|   ",
                    (true, false) => "^   ",
                    (false, true) => "v   ",
                    (false, false) => "    ",
                };
            }
            lines.extend([row, between].map(|line| line.trim_end().to_string()));
        }
        lines
    }

    #[test]
    fn the_page_draws_them() {
        let page = include_str!("../../../../docs/connectivity.md");
        for graph in [&STAIRCASE, &ALTERNATING, &SPANNING_TREE] {
            let [mesh, torus] = ["mesh", "torus"].map(|kind| drawing(graph, &square(kind, 4)));
            let lines =
                mesh.iter().zip(&torus).map(|(mesh, torus)| format!("{mesh:<22}{torus}").trim_end().to_string());
            let drawn = lines.collect::<Vec<_>>().join("\n");
            assert!(page.contains(drawn.trim_end()), "{graph:?}:\n{drawn}");
        }
    }

    #[test]
    fn graphs_have_names() {
        assert_eq!(Connectivity::by_name("staircase").unwrap(), &STAIRCASE);
        assert_eq!(
            Connectivity::by_name("stairs").unwrap_err().to_string(),
            "connectivity: `stairs` is unknown; it must be one of staircase, alternating, on-demand, spanning-tree"
        );
        let masks = STAIRCASE.candidates_of(&*by_name("mesh-3x2-nodes4").unwrap().0).unwrap();
        assert_eq!(masks, [0b0100, 0b0011, 0b0100, 0b0001, 0b1000, 0b0010]);
    }
}
