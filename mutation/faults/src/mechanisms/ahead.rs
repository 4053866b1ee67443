//! Deliberate faults of the budget, in the golden model and in the emitted Verilog.

use super::Entry;
use crate::golden::mechanism::wrong_registers;
use crate::golden::{GoldenFault, spoilt};
use crate::verilog::{VerilogFault, fault};
use powar_config::mechanism::ahead::AheadValues;
use powar_config::{Config, CycleModel};
use powar_golden::reference::mechanisms::ahead::{Ahead, BudgetRegisters, WaitBudget};

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: GOLDEN, verilog: VERILOG };

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

static VERILOG: &[&[VerilogFault]] = &[
    &[
        fault("wait_budget", "a lost cycle costs nothing", "left_d = left_q - 27'd1;", "left_q - 27'd1", "left_q"),
        fault(
            "wait_budget",
            "a cycle is lost in which the port is ready",
            "assign lost = held & ~ready;",
            "held & ~ready",
            "held",
        ),
        fault(
            "wait_budget",
            "a cycle is lost in which nobody holds the port",
            "assign lost = held & ~ready;",
            "held & ~ready",
            "~ready",
        ),
        fault("wait_budget", "it earns beyond the cap", "if (left_q < cap) begin", "left_q < cap", "left_q <= cap"),
        fault("wait_budget", "a smaller cap does not cut it", "if (left_q > cap) begin", "left_q > cap", "1'b0"),
        fault(
            "wait_budget",
            "a cycle lost and earned costs one",
            "end else if (lost & ~earn) begin",
            "lost & ~earn",
            "lost",
        ),
        fault(
            "wait_budget",
            "it has to be more than the reserve",
            "assign may_sleep_d = left_q >= {1'b0, reserve};",
            "left_q >= {1'b0, reserve}",
            "left_q > {1'b0, reserve}",
        ),
        fault("wait_budget", "no port may sleep behind a reset", "may_sleep_q <= 1'b1;", "1'b1", "1'b0"),
    ],
    &[
        fault(
            "budget_registers",
            "the reserve is without T_w",
            "assign reserve_d = {2'd0, t_sleep_q} + {2'd0, t_wake_q} + MARGIN;",
            "{2'd0, t_wake_q}",
            "26'd0",
        ),
        fault("budget_registers", "the reserve is without its margin", "{2'd0, t_wake_q} + MARGIN;", "MARGIN", "26'd0"),
        fault(
            "budget_registers",
            "the highest bit of the bound is not added",
            "assign sum = {2'd0, fraction_q} + {1'b0, bound_q};",
            "{1'b0, bound_q}",
            "{2'd0, bound_q[15:0]}",
        ),
        fault(
            "budget_registers",
            "a bound above 1 does not earn in each cycle",
            "assign earn = |(sum >> BOUND_BITS);",
            "|(sum >> BOUND_BITS)",
            "sum[16]",
        ),
        fault("budget_registers", "fractions are lost", "assign fraction_d = sum[15:0];", "sum[15:0]", "bound_q[15:0]"),
        fault(
            "budget_registers",
            "the cap ends at 26 bits",
            "cap_d = write_data[26:0];",
            "write_data[26:0]",
            "{1'b0, write_data[25:0]}",
        ),
        fault(
            "budget_registers",
            "the cap is read for the bound",
            "read_data = {15'd0, bound_q};",
            "bound_q",
            "cap_q[16:0]",
        ),
        fault("budget_registers", "the fraction survives a reset", "fraction_q <= 16'd0;", "16'd0", "fraction_q"),
    ],
    &[
        fault(
            "ahead",
            "a port with too little may sleep",
            "assign powar_held = held | ~budget_may_sleep;",
            "held | ~budget_may_sleep",
            "held",
        ),
        fault(
            "ahead",
            "a port with enough stays awake",
            "assign powar_held = held | ~budget_may_sleep;",
            "~budget_may_sleep",
            "budget_may_sleep",
        ),
        fault(
            "ahead",
            "only the words of POWAR are read",
            "assign read_data = powar_read_data | registers_read_data;",
            "powar_read_data | registers_read_data",
            "powar_read_data",
        ),
        fault("ahead", "what POWAR sees as held costs", ".held      (held[i])", "held[i]", "powar_held[i]"),
        fault("ahead", "all budgets are of the first port", ".ready     (ready[i])", "ready[i]", "ready[0]"),
    ],
];
