//! A tree with the fewest links: one way through all switches, row by row, there and back (Soteriou and Peh, Figure 7).

use super::Connectivity;

/// The line in the list of connectivity graphs.
pub const CONNECTIVITY: Connectivity = Connectivity {
    name: "spanning-tree",
    doc: "on are the cables of one way through all switches: even rows upwards, odd ones back",
    may_be_off: |grid, x, y, direction| {
        let last = grid.columns - 1;
        let edge = |end: usize| x == end;
        match (direction.dimension, direction.plus) {
            // Around, in a torus; along a row always on.
            (0, true) => edge(last),
            (0, _) => edge(0),
            // From an even row to the next at the end of the columns, from an odd one at the beginning.
            (_, true) => y == grid.rows - 1 || !edge(if y % 2 == 0 { last } else { 0 }),
            (_, false) => y == 0 || !edge(if y % 2 == 1 { last } else { 0 }),
        }
    },
};
