//! Deliberate faults of the mechanism in which hints, budget and depths meet, in the golden model and in the emitted Verilog.

use super::Entry;
use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, golden_fault, spoilt};
use crate::verilog::{VerilogFault, fault};
use powar_config::mechanism::hints_depths::HintsDepthsValues;
use powar_config::{Config, CycleModel};
use powar_golden::reference::mechanisms::hints_depths::{DeepBudget, DeepRegisters, DeepReserve, HintsDepths};

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: GOLDEN, verilog: &[WIRES] };

fn budget(spoil: fn(&DeepBudget, &mut DeepBudget)) -> Box<dyn CycleModel + Send> {
    spoilt(DeepBudget::new(), spoil)
}

fn reserve(config: &Config, spoil: fn(&DeepReserve, &mut DeepReserve)) -> Box<dyn CycleModel + Send> {
    spoilt(DeepReserve::new(&HintsDepthsValues::of(config)), spoil)
}

fn registers(config: &Config, spoil: fn(&DeepRegisters, &mut DeepRegisters)) -> Box<dyn CycleModel + Send> {
    spoilt(DeepRegisters::new(HintsDepthsValues::of(config)), spoil)
}

fn mechanism(config: &Config, spoil: fn(&HintsDepths, &mut HintsDepths)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, HintsDepths::new(config), spoil)
}

const GOLDEN: &[GoldenFault] = &[
    golden_fault("deep_budget", "a port that may go deep may for ever", |_| {
        budget(|before, after| after.may_deepen |= before.may_deepen)
    }),
    golden_fault("deep_budget", "a port that had too little never has enough again", |_| {
        budget(|before, after| after.may_deepen &= before.may_deepen)
    }),
    golden_fault("deep_reserve", "the cycle more is left out", |config| {
        reserve(config, |_, after| after.reserve = after.reserve.saturating_sub(1))
    }),
    golden_fault("deep_reserve", "it is never less than it was", |config| {
        reserve(config, |before, after| after.reserve = after.reserve.max(before.reserve))
    }),
    golden_fault("deep_reserve", "it has 24 bits", |config| reserve(config, |_, after| after.reserve &= 0xff_ffff)),
    golden_fault("deep_registers", "the second threshold has 23 bits", |config| {
        registers(config, |_, after| after.values.deep_after &= 0x7f_ffff)
    }),
    golden_fault("deep_registers", "a second threshold of 0 is not taken", |config| {
        registers(config, |before, after| {
            if after.values.deep_after == 0 {
                after.values.deep_after = before.values.deep_after;
            }
        })
    }),
    golden_fault("deep_registers", "the time of a deep wake-up is not written", |config| {
        registers(config, |before, after| after.values.t_wake_deep = before.values.t_wake_deep)
    }),
    golden_fault("hints_depths", "a port goes deep whatever its budget", |config| {
        mechanism(config, |_, after| after.deep_budgets.iter_mut().for_each(|budget| budget.may_deepen = true))
    }),
    golden_fault("hints_depths", "all ports have the budget of the first to go deep", |config| {
        mechanism(config, |_, after| {
            let first = after.deep_budgets[0];
            after.deep_budgets.fill(first);
        })
    }),
    golden_fault("hints_depths", "a deep wake-up costs what a light one does", |config| {
        mechanism(config, |before, after| {
            let ports = before.budgets.iter().zip(&mut after.budgets);
            for ((before, after), (depth, fsm)) in ports.zip(before.depths.iter().zip(&after.powar.fsms)) {
                if depth.deep && fsm.awake() {
                    after.left = after.left.max(before.left);
                }
            }
        })
    }),
    golden_fault("hints_depths", "a light wake-up that is the longer one does not count", |config| {
        mechanism(config, |before, after| after.deep_reserve.reserve = before.deep_registers.values.t_wake_deep + 1)
    }),
    golden_fault("hints_depths", "POWAR's T_w is not written where it is copied", |config| {
        mechanism(config, |before, after| after.budget_registers.t_wake = before.budget_registers.t_wake)
    }),
    golden_fault("hints_depths", "a port that is held back counts as ready", |config| {
        wrong_outputs(config, HintsDepths::new(config), |mechanism, outputs| {
            for (port, depth) in mechanism.depths.iter().enumerate() {
                outputs.ready |= u64::from(depth.deep && mechanism.powar.fsms[port].awake()) << port;
            }
        })
    }),
    golden_fault("hints_depths", "words that wait are kept over a port that is held back", |config| {
        mechanism(config, |before, after| {
            // Without a sideband a word that waits is forgotten while the port may not send.
            for (port, (was, is)) in before.lanes.senders.iter().zip(&mut after.lanes.senders).enumerate() {
                let held_back = before.depths[port].deep && before.powar.fsms[port].awake();
                if held_back && is.count < was.count {
                    is.count = was.count;
                }
            }
        })
    }),
    golden_fault("hints_depths", "the counters of hints are those of Wake hints", |config| {
        mechanism(config, |before, after| {
            // A write of the time of a deep wake-up is one of `hints_woke` there.
            let (was, is) = (before.deep_registers.values.t_wake_deep, after.deep_registers.values.t_wake_deep);
            if was != is {
                after.lanes.registers.hints_woke = is;
            }
        })
    }),
];

/// A wire of one child that goes to another.
const fn wire(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("hints_depths", name, find, right, wrong)
}

const WIRES: &[VerilogFault] = &[
    wire("a port that is held back loses nothing", ".ready     (ready[i]),", "ready[i]", "powar_ready[i]"),
    wire(
        "a port goes deep whatever its budget",
        ".deep_after  (deep_budget_allowed_after[i*24 +: 24]),",
        "deep_budget_allowed_after[i*24 +: 24]",
        "deep_registers_deep_after",
    ),
    wire(
        "the budget of the next port says whether one may go deep",
        ".left          (budget_left[i*27 +: 27]),",
        "i*27",
        "((i + 1) % 8)*27",
    ),
    wire(
        "what pays for a light sleep pays for a deep wake-up",
        ".reserve       (deep_reserve_reserve),",
        "deep_reserve_reserve",
        "budget_registers_reserve[24:0]",
    ),
    wire(
        "a port with too little for a deep wake-up does not sleep at all",
        ".reserve   (budget_registers_reserve),",
        "budget_registers_reserve",
        "{1'b0, deep_reserve_reserve}",
    ),
    wire(
        "a light wake-up that takes longer is forgotten",
        ".t_wake      (budget_registers_t_wake),",
        "budget_registers_t_wake",
        "deep_registers_t_wake_deep",
    ),
    wire(
        "to the monitor a port that is held back is on",
        ".phase    (phase[i*3 +: 3]),",
        "phase[i*3 +: 3]",
        "powar_phase[i*3 +: 3]",
    ),
    wire(
        "words go out over a link whose port is held back",
        "(hint_registers_sideband | (phase[p*3 +: 3] == PHASE_ON))",
        "phase[p*3 +: 3]",
        "powar_phase[p*3 +: 3]",
    ),
];
