//! `wait_budget`: how long packets may still wait for one output port because it sleeps or wakes.

use super::BudgetRegisters;
use crate::bits::{is_set, vector};
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{duration, flag};
use powar_config::{Habit, SignalSpec};

const MAY_SLEEP: SignalSpec = flag("may_sleep");
/// The budget, also as others see it.
pub(crate) const LEFT: SignalSpec = duration("left", 27);

/// The budget of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitBudget {
    reset_value: u32,
    /// It had enough to fall asleep in the cycle before.
    pub may_sleep: bool,
    /// The budget, cycles (27 bits).
    pub left: u32,
}

inputs! {
    /// What a port's budget sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct BudgetInputs {
        /// The port is held by a packet.
        pub held: bool = flag("held"),
        /// The port may send.
        pub ready: bool = flag("ready"),
        /// Every port earns a cycle.
        pub earn: bool = flag("earn"),
        /// The most that a port can have, cycles.
        pub cap: u32 = duration("cap", 27).habit(Habit::Beside),
        /// What a port must have to fall asleep, cycles.
        pub reserve: u32 = duration("reserve", 26).habit(Habit::Beside),
    }
}

impl WaitBudget {
    /// With so many cycles after reset.
    pub fn new(cap: u32) -> Self {
        WaitBudget { reset_value: cap, may_sleep: true, left: cap }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = WaitBudget::new(self.reset_value);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &BudgetInputs) {
        let lost = inputs.held && !inputs.ready;
        self.may_sleep = self.left >= inputs.reserve;
        self.left = match (lost, inputs.earn) {
            _ if self.left > inputs.cap => inputs.cap,
            (true, false) => self.left.saturating_sub(1),
            (false, true) if self.left < inputs.cap => self.left + 1,
            _ => self.left,
        };
    }

    /// The clock edge of the budgets of all ports, of which these are held and these may send.
    pub(crate) fn clock_all(budgets: &mut [WaitBudget], held: u64, ready: u64, registers: &BudgetRegisters) {
        let (earn, &BudgetRegisters { cap, reserve, .. }) = (registers.earn(), registers);
        for (port, budget) in budgets.iter_mut().enumerate() {
            let (held, ready) = (is_set(held, port), is_set(ready, port));
            budget.clock(&BudgetInputs { held, ready, earn, cap, reserve });
        }
    }

    /// Ports that may not fall asleep.
    pub(crate) fn kept_awake(budgets: &[WaitBudget]) -> u64 {
        vector(budgets, |_, budget| !budget.may_sleep)
    }
}

impl Registers for WaitBudget {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(MAY_SLEEP, self.may_sleep);
        rows.one(LEFT, self.left);
    }
}

impl Block for WaitBudget {
    type Inputs<'a> = BudgetInputs;

    fn outputs(&self, _: &BudgetInputs, rows: &mut RegisterRows) {
        rows.one(MAY_SLEEP, self.may_sleep);
        rows.one(LEFT, self.left);
    }

    fn edge(&mut self, rst: bool, seen: &BudgetInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `left` after a cycle with these flags.
    fn after(left: u32, cap: u32, held: bool, ready: bool, earn: bool) -> u32 {
        let mut budget = WaitBudget { left, ..WaitBudget::new(9) };
        budget.clock(&BudgetInputs { held, ready, earn, cap, reserve: 4 });
        assert_eq!(budget.may_sleep, left >= 4);
        budget.left
    }

    #[test]
    fn a_cycle_costs_one_if_a_packet_waits_for_the_port() {
        for (held, ready, left) in [(true, false, 4), (true, true, 5), (false, false, 5), (false, true, 5)] {
            assert_eq!(after(5, 9, held, ready, false), left);
            assert_eq!(after(5, 9, held, ready, true), left + 1, "and earns one");
        }
    }

    #[test]
    fn it_is_neither_below_0_nor_above_the_cap() {
        assert_eq!(after(0, 9, true, false, false), 0);
        assert_eq!(after(9, 9, false, true, true), 9);
        assert_eq!(after(8, 5, true, false, false), 5, "a smaller cap cuts it at once");
        assert_eq!(after(u32::MAX >> 5, u32::MAX >> 5, false, true, true), u32::MAX >> 5);
    }

    #[test]
    fn a_reset_gives_all_that_the_configuration_allows() {
        let mut budget = WaitBudget { left: 3, may_sleep: false, ..WaitBudget::new(9) };
        budget.reset();
        assert_eq!((budget.left, budget.may_sleep), (9, true));
    }
}
