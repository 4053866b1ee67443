//! `deep_budget`: whether one output port has the budget to sleep deeply.

use super::deep_reserve::RESERVE;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::mechanisms::ahead::wait_budget::LEFT;
use crate::reference::mechanisms::depths::sleep_depth::DEEP_AFTER;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{duration, flag};

/// What a port may do; the field is its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeepBudget {
    /// It had enough in the cycle before.
    pub may_deepen: bool,
}

inputs! {
    /// What it sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct DeepBudgetInputs {
        /// The port's budget, cycles.
        pub left: u32 = LEFT.habit(Habit::Beside),
        /// What it must have to sleep deeply, cycles.
        pub reserve: u32 = RESERVE.habit(Habit::Beside),
        /// Cycles that a port sleeps lightly before it sleeps deeply; 0: for ever.
        pub deep_after: u32 = DEEP_AFTER,
    }
}

impl Default for DeepBudget {
    fn default() -> Self {
        DeepBudget::new()
    }
}

impl DeepBudget {
    /// In the state after reset.
    pub fn new() -> Self {
        DeepBudget { may_deepen: true }
    }

    /// The second threshold that holds for the port: none if it has too little.
    pub fn allowed_after(&self, deep_after: u32) -> u32 {
        if self.may_deepen { deep_after } else { 0 }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = DeepBudget::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, left: u32, reserve: u32) {
        self.may_deepen = left >= reserve;
    }
}

impl Registers for DeepBudget {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("may_deepen"), self.may_deepen);
    }
}

impl Block for DeepBudget {
    type Inputs<'a> = DeepBudgetInputs;

    fn outputs(&self, seen: &DeepBudgetInputs, rows: &mut RegisterRows) {
        rows.one(duration("allowed_after", 24), self.allowed_after(seen.deep_after));
    }

    fn edge(&mut self, rst: bool, seen: &DeepBudgetInputs) {
        if rst { self.reset() } else { self.clock(seen.left, seen.reserve) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_has_a_second_threshold_with_enough_in_the_cycle_before() {
        let mut budget = DeepBudget::new();
        assert_eq!(budget.allowed_after(12), 12, "behind a reset");
        for (left, reserve, allowed) in [(9, 10, 0), (10, 10, 12), (0, 1, 0), (u32::MAX >> 5, 1 << 24, 12)] {
            budget.clock(left, reserve);
            assert_eq!((budget.allowed_after(12), budget.allowed_after(0)), (allowed, 0), "{left}, {reserve}");
        }
        budget.clock(9, 10);
        budget.reset();
        assert_eq!(budget, DeepBudget::new());
    }
}
