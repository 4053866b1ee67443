//! The mechanisms with hints.

use super::{equal_in_every_cycle, equal_to, see, skip_equals_stepping};
use crate::support::changed::Changed;
use crate::support::wake_hints::{Change, Each};
use crate::support::{TestedMechanism, cases};
use fastrand::Rng;
use powar_config::Phase;
use powar_golden::reference::controller::StepwiseController;
use powar_golden::reference::mechanisms::hints_depths::HintsDepths;
use powar_golden::reference::mechanisms::wake_hints::{HintMonitor, HintReceiver, HintSender, WakeHints};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(384))]

    #[test]
    fn the_mechanism_with_hints_equals_the_composition_of_the_blocks(seed: u64, size in 0..HINT_PORTS.len(), cycles in 1usize..2500) {
        equal_in_every_cycle(TestedMechanism::WakeHints, HINT_PORTS[size], seed, cycles)?;
    }

    #[test]
    fn the_mechanism_with_hints_is_skipped_over(seed: u64, size in 0..HINT_PORTS.len(), moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::WakeHints, HINT_PORTS[size], seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn hints_and_depths_equal_the_composition(seed: u64, size in 0..HINT_PORTS.len(), cycles in 1usize..2500) {
        equal_in_every_cycle(TestedMechanism::HintsDepths, HINT_PORTS[size], seed, cycles)?;
    }

    #[test]
    fn hints_and_depths_are_skipped_over(seed: u64, size in 0..HINT_PORTS.len(), moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::HintsDepths, HINT_PORTS[size], seed, moments)?;
    }
}

/// Ports of switches of stars, trees, meshes and tori, with hints.
const HINT_PORTS: [usize; 12] = [2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 28, 64];

/// Rules of the mechanism with hints, each with what it would be without.
const HINT_RULES: [(&str, Change); 22] = [
    ("hints", Change::Seen(|seen, _| seen.around.hint_in = 0)),
    ("hints of the last port", Change::Seen(|seen, _| seen.around.hint_in &= !2)),
    ("a neighbour that drains sends", Change::Seen(|_, phases| see(phases, Phase::Draining, Phase::Off))),
    ("a neighbour that comes on does not", Change::Seen(|_, phases| see(phases, Phase::ComingOn, Phase::On))),
    ("the position", Change::Seen(|seen, _| seen.around.position = 0)),
    ("the stage", Change::Seen(|seen, _| seen.around.stage = 0)),
    ("ports that are given", Change::Seen(|seen, _| seen.given = 0)),
    ("a hint that is taken waits no longer", receivers(|was, is| is.waiting |= was.waiting)),
    (
        "a word is forgotten when nobody listens",
        receivers(|was, is| {
            if was.count > 1 {
                is.count = was.count - 1;
            }
        }),
    ),
    (
        "the address stays while the hint waits",
        receivers(|was, is| {
            if was.count == 1 {
                is.destination = was.word;
            }
        }),
    ),
    ("ports take turns", Change::Held(|_, after| after.lanes.choice.turn.pointer = 1)),
    ("a hint is sent on", Change::Held(|_, after| after.lanes.choice.address = 0)),
    ("a hint wakes a port", Change::Held(|_, after| after.lanes.choice.wake = 0)),
    ("where there is none of P, one of D is woken", Change::Held(|_, after| after.lanes.choice.deterministic = 0)),
    ("one of P is woken", Change::Held(|_, after| after.lanes.choice.adaptive = 0)),
    ("four words wait", senders(|_, is| is.count = is.count.min(3))),
    (
        "words that wait go without a lane",
        senders(|was, is| {
            if is.count == 0 && was.count > 1 {
                is.count = was.count;
            }
        }),
    ),
    (
        "a word ends without a lane",
        senders(|was, is| {
            if was.left > 1 {
                is.left = was.left - 1;
            }
        }),
    ),
    ("a port that was woken is preferred", monitors(|_, is| is.foreseen = false)),
    ("a packet ends that", monitors(|was, is| is.foreseen |= was.foreseen && is.awake)),
    ("ports that are woken are counted", Change::Held(|_, after| after.lanes.registers.begun = 0)),
    ("wake-ups in vain are counted", Change::Held(|_, after| after.lanes.registers.idle = 0)),
];

