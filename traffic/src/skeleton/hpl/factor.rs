//! The factorisation of a panel by the ranks of one column (HPL_pdfact, right-looking recursion): for every column of the
//! panel, the ranks agree on the pivot and swap its row by a bidirectional exchange (HPL_pdmxswp).

use super::Hpl;
use super::grid::GridPlace;
use super::tree::{Move, down, power_below};
use crate::program::call::Wanted;
use crate::skeleton::script::Script;

/// Tag of messages within a column of ranks.
pub(super) const TAG: i32 = 1001;
/// Bytes of a double.
pub(super) const DOUBLE: u64 = 8;

/// Messages of a rank to others in its column of the grid, at distances from the row that owns the current block.
pub(super) struct Column<'a> {
    shared: &'a Hpl,
    me: GridPlace,
    /// Row of the grid that owns the current block.
    current: u32,
}

impl<'a> Column<'a> {
    pub fn new(shared: &'a Hpl, me: GridPlace, current: u32) -> Self {
        Column { shared, me, current }
    }

    /// Rows behind the current one.
    pub fn distance(&self) -> u32 {
        let p = self.shared.grid.p;
        (self.me.row + p - self.current) % p
    }

    /// The row at this distance.
    pub fn row(&self, distance: u32) -> u32 {
        (self.current + distance) % self.shared.grid.p
    }

    fn peer(&self, distance: u32) -> (u32, u32) {
        let place = GridPlace { row: self.row(distance), column: self.me.column };
        (self.shared.grid.rank(place), self.shared.grid.column_name(self.me))
    }

    /// Nothing is sent when there are no doubles to send.
    pub fn send(&self, script: &mut Script, distance: u32, doubles: u64) {
        let (to, communicator) = self.peer(distance);
        if doubles > 0 {
            script.send(to, TAG, communicator, doubles * DOUBLE);
        }
    }

    pub fn receive(&self, script: &mut Script, distance: u32, doubles: u64) {
        let (from, communicator) = self.peer(distance);
        if doubles > 0 {
            script.receive(from, TAG, communicator);
        }
    }

    /// Both at once (HPL_sdrv): the receive is posted before the send and waited for behind it.
    pub fn exchange(&self, script: &mut Script, distance: u32, out: u64, back: u64) {
        if out == 0 {
            return self.receive(script, distance, back);
        }
        if back == 0 {
            return self.send(script, distance, out);
        }
        let (peer, communicator) = self.peer(distance);
        let request = script.post(Wanted { source: Some(peer), tag: Some(TAG), communicator });
        script.send(peer, TAG, communicator, out * DOUBLE);
        script.wait(request);
    }

    /// Data of `doubles` from the member at distance `root` to all behind it.
    pub fn spread_behind(&self, script: &mut Script, root: u32, doubles: u64) {
        let size = self.shared.grid.p - root;
        for (action, _) in down(self.distance() - root, size) {
            match action {
                Move::SendTo(peer) => self.send(script, root + peer, doubles),
                Move::ReceiveFrom(peer) => self.receive(script, root + peer, doubles),
            }
        }
    }
}

/// A panel being factorised by a rank of its column.
pub(super) struct Factor {
    panel: u64,
    /// Next column within the panel.
    column: u64,
}

impl Factor {
    pub fn new(panel: u64) -> Factor {
        Factor { panel, column: 0 }
    }

    /// One column; false behind the last one.
    pub fn step(&mut self, shared: &Hpl, me: GridPlace, script: &mut Script) -> bool {
        let width = shared.grid.width(self.panel);
        agree_on_pivot(&Column::new(shared, me, shared.grid.row_of(shared.grid.start(self.panel))), width, script);
        script.compute(shared.panel_work(self.flops(shared, me)));
        self.column += 1;
        self.column < width
    }

    /// What a rank computes behind the pivot of this column and before the next one, flops.
    fn flops(&self, shared: &Hpl, me: GridPlace) -> u64 {
        let grid = &shared.grid;
        let width = grid.width(self.panel);
        let next = self.column + 1;
        let current = grid.row_of(grid.start(self.panel)) == me.row;
        let rows = grid.below(self.panel, me.row) + if current { width - next } else { 0 };
        let (mut from, mut to) = (0, width);
        let mut flops = 0;
        while to - from > shared.nbmin {
            let parts = (to - from).div_ceil(shared.nbmin).div_ceil(shared.ndiv) * shared.nbmin;
            let first = from + (self.column - from) / parts * parts;
            let last = (first + parts).min(to);
            if next == last && last < to {
                // The part is done: a triangular solve and a product with what is to its right.
                let (done, right) = (last - first, to - last);
                flops += done * done * right + 2 * rows * right * done;
            }
            (from, to) = (first, last);
        }
        // Scaling of the column, rank-1 update of those to its right.
        flops + rows + 2 * rows * (to - next)
    }
}

/// HPL_pdmxswp: all members exchange their best row (one row and four numbers), the owner of the current row sends that
/// one too, towards those that have not got it yet.
fn agree_on_pivot(column: &Column, width: u64, script: &mut Script) {
    let p = column.shared.grid.p;
    let power = power_below(p);
    let distance = column.distance();
    let (row, best, both) = (width, width + 4, 2 * width + 4);
    // Those beyond the largest power of two hand their rows in first, and get the outcome last.
    let outer = distance ^ power;
    let folds = power < p && outer < p;
    if folds {
        match () {
            () if distance == power => column.exchange(script, outer, best, row),
            () if distance > power => column.send(script, outer, best),
            () if distance == 0 => column.exchange(script, outer, row, best),
            () => column.receive(script, outer, best),
        }
    }
    if distance < power {
        for bit in 0..power.ilog2() {
            // Who is near enough to the owner by now has the current row.
            let (out, back) = match (distance >> (bit + 1), distance >> bit) {
                (0, 0) => (both, best),
                (0, _) => (best, both),
                _ => (best, best),
            };
            column.exchange(script, distance ^ 1 << bit, out, back);
        }
    } else {
        column.spread_behind(script, power, row);
    }
    if folds {
        if distance >= power {
            column.receive(script, outer, best);
        } else {
            column.send(script, outer, best);
        }
    }
}
