//! The update of the trailing matrix with a panel (HPL_pdupdate), while the next panel is broadcast.

use super::grid::GridPlace;
use super::swap::{self, Plan};
use super::{Hpl, Swap};
use crate::skeleton::script::Script;
use std::sync::Arc;

/// Tags of panels go from here.
const FIRST_TAG: i32 = 2001;
const LAST_TAG: i32 = 3000;

/// Sends a panel on, or receives it and then does.
pub(super) fn broadcast(shared: &Hpl, me: GridPlace, panel: u64, script: &mut Script) {
    let grid = &shared.grid;
    let q = grid.q;
    if q == 1 {
        return;
    }
    // With look-ahead, a tag is left out behind the first panel.
    let number = panel + u64::from(shared.ahead && panel > 0);
    let tag = FIRST_TAG + (number % (LAST_TAG - FIRST_TAG + 1) as u64) as i32;
    let root = grid.column_of(grid.start(panel));
    let width = grid.width(panel);
    let doubles = grid.below(panel, me.row) * width + width * width + width + 1;
    let part = shared.broadcast.part((me.column + q - root) % q, q);
    let rank = |distance: u32| grid.rank(GridPlace { row: me.row, column: (root + distance) % q });
    if let Some(from) = part.from {
        script.receive(rank(from), tag, grid.row_name(me));
    }
    for to in part.to.into_iter().flatten() {
        script.send(rank(to), tag, grid.row_name(me), doubles * super::factor::DOUBLE);
    }
}

enum Phase {
    Begin,
    Long(swap::spread::Long),
    Compute,
}

/// An update of one rank.
pub(super) struct Update {
    /// The panel to update with.
    with: u64,
    /// Columns of the matrix.
    columns: u64,
    /// The panel that is broadcast meanwhile.
    forward: Option<u64>,
    plan: Option<Arc<Plan>>,
    phase: Phase,
}

impl Update {
    pub fn new(with: u64, columns: u64, forward: Option<u64>) -> Update {
        Update { with, columns, forward, plan: None, phase: Phase::Begin }
    }

    /// The next few calls; false behind the last ones.
    pub fn step(&mut self, shared: &Hpl, me: GridPlace, script: &mut Script) -> bool {
        match &mut self.phase {
            Phase::Begin => self.begin(shared, me, script),
            Phase::Long(long) => {
                let plan = self.plan.as_ref().expect("a swap has a plan");
                if !long.step(shared, me, self.with, plan, self.columns, script) {
                    self.phase = Phase::Compute;
                }
                true
            }
            Phase::Compute => {
                self.compute(shared, me, script);
                false
            }
        }
    }

    fn begin(&mut self, shared: &Hpl, me: GridPlace, script: &mut Script) -> bool {
        let grid = &shared.grid;
        // The root has the panel; there is nothing to wait for either where there is nothing to do meanwhile.
        let at_once = |panel: &u64| grid.column_of(grid.start(*panel)) == me.column || self.columns == 0;
        if let Some(panel) = self.forward.take_if(|panel| at_once(panel)) {
            broadcast(shared, me, panel, script);
        }
        if self.columns == 0 {
            return false;
        }
        self.phase = Phase::Compute;
        if grid.p > 1 {
            let plan = shared.plans.get(shared, self.with);
            let long = match shared.swap {
                Swap::Exchange => false,
                Swap::Long => true,
                Swap::Mix => self.columns > shared.threshold,
            };
            if long {
                self.plan = Some(plan);
                self.phase = Phase::Long(swap::spread::Long::new());
            } else {
                swap::exchange::exchange(shared, me, self.with, &plan, self.columns, script);
            }
        }
        true
    }

    fn compute(&self, shared: &Hpl, me: GridPlace, script: &mut Script) {
        let before = match self.forward {
            Some(panel) => self.columns_before(shared, me, panel),
            None => self.columns,
        };
        let flops = |columns| flops(shared, me, self.with, columns);
        script.compute(shared.product(flops(before)));
        if let Some(panel) = self.forward {
            broadcast(shared, me, panel, script);
        }
        script.compute(shared.product(flops(self.columns - before)));
    }

    /// Columns that are updated before the next panel is there. HPL looks for it between blocks of NB columns.
    fn columns_before(&self, shared: &Hpl, me: GridPlace, panel: u64) -> u64 {
        let nb = shared.grid.nb;
        let blocks = self.columns.div_ceil(nb);
        let done = match shared.probe {
            Some(share) => (share * blocks as f64).round() as u64,
            None => {
                // What the root computes from when it has the panel that this update is with, up to its broadcast.
                let width = shared.grid.width(panel);
                let rows = shared.grid.below(panel, me.row) + width;
                let panel = shared.panel_work(width * width * (rows - width / 3));
                let root = shared.product(flops(shared, me, self.with, width)).saturating_add(panel);
                root.div_ceil(shared.product(flops(shared, me, self.with, nb)).max(1))
            }
        };
        done.min(blocks).saturating_mul(nb).min(self.columns)
    }
}

/// Flops of the update of so many columns: a triangular solve for their rows of U, a product with the panel.
fn flops(shared: &Hpl, me: GridPlace, with: u64, columns: u64) -> u64 {
    let width = shared.grid.width(with);
    let rows = shared.grid.below(with, me.row);
    columns * width * (width + 2 * rows)
}
