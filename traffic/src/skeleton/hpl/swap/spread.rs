//! Swap and broadcast of U by spreading its pieces over the rows of the grid, then rolling them round the ring of rows
//! (HPL_pdlaswp01T): least volume, more messages.

use super::super::Hpl;
use super::super::factor::{Column, DOUBLE, TAG};
use super::super::grid::GridPlace;
use super::super::tree::{Move, down};
use super::Plan;
use crate::program::call::Wanted;
use crate::skeleton::script::Script;

#[derive(Clone, Copy)]
enum Phase {
    Spread,
    /// Evening out, by number of the member that spreads.
    Even(usize),
    Roll(u32),
}

/// A long swap of one rank, a few messages at a time.
pub(in super::super) struct Long {
    phase: Phase,
}

impl Long {
    pub fn new() -> Long {
        Long { phase: Phase::Spread }
    }

    /// The next messages for so many columns of the matrix; false behind the last ones.
    pub fn step(
        &mut self,
        shared: &Hpl,
        me: GridPlace,
        panel: u64,
        plan: &Plan,
        columns: u64,
        script: &mut Script,
    ) -> bool {
        let grid = &shared.grid;
        let column = Column::new(shared, me, grid.row_of(grid.start(panel)));
        let position = plan.position[column.distance() as usize];
        let member = Member { column, plan, position, count: grid.p, columns };
        self.phase = match self.phase {
            Phase::Spread => {
                member.spread_right(0, |at| plan.pieces[at as usize], script);
                Phase::Even(0)
            }
            Phase::Even(at) => match &plan.balance {
                Some((shares, spreadings)) if at < spreadings.len() => {
                    let spreading = &spreadings[at];
                    let start = |position| shares.start_of(spreading, position);
                    if spreading.left {
                        member.spread_left(spreading.source, start, script);
                    }
                    if spreading.right {
                        member.spread_right(spreading.source, start, script);
                    }
                    Phase::Even(at + 1)
                }
                _ => Phase::Roll(0),
            },
            Phase::Roll(round) => {
                if round + 1 >= grid.p {
                    return false;
                }
                member.roll(shared, me, round, script);
                Phase::Roll(round + 1)
            }
        };
        true
    }
}

/// A row of the grid at its position in the order of spreading.
struct Member<'a> {
    column: Column<'a>,
    plan: &'a Plan,
    position: u32,
    count: u32,
    columns: u64,
}

impl Member<'_> {
    /// Sends these rows of U to the member at a position, or receives them.
    fn make(&self, action: Move, rows: u64, at: impl Fn(u32) -> u32, script: &mut Script) {
        let distance = |peer| self.plan.order[at(peer) as usize];
        match action {
            Move::SendTo(peer) => self.column.send(script, distance(peer), rows * self.columns),
            Move::ReceiveFrom(peer) => self.column.receive(script, distance(peer), rows * self.columns),
        }
    }

    /// The pieces behind the source's position go there in a tree; `start` is the first row of each.
    fn spread_right(&self, source: u32, start: impl Fn(u32) -> u64, script: &mut Script) {
        let Some(distance) = self.position.checked_sub(source) else {
            return;
        };
        for (action, power) in down(distance, self.count - source) {
            // The peer farther from the source gets what it and those behind it, up to the next power, need.
            let first = source + (distance | power);
            let rows = start((first + power).min(self.count)) - start(first);
            self.make(action, rows, |at| source + at, script);
        }
    }

    /// The same to the left. HPL counts from one position too far, except at the left end: the piece there goes along.
    fn spread_left(&self, source: u32, start: impl Fn(u32) -> u64, script: &mut Script) {
        let Some(distance) = source.checked_sub(self.position) else {
            return;
        };
        for (action, power) in down(distance, source + 1) {
            let first = source - (distance | power);
            let rows = start(first + 1) - start(first.saturating_sub(power));
            self.make(action, rows, |at| source - at, script);
        }
    }

    /// One round: every other pair of neighbours exchanges the pieces that it got from the sides farthest apart.
    fn roll(&self, shared: &Hpl, me: GridPlace, round: u32, script: &mut Script) {
        let (grid, count, position) = (&shared.grid, self.count, self.position);
        let rows = |at: u32| match &self.plan.balance {
            Some((shares, _)) => shares.start(at + 1) - shares.start(at),
            None => self.plan.pieces[at as usize + 1] - self.plan.pieces[at as usize],
        };
        let right = |steps: u32| (position + steps) % count;
        let left = |steps: u32| (position + count - steps) % count;
        let half = round / 2;
        let (out, back, neighbour) = if (position + round) % 2 == 1 {
            (rows(right(half)), rows(left(half + 1)), left(1))
        } else {
            (rows(left(half)), rows(right(half + 1)), right(1))
        };
        let row = self.column.row(self.plan.order[neighbour as usize]);
        let (peer, communicator) = (grid.rank(GridPlace { row, column: me.column }), grid.column_name(me));
        let request = (back > 0).then(|| script.post(Wanted { source: Some(peer), tag: Some(TAG), communicator }));
        if out > 0 {
            script.send(peer, TAG, communicator, out * self.columns * DOUBLE);
        }
        if let Some(request) = request {
            script.wait(request);
        }
    }
}
