//! Deliberate faults of the budget, in the golden model and in the emitted Verilog.

use super::Entry;
use crate::golden::mechanism::wrong_registers;
use crate::golden::{GoldenFault, spoilt};
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
    GoldenFault {
        name: "a lost cycle costs two",
        block: "wait_budget",
        build: |config| {
            budget(config, |before, after| {
                if after.left < before.left {
                    after.left = after.left.saturating_sub(1);
                }
            })
        },
    },
    GoldenFault {
        name: "nothing is earned",
        block: "wait_budget",
        build: |config| budget(config, |before, after| after.left = after.left.min(before.left)),
    },
    GoldenFault {
        name: "a port that may sleep may sleep for ever",
        block: "wait_budget",
        build: |config| budget(config, |before, after| after.may_sleep |= before.may_sleep),
    },
    GoldenFault {
        name: "a budget has five bits",
        block: "wait_budget",
        build: |config| budget(config, |_, after| after.left &= 0x1f),
    },
    GoldenFault {
        name: "a budget that is cut is cut to 0",
        block: "wait_budget",
        build: |config| {
            budget(config, |before, after| {
                if after.left + 1 < before.left {
                    after.left = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "T_w is not in the reserve",
        block: "budget_registers",
        build: |config| registers(config, |before, after| after.reserve = before.t_sleep + 2),
    },
    GoldenFault {
        name: "the reserve follows T_s at once",
        block: "budget_registers",
        build: |config| registers(config, |_, after| after.reserve = after.t_sleep + after.t_wake + 2),
    },
    GoldenFault {
        name: "the carry clears the fraction",
        block: "budget_registers",
        build: |config| {
            registers(config, |before, after| {
                if before.earn() {
                    after.fraction = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "`bound` has 16 bits",
        block: "budget_registers",
        build: |config| registers(config, |_, after| after.bound &= 0xffff),
    },
    GoldenFault {
        name: "`cap` is never less than it was",
        block: "budget_registers",
        build: |config| registers(config, |before, after| after.cap = after.cap.max(before.cap)),
    },
    GoldenFault {
        name: "all ports have one budget",
        block: "ahead",
        build: |config| {
            ahead(config, |_, after| {
                let least = after.budgets.iter().map(|budget| budget.left).min().expect("a port");
                after.budgets.iter_mut().for_each(|budget| budget.left = least);
            })
        },
    },
    GoldenFault {
        name: "a port with too little may sleep",
        block: "ahead",
        build: |config| ahead(config, |_, after| after.budgets.iter_mut().for_each(|budget| budget.may_sleep = true)),
    },
    GoldenFault {
        name: "the last port loses nothing",
        block: "ahead",
        build: |config| {
            ahead(config, |before, after| {
                let (before, after) = (before.budgets.last().expect("a port"), after.budgets.last_mut());
                let after = after.expect("a port");
                after.left = after.left.max(before.left);
            })
        },
    },
    GoldenFault {
        name: "POWAR's T_w is not written",
        block: "ahead",
        build: |config| {
            ahead(config, |before, after| after.powar.registers.values.t_wake = before.powar.registers.values.t_wake)
        },
    },
    GoldenFault {
        name: "budgets are full after each write of `cap`",
        block: "ahead",
        build: |config| {
            ahead(config, |before, after| {
                if before.registers.cap != after.registers.cap {
                    after.budgets.iter_mut().for_each(|budget| budget.left = after.registers.cap);
                }
            })
        },
    },
];
