//! One rank of HPL: factorisation with (HPL_pdgesvK2) or without (HPL_pdgesv0) look-ahead, then the solve.

use super::Hpl;
use super::check::Check;
use super::factor::Factor;
use super::grid::GridPlace;
use super::solve::Solve;
use super::update::{Update, broadcast};
use crate::skeleton::script::{Program, Script};
use std::sync::Arc;

/// What a rank is at. Those with a panel go round with it.
enum Stage {
    Begin,
    Factor(Factor),
    Broadcast,
    /// With look-ahead, the owner of the next panel updates that first.
    UpdateNext(Update),
    Update(Update),
    Solve(Solve),
    Check(Check),
    Over,
}

pub(super) struct Rank {
    shared: Arc<Hpl>,
    me: GridPlace,
    panel: u64,
    stage: Stage,
}

impl Rank {
    pub fn new(shared: &Arc<Hpl>, rank: u32) -> Rank {
        Rank { shared: shared.clone(), me: shared.grid.place(rank), panel: 0, stage: Stage::Begin }
    }

    fn owns(&self, panel: u64) -> bool {
        self.shared.grid.column_of(self.shared.grid.start(panel)) == self.me.column
    }

    /// Columns to the right of a panel, with the right-hand side.
    fn right_of(&self, panel: u64) -> u64 {
        let grid = &self.shared.grid;
        grid.columns(grid.start(panel) + grid.width(panel), grid.n + 1, self.me.column)
    }

    /// What to do with the panel that comes next.
    fn begin_panel(&self) -> Stage {
        let Hpl { grid, ahead, .. } = &*self.shared;
        if self.panel == grid.panels() {
            return match ahead {
                // The last panel has updated nothing yet: the right-hand side is left.
                true => Stage::Update(Update::new(self.panel - 1, self.right_of(self.panel - 1), None)),
                false => Stage::Solve(Solve::new()),
            };
        }
        match (self.owns(self.panel), self.panel > 0 && *ahead) {
            (true, false) => Stage::Factor(Factor::new(self.panel)),
            (true, true) => {
                let width = grid.width(self.panel);
                Stage::UpdateNext(Update::new(self.panel - 1, width, None))
            }
            (false, _) => self.begin_broadcast(),
        }
    }

    /// The panel is factorised, or will be by others.
    fn begin_broadcast(&self) -> Stage {
        if self.panel > 0 && self.shared.ahead {
            Stage::Update(Update::new(self.panel - 1, self.right_of(self.panel), Some(self.panel)))
        } else {
            Stage::Broadcast
        }
    }

    /// Behind an update of all columns.
    fn behind_update(&mut self) -> Stage {
        if self.panel == self.shared.grid.panels() {
            return Stage::Solve(Solve::new());
        }
        self.panel += 1;
        self.begin_panel()
    }
}

impl Program for Rank {
    fn step(&mut self, script: &mut Script) -> bool {
        let (shared, me) = (self.shared.clone(), self.me);
        let next = match &mut self.stage {
            Stage::Begin => {
                for (name, members) in shared.grid.communicators(me) {
                    script.communicator(name, members);
                }
                Some(self.begin_panel())
            }
            Stage::Factor(factor) => (!factor.step(&shared, me, script)).then(|| self.begin_broadcast()),
            Stage::Broadcast => {
                broadcast(&shared, me, self.panel, script);
                if shared.ahead {
                    self.panel += 1;
                    Some(self.begin_panel())
                } else {
                    Some(Stage::Update(Update::new(self.panel, self.right_of(self.panel), None)))
                }
            }
            Stage::UpdateNext(update) => {
                (!update.step(&shared, me, script)).then(|| Stage::Factor(Factor::new(self.panel)))
            }
            Stage::Update(update) => (!update.step(&shared, me, script)).then(|| self.behind_update()),
            Stage::Solve(solve) => (!solve.step(&shared, me, script))
                .then(|| if shared.check { Stage::Check(Check::default()) } else { Stage::Over }),
            Stage::Check(check) => (!check.step(&shared, me, script)).then_some(Stage::Over),
            Stage::Over => None,
        };
        if let Some(next) = next {
            self.stage = next;
        }
        !matches!(self.stage, Stage::Over)
    }

    fn place(&self) -> String {
        match self.stage {
            Stage::Solve(_) => "solve".into(),
            Stage::Check(_) => "check".into(),
            Stage::Over => "end".into(),
            _ => format!("panel {}", self.panel),
        }
    }
}
