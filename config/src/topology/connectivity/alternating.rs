//! One-way streets: rows and columns alternate (Soteriou and Peh, III-A.1: alternating row-column graph).

use super::{Connectivity, Grid};

/// The line in the list of connectivity graphs.
pub const CONNECTIVITY: Connectivity = Connectivity {
    name: "alternating",
    doc: "rows and columns are one-way streets, even ones upwards; the edges of a mesh are on both ways",
    may_be_off: |grid, x, y, direction| {
        let street = [y, x][direction.dimension];
        direction.plus == (street % 2 == 1) && !is_edge(grid, street, direction.dimension)
    },
};

/// Whether the row (dimension 0) or column (1) of this number is at the edge of a mesh.
fn is_edge(grid: &Grid, street: usize, dimension: usize) -> bool {
    !grid.wraps && (street == 0 || street == grid.size(1 - dimension) - 1)
}
