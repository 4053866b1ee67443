//! Backward substitution (HPL_pdtrsv): blocks of the solution from the last to the first, each passed on upwards in its
//! column of ranks, while the updates that the next block needs first go to the column that owns it.

use super::Hpl;
use super::factor::DOUBLE;
use super::grid::GridPlace;
use crate::skeleton::script::Script;

/// Tags go from here, by two for each block, row and column apart.
const FIRST_TAG: i32 = 3001;
const LAST_TAG: i32 = 4000;

/// The solve of one rank, block by block.
pub(super) struct Solve {
    /// The block solved last; `None` before the first.
    solved: Option<u64>,
    row_tag: i32,
    column_tag: i32,
}

impl Solve {
    pub fn new() -> Solve {
        Solve { solved: None, row_tag: FIRST_TAG, column_tag: FIRST_TAG + 1 }
    }

    /// Rows right above those of `block` that the columns before its own need next.
    fn ahead(shared: &Hpl, block: u64, row: u32) -> u64 {
        let grid = &shared.grid;
        let reach = (u64::from(grid.q - 1) * grid.nb).max(grid.nb);
        let end = grid.start(block);
        grid.rows(end.saturating_sub(reach), end, row)
    }

    /// One block; false behind the last one.
    pub fn step(&mut self, shared: &Hpl, me: GridPlace, script: &mut Script) -> bool {
        let grid = &shared.grid;
        let Some(solved) = self.solved else {
            self.begin(shared, me, script);
            return true;
        };
        let in_row = |column| grid.rank(GridPlace { row: me.row, column });
        let in_column = |row| grid.rank(GridPlace { row, column: me.column });
        let (row, column) = (grid.row_of(grid.start(solved)), grid.column_of(grid.start(solved)));
        let width = grid.width(solved);
        if solved == 0 {
            if me.column == column {
                shared.broadcast_in_column(me, row, width, script);
            }
            return false;
        }
        let next = solved - 1;
        let (next_row, next_column) = (grid.row_of(grid.start(next)), grid.column_of(grid.start(next)));
        let above = (me.row + grid.p - 1) % grid.p;
        let rows = grid.rows(0, grid.start(solved), me.row);
        let ahead = Self::ahead(shared, solved, me.row);
        if me.column == column {
            let name = grid.column_name(me);
            if me.row != row {
                script.receive(in_column((me.row + 1) % grid.p), self.column_tag, name);
            } else if grid.p > 1 {
                script.send(in_column(above), self.column_tag, name, width * DOUBLE);
            }
            if ahead > 0 {
                script.compute(shared.panel_work(2 * ahead * width));
                if grid.q > 1 {
                    script.send(in_row(next_column), self.row_tag, grid.row_name(me), ahead * DOUBLE);
                }
            }
            if me.row != row && above != row {
                script.send(in_column(above), self.column_tag, name, width * DOUBLE);
            }
        } else if me.column == next_column && ahead > 0 {
            script.receive(in_row(column), self.row_tag, grid.row_name(me));
            script.compute(shared.panel_work(2 * ahead));
        }
        if (GridPlace { row: next_row, column: next_column }) == me {
            script.compute(shared.panel_work(grid.nb * grid.nb));
        }
        if me.column == column {
            script.compute(shared.panel_work(2 * (rows - ahead) * width));
        }
        self.row_tag = advance(self.row_tag, FIRST_TAG);
        self.column_tag = advance(self.column_tag, FIRST_TAG + 1);
        self.solved = Some(next);
        true
    }

    /// Moves the right-hand side to the column that has the last block, and solves that block.
    fn begin(&mut self, shared: &Hpl, me: GridPlace, script: &mut Script) {
        let grid = &shared.grid;
        let last = grid.panels() - 1;
        let (from, to) = (grid.column_of(grid.n), grid.column_of(grid.start(last)));
        let rows = grid.rows(0, grid.n, me.row);
        if rows > 0 && from != to {
            if me.column == from {
                let rank = grid.rank(GridPlace { row: me.row, column: to });
                script.send(rank, self.row_tag, grid.row_name(me), rows * DOUBLE);
            } else if me.column == to {
                script.receive(grid.rank(GridPlace { row: me.row, column: from }), self.row_tag, grid.row_name(me));
            }
        }
        if me == (GridPlace { row: grid.row_of(grid.start(last)), column: to }) {
            script.compute(shared.panel_work(grid.width(last).pow(2)));
        }
        self.row_tag = advance(self.row_tag, FIRST_TAG);
        self.solved = Some(last);
    }
}

fn advance(tag: i32, first: i32) -> i32 {
    if tag + 2 > LAST_TAG { first } else { tag + 2 }
}
