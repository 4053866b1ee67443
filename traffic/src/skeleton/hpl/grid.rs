//! Who owns what: a block-cyclic distribution of rows and columns over a grid of ranks.

use crate::skeleton::script::{WORLD, world};
use std::sync::{Arc, OnceLock};

/// An N x (N+1) matrix, the right-hand side being the last column, in blocks of NB x NB on a grid of ranks.
pub(super) struct Grid {
    pub n: u64,
    pub nb: u64,
    pub p: u32,
    pub q: u32,
    column_major: bool,
    world: Arc<[u32]>,
    row_members: Box<[OnceLock<Arc<[u32]>>]>,
    column_members: Box<[OnceLock<Arc<[u32]>>]>,
}

/// A rank's place in the grid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct GridPlace {
    pub row: u32,
    pub column: u32,
}

/// Of the first `end` rows or columns, in blocks of `nb` dealt to `parts`, how many `part` has.
fn before(end: u64, nb: u64, part: u32, parts: u32) -> u64 {
    let (part, parts) = (u64::from(part), u64::from(parts));
    let blocks = end / nb;
    let more = match part.cmp(&(blocks % parts)) {
        std::cmp::Ordering::Less => nb,
        std::cmp::Ordering::Equal => end % nb,
        std::cmp::Ordering::Greater => 0,
    };
    blocks / parts * nb + more
}

impl Grid {
    pub fn new(n: u64, nb: u64, p: u32, q: u32, column_major: bool) -> Grid {
        let cells = |count| (0..count).map(|_| OnceLock::new()).collect();
        Grid { n, nb, p, q, column_major, world: world(p * q), row_members: cells(p), column_members: cells(q) }
    }

    pub fn ranks(&self) -> u32 {
        self.p * self.q
    }

    pub fn rank(&self, place: GridPlace) -> u32 {
        if self.column_major { place.column * self.p + place.row } else { place.row * self.q + place.column }
    }

    pub fn place(&self, rank: u32) -> GridPlace {
        if self.column_major {
            GridPlace { row: rank % self.p, column: rank / self.p }
        } else {
            GridPlace { row: rank / self.q, column: rank % self.q }
        }
    }

    /// Number of panels.
    pub fn panels(&self) -> u64 {
        self.n.div_ceil(self.nb)
    }

    /// First row and column of a panel.
    pub fn start(&self, panel: u64) -> u64 {
        panel * self.nb
    }

    /// Columns of a panel.
    pub fn width(&self, panel: u64) -> u64 {
        self.nb.min(self.n - self.start(panel))
    }

    /// The row of the grid that a row of the matrix is in.
    pub fn row_of(&self, row: u64) -> u32 {
        (row / self.nb % u64::from(self.p)) as u32
    }

    /// The column of the grid that a column of the matrix is in.
    pub fn column_of(&self, column: u64) -> u32 {
        (column / self.nb % u64::from(self.q)) as u32
    }

    /// How many of these rows of the matrix a row of the grid has.
    pub fn rows(&self, from: u64, to: u64, row: u32) -> u64 {
        before(to.max(from), self.nb, row, self.p) - before(from, self.nb, row, self.p)
    }

    /// How many of these columns of the matrix a column of the grid has.
    pub fn columns(&self, from: u64, to: u64, column: u32) -> u64 {
        before(to.max(from), self.nb, column, self.q) - before(from, self.nb, column, self.q)
    }

    /// Rows below and beside the diagonal block of a panel that are left to a row of the grid.
    pub fn below(&self, panel: u64, row: u32) -> u64 {
        self.rows(self.start(panel) + self.width(panel), self.n, row)
    }

    /// The communicators of a rank, by name, with their members.
    pub fn communicators(&self, place: GridPlace) -> [(u32, &Arc<[u32]>); 3] {
        let row = self.row_members[place.row as usize]
            .get_or_init(|| (0..self.q).map(|column| self.rank(GridPlace { row: place.row, column })).collect());
        let column = self.column_members[place.column as usize]
            .get_or_init(|| (0..self.p).map(|row| self.rank(GridPlace { row, column: place.column })).collect());
        [(WORLD, &self.world), (self.row_name(place), row), (self.column_name(place), column)]
    }

    /// Name of the communicator of a rank's row.
    pub fn row_name(&self, place: GridPlace) -> u32 {
        1 + place.row
    }

    /// Name of the communicator of a rank's column.
    pub fn column_name(&self, place: GridPlace) -> u32 {
        1 + self.p + place.column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_and_column_has_one_owner() {
        for (n, nb, p, q) in [(1, 1, 1, 1), (10, 3, 2, 3), (17, 4, 3, 2), (64, 8, 3, 5), (5, 8, 2, 2)] {
            let grid = Grid::new(n, nb, p, q, false);
            for from in 0..=n {
                for to in from..=n {
                    for row in 0..p {
                        let counted = (from..to).filter(|&index| grid.row_of(index) == row).count() as u64;
                        assert_eq!(grid.rows(from, to, row), counted, "n {n} nb {nb} p {p}: {from}..{to} of {row}");
                    }
                    for column in 0..q {
                        let counted = (from..to).filter(|&index| grid.column_of(index) == column).count() as u64;
                        assert_eq!(grid.columns(from, to, column), counted);
                    }
                }
            }
            for rank in 0..grid.ranks() {
                assert_eq!(grid.rank(grid.place(rank)), rank);
            }
        }
    }
}