/// Changes all receivers.
const fn receivers(change: fn(&HintReceiver, &mut HintReceiver)) -> Change {
    Change::Each(Each::Receiver(change))
}

/// Changes all senders.
const fn senders(change: fn(&HintSender, &mut HintSender)) -> Change {
    Change::Each(Each::Sender(change))
}

/// Changes all monitors.
const fn monitors(change: fn(&HintMonitor, &mut HintMonitor)) -> Change {
    Change::Each(Each::Monitor(change))
}

/// What these comparisons are worth: a controller without one of the rules is told apart.
#[test]
fn every_rule_of_the_mechanism_with_hints_is_reached() {
    for (rule, change) in HINT_RULES {
        let differs = |seed: u64| {
            let mut rng = Rng::with_seed(seed);
            let config = TestedMechanism::WakeHints.random_config(2 + seed as usize % 11, &mut rng);
            let changed = Changed { mechanism: WakeHints::new(&config), change };
            let stepwise = StepwiseController::with_mechanism(&config, Box::new(changed));
            equal_to(stepwise, TestedMechanism::WakeHints.controller(&config, seed), &config, rng, 1000).is_err()
        };
        assert!((0..100).any(differs), "{rule}: without it nothing is different");
    }
}

/// A change of what the mechanism with two depths holds, before and behind a clock edge.
type OfBoth = fn(&HintsDepths, &mut HintsDepths);

/// Rules of the mechanism with hints and two depths that neither of both has, each with what it would be without.
const RULES_OF_BOTH: [(&str, OfBoth); 8] = [
    ("a port with too little does not go deep", |_, after| {
        after.deep_budgets.iter_mut().for_each(|budget| budget.may_deepen = true);
    }),
    ("one with enough does", |_, after| after.deep_budgets.iter_mut().for_each(|budget| budget.may_deepen = false)),
    ("each has its own budget for it", |_, after| {
        let first = after.deep_budgets[0];
        after.deep_budgets.fill(first);
    }),
    ("the longer wake-up counts", |before, after| {
        after.deep_reserve.reserve = before.deep_registers.values.t_wake_deep + 1;
    }),
    ("what must be had follows what is written", |before, after| after.deep_reserve = before.deep_reserve),
    ("a port that is held back loses", |before, after| {
        for (port, budget) in after.budgets.iter_mut().enumerate() {
            if before.depths[port].deep && before.powar.fsms[port].awake() {
                budget.left = budget.left.max(before.budgets[port].left);
            }
        }
    }),
    ("a port that is deep stays so whatever its budget is", |before, after| {
        for (port, depth) in after.depths.iter_mut().enumerate() {
            depth.deep &= before.deep_budgets[port].may_deepen || before.powar.fsms[port].awake();
        }
    }),
    ("the count begins anew where there is too little", |before, after| {
        for (port, depth) in after.depths.iter_mut().enumerate() {
            let was = before.depths[port];
            if was.elapsed > 1 && !was.deep && !before.deep_budgets[port].may_deepen {
                depth.elapsed = was.elapsed + 1;
            }
        }
    }),
];

/// What these comparisons are worth, likewise.
#[test]
fn every_rule_of_the_mechanism_with_hints_and_depths_is_reached() {
    let kind = TestedMechanism::HintsDepths;
    for (rule, change) in RULES_OF_BOTH {
        let differs = |seed: u64| {
            let mut rng = Rng::with_seed(seed);
            let config = kind.random_config(2 + seed as usize % 11, &mut rng);
            let changed = Changed { mechanism: HintsDepths::new(&config), change };
            let stepwise = StepwiseController::with_mechanism(&config, Box::new(changed));
            equal_to(stepwise, kind.controller(&config, seed), &config, rng, 1000).is_err()
        };
        assert!((0..100).any(differs), "{rule}: without it nothing is different");
    }
}
