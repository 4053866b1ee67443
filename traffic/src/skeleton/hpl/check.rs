//! The check of the result (HPL_pdtest): time of the slowest, norms of the matrix and of the solution, residual. Reductions
//! and broadcasts are messages of HPL's own (HPL_reduce, HPL_broadcast).

use super::Hpl;
use super::factor::DOUBLE;
use super::grid::GridPlace;
use super::tree::{Move, down, up};
use crate::skeleton::script::{Script, WORLD};

/// Tag of HPL's own collectives.
const TAG: i32 = 9001;

/// Who takes part: all ranks, or those of the rank's row or column of the grid.
#[derive(Clone, Copy)]
enum Among {
    All,
    Row,
    Column,
}

impl Hpl {
    fn rank_among(&self, me: GridPlace, among: Among, index: u32) -> u32 {
        match among {
            // HPL makes its own communicator of all ranks, in the order of the world.
            Among::All => index,
            Among::Row => self.grid.rank(GridPlace { column: index, ..me }),
            Among::Column => self.grid.rank(GridPlace { row: index, ..me }),
        }
    }

    /// Own index, size and name of the communicator.
    fn among(&self, me: GridPlace, among: Among) -> (u32, u32, u32) {
        match among {
            Among::All => (self.grid.rank(me), self.grid.ranks(), WORLD),
            Among::Row => (me.column, self.grid.q, self.grid.row_name(me)),
            Among::Column => (me.row, self.grid.p, self.grid.column_name(me)),
        }
    }

    fn tree(&self, me: GridPlace, among: Among, root: u32, doubles: u64, reduce: bool, script: &mut Script) {
        let (index, size, communicator) = self.among(me, among);
        let distance = (index + size - root) % size;
        let peer = |distance| self.rank_among(me, among, (root + distance) % size);
        let mut make = |action| match action {
            _ if doubles == 0 => (),
            Move::SendTo(to) => script.send(peer(to), TAG, communicator, doubles * DOUBLE),
            Move::ReceiveFrom(from) => script.receive(peer(from), TAG, communicator),
        };
        if reduce {
            up(distance, size).for_each(make);
        } else {
            down(distance, size).for_each(|(action, _)| make(action));
        }
    }

    /// Broadcast within the rank's column of the grid.
    pub(super) fn broadcast_in_column(&self, me: GridPlace, root: u32, doubles: u64, script: &mut Script) {
        self.tree(me, Among::Column, root, doubles, false, script);
    }
}

/// Parts of the check, in their order.
const PARTS: u32 = 8;

/// The check, part by part.
#[derive(Default)]
pub(super) struct Check {
    part: u32,
}

impl Check {
    /// One part; false behind the last one.
    pub fn step(&mut self, shared: &Hpl, me: GridPlace, script: &mut Script) -> bool {
        let grid = &shared.grid;
        let rows = grid.rows(0, grid.n, me.row);
        let columns = grid.columns(0, grid.n, me.column);
        let mut reduce = |among, doubles| shared.tree(me, among, 0, doubles, true, script);
        match self.part {
            // Time of the slowest.
            0 => reduce(Among::All, 1),
            // The 1-norm of the matrix, then, as the infinity norm of x, that of a row.
            1 | 3 => {
                reduce(Among::Column, columns);
                if me.row == 0 {
                    reduce(Among::Row, 1);
                }
            }
            // The infinity norm of the matrix.
            2 => {
                reduce(Among::Row, rows);
                if me.column == 0 {
                    reduce(Among::Column, 1);
                }
            }
            // The 1-norm of x.
            4 => {
                if me.row == 0 {
                    reduce(Among::Row, 1);
                }
                if me.column == 0 {
                    reduce(Among::Column, 1);
                }
            }
            // The infinity norm of b, in the column that has it.
            5 => {
                let owner = grid.column_of(grid.n);
                if me.column == owner {
                    reduce(Among::Column, 1);
                    shared.tree(me, Among::Column, 0, 1, false, script);
                }
                shared.tree(me, Among::Row, owner, 1, false, script);
            }
            6 => {
                // b - A x, two flops an element.
                script.compute(shared.panel_work(2 * rows * columns));
                shared.tree(me, Among::Row, 0, rows, true, script);
            }
            // Its infinity norm.
            _ => {
                reduce(Among::Row, rows);
                if me.column == 0 {
                    reduce(Among::Column, 1);
                }
            }
        }
        if !matches!(self.part, 5 | 6) {
            shared.tree(me, Among::All, 0, 1, false, script);
        }
        self.part += 1;
        self.part < PARTS
    }
}
