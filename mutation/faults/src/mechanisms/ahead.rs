//! Deliberate faults of the budget, in the golden model and in the emitted Verilog.

use super::Entry;
use crate::golden::mechanism::wrong_registers;
use crate::golden::{GoldenFault, golden_fault, spoilt};
use powar_config::mechanism::ahead::AheadValues;
use powar_config::{Config, CycleModel};
use powar_golden::reference::mechanisms::ahead::{Ahead, BudgetRegisters, WaitBudget};

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: GOLDEN, verilog: &[] };

fn budget(config: &Config, spoil: fn(&WaitBudget, &mut WaitBudget)) -> Box<dyn CycleModel + Send> {
    spoilt(WaitBudget::new(AheadValues::of(config).cap), spoil)
}

fn registers(config: &Config, spoil: fn(&BudgetRegisters, &mut BudgetRegisters)) -> Box<dyn CycleModel + Send> {
    spoilt(BudgetRegisters::new(AheadValues::of(config)), spoil)
}

fn ahead(config: &Config, spoil: fn(&Ahead, &mut Ahead)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, Ahead::new(config), spoil)
}

const GOLDEN: &[GoldenFault] = &[
    golden_fault("wait_budget", "a lost cycle costs two", |config| {
        budget(config, |before, after| {
            if after.left < before.left {
                after.left = after.left.saturating_sub(1);
            }
        })
    }),
    golden_fault("wait_budget", "nothing is earned", |config| {
        budget(config, |before, after| after.left = after.left.min(before.left))
    }),
    golden_fault("wait_budget", "a port that may sleep may sleep for ever", |config| {
        budget(config, |before, after| after.may_sleep |= before.may_sleep)
    }),
    golden_fault("wait_budget", "a budget has five bits", |config| budget(config, |_, after| after.left &= 0x1f)),
    golden_fault("wait_budget", "a budget that is cut is cut to 0", |config| {
        budget(config, |before, after| {
            if after.left + 1 < before.left {
                after.left = 0;
            }
        })
    }),
    golden_fault("budget_registers", "T_w is not in the reserve", |config| {
        registers(config, |before, after| after.reserve = before.t_sleep + 2)
    }),
    golden_fault("budget_registers", "the reserve follows T_s at once", |config| {
        registers(config, |_, after| after.reserve = after.t_sleep + after.t_wake + 2)
    }),
    golden_fault("budget_registers", "the carry clears the fraction", |config| {
        registers(config, |before, after| {
            if before.earn() {
                after.fraction = 0;
            }
        })
    }),
    golden_fault("budget_registers", "`bound` has 16 bits", |config| {
        registers(config, |_, after| after.bound &= 0xffff)
    }),
    golden_fault("budget_registers", "`cap` is never less than it was", |config| {
        registers(config, |before, after| after.cap = after.cap.max(before.cap))
    }),
    golden_fault("ahead", "all ports have one budget", |config| {
        ahead(config, |_, after| {
            let least = after.budgets.iter().map(|budget| budget.left).min().expect("a port");
            after.budgets.iter_mut().for_each(|budget| budget.left = least);
        })
    }),
    golden_fault("ahead", "a port with too little may sleep", |config| {
        ahead(config, |_, after| after.budgets.iter_mut().for_each(|budget| budget.may_sleep = true))
    }),
    golden_fault("ahead", "the last port loses nothing", |config| {
        ahead(config, |before, after| {
            let (before, after) = (before.budgets.last().expect("a port"), after.budgets.last_mut());
            let after = after.expect("a port");
            after.left = after.left.max(before.left);
        })
    }),
    golden_fault("ahead", "POWAR's T_w is not written", |config| {
        ahead(config, |before, after| after.powar.registers.values.t_wake = before.powar.registers.values.t_wake)
    }),
    golden_fault("ahead", "budgets are full after each write of `cap`", |config| {
        ahead(config, |before, after| {
            if before.registers.cap != after.registers.cap {
                after.budgets.iter_mut().for_each(|budget| budget.left = after.registers.cap);
            }
        })
    }),
];
