//! The event-driven power controller shows in every cycle, in every output and register, what the composition of the
//! single blocks shows; and skipping cycles is the same as stepping through them.

mod hints;

use crate::support;
use fastrand::Rng;
use powar_config::{Config, CycleModel, Phase};
use powar_golden::bits::low_bits;
use powar_golden::fast::controller::{Inputs, Outputs, PowerController};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::controller::StepwiseController;
use powar_golden::reference::mechanisms::alonso::{Alonso, LinkFsm};
use powar_golden::reference::mechanisms::e_rapid::{LinkController, State};
use proptest::{prelude::*, test_runner::TestCaseError};
use support::alonso::Change;
use support::changed::Changed;
use support::{Stimuli, TestedMechanism, accepted_and_transmit, cases, difference, e_rapid};

/// Runs both models side by side.
fn equal_in_every_cycle(kind: TestedMechanism, ports: usize, seed: u64, cycles: usize) -> Result<(), TestCaseError> {
    let mut rng = Rng::with_seed(seed);
    let config = kind.random_config(ports, &mut rng);
    let stepwise = kind.stepwise_controller(&config, seed);
    equal_to(stepwise, kind.controller(&config, seed), &config, rng, cycles)
}

/// The same for these two.
fn equal_to(
    stepwise: StepwiseController,
    mut fast: PowerController,
    config: &Config,
    rng: Rng,
    cycles: usize,
) -> Result<(), TestCaseError> {
    let mut stepwise = LockStep::new(stepwise);
    prop_assert_eq!(stepwise.layout(), fast.layout());
    let layout = fast.layout().clone();
    let mut stimuli = Stimuli::new(config, &layout, rng);
    let mut inputs = vec![0; layout.input_slots()];
    // Different old contents: a slot that is not written differs.
    let (mut expected, mut seen) = (vec![7; layout.observed_slots()], vec![9; layout.observed_slots()]);
    for cycle in 0..cycles {
        stepwise.cycle(&inputs, &mut expected);
        fast.cycle(&inputs, &mut seen);
        if let Some(difference) = difference(&layout, &expected, &seen) {
            return Err(TestCaseError::fail(format!("cycle {cycle}: {difference} of {config:?}")));
        }
        let (accepted, transmit) = accepted_and_transmit(&layout, &seen);
        stimuli.next(&mut inputs, transmit, accepted);
    }
    Ok(())
}

/// At random moments of a run, skips in a copy what another copy steps through.
fn skip_equals_stepping(kind: TestedMechanism, ports: usize, seed: u64, moments: usize) -> Result<(), TestCaseError> {
    let mut rng = Rng::with_seed(seed);
    let config = kind.random_config(ports, &mut rng);
    let mut controller = kind.controller(&config, seed);
    let layout = controller.layout().clone();
    let mut stimuli = Stimuli::new(&config, &layout, rng.fork());
    let mut inputs = vec![0; layout.input_slots()];
    let (mut expected, mut seen) = (vec![0; layout.observed_slots()], vec![0; layout.observed_slots()]);
    for _ in 0..moments {
        for _ in 0..rng.usize(1..30) {
            controller.cycle(&inputs, &mut seen);
            let (accepted, transmit) = accepted_and_transmit(&layout, &seen);
            stimuli.next(&mut inputs, transmit, accepted);
        }
        let most = [3, 30, 300][rng.usize(0..3)];
        let cycles = rng.u64(0..most);
        let (mut stepped, mut skipped) = (controller.clone(), controller.clone());
        skipped.skip(cycles);
        step_through(&mut stepped, cycles)?;
        prop_assert_eq!(skipped.now(), stepped.now());
        // Twice, because what is planned wrongly shows only when it happens.
        let mut idle = inputs.clone();
        stimuli.rest(&mut idle);
        for more in [0, 25] {
            stepped.skip(more);
            for _ in 0..more {
                skipped.step(&Inputs::IDLE);
            }
            stepped.clone().cycle(&idle, &mut expected);
            skipped.clone().cycle(&idle, &mut seen);
            if let Some(difference) = difference(&layout, &expected, &seen) {
                return Err(TestCaseError::fail(format!("after {cycles} cycles: {difference} of {config:?}")));
            }
        }
        controller = skipped;
    }
    Ok(())
}

/// Steps through idle cycles and holds [`PowerController::next_event`] to its word.
fn step_through(controller: &mut PowerController, cycles: u64) -> Result<(), TestCaseError> {
    let mut promised: Option<(u64, Outputs)> = None;
    for _ in 0..cycles {
        let (now, event) = (controller.now(), controller.next_event());
        prop_assert!(event >= now);
        let outputs = controller.step(&Inputs::IDLE);
        match promised {
            Some((until, before)) if now < until => prop_assert_eq!(outputs, before),
            _ => promised = Some((event, outputs)),
        }
    }
    Ok(())
}

macro_rules! for_every_size {
    ($($module:ident: $ports:literal ports, $cases:literal cases;)*) => {$(
        mod $module {
            use super::*;

            proptest! {
                #![proptest_config(cases($cases))]

                #[test]
                fn equals_the_composition_of_the_blocks(seed: u64, cycles in 1usize..1500) {
                    equal_in_every_cycle(TestedMechanism::Configured, $ports, seed, cycles)?;
                }

                #[test]
                fn skipping_equals_stepping(seed: u64, moments in 1usize..60) {
                    skip_equals_stepping(TestedMechanism::Configured, $ports, seed, moments)?;
                }
            }
        }
    )*};
}

for_every_size! {
    ports_2: 2 ports, 128 cases;
    ports_4: 4 ports, 256 cases;
    ports_16: 16 ports, 128 cases;
    ports_28: 28 ports, 64 cases;
    ports_64: 64 ports, 24 cases;
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn any_mechanism_sees_and_shows_the_same(seed: u64, ports in 2usize..=12, cycles in 1usize..600) {
        equal_in_every_cycle(TestedMechanism::Erratic, ports, seed, cycles)?;
        equal_in_every_cycle(TestedMechanism::Mimic, ports, seed, cycles)?;
    }

    #[test]
    fn every_mechanism_for_any_switch_equals_the_composition_of_the_blocks(seed: u64, ports in 2usize..=12, cycles in 1usize..1500) {
        for kind in TestedMechanism::for_any_switch() {
            equal_in_every_cycle(kind, ports, seed, cycles)?;
        }
    }

    #[test]
    fn every_mechanism_for_any_switch_is_skipped_over(seed: u64, ports in 2usize..=12, moments in 1usize..60) {
        for kind in TestedMechanism::for_any_switch() {
            skip_equals_stepping(kind, ports, seed, moments)?;
        }
    }

    #[test]
    fn a_mechanism_that_sees_its_neighbours_is_skipped_over(seed: u64, ports in 2usize..=12, moments in 1usize..40) {
        skip_equals_stepping(TestedMechanism::Mimic, ports, seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn alonsos_mechanism_equals_the_composition_of_the_blocks(seed: u64, size in 0..ALONSO_PORTS.len(), cycles in 1usize..1500) {
        equal_in_every_cycle(TestedMechanism::Alonso, ALONSO_PORTS[size], seed, cycles)?;
    }

    #[test]
    fn alonsos_mechanism_is_skipped_over(seed: u64, size in 0..ALONSO_PORTS.len(), moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::Alonso, ALONSO_PORTS[size], seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn soteriou_and_pehs_mechanism_equals_the_composition_of_the_blocks(seed: u64, ports in 2usize..=12, cycles in 1usize..1500) {
        equal_in_every_cycle(TestedMechanism::SoteriouPeh, ports, seed, cycles)?;
    }

    #[test]
    fn soteriou_and_pehs_mechanism_is_skipped_over(seed: u64, ports in 2usize..=12, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::SoteriouPeh, ports, seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn e_rapids_mechanism_equals_the_composition_of_the_blocks(seed: u64, size in 0..BOARDS_PORTS.len(), cycles in 1usize..2500) {
        equal_in_every_cycle(TestedMechanism::ERapid, BOARDS_PORTS[size], seed, cycles)?;
    }

    #[test]
    fn e_rapids_mechanism_is_skipped_over(seed: u64, size in 0..BOARDS_PORTS.len(), moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::ERapid, BOARDS_PORTS[size], seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn two_depths_equal_the_composition_of_the_blocks(seed: u64, ports in 2usize..=12, cycles in 1usize..1500) {
        equal_in_every_cycle(TestedMechanism::Depths, ports, seed, cycles)?;
    }

    #[test]
    fn two_depths_are_skipped_over(seed: u64, ports in 2usize..=12, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::Depths, ports, seed, moments)?;
    }

    #[test]
    fn thresholds_of_ports_equal_the_composition_and_are_skipped_over(seed: u64, ports in 2usize..=12) {
        equal_in_every_cycle(TestedMechanism::PerfBound, ports, seed, 800)?;
        skip_equals_stepping(TestedMechanism::PerfBound, ports, seed, 30)?;
    }
}

/// Ports of switches of boards: 2, 3, 4, 5 and 8 of them, or fewer.
const BOARDS_PORTS: [usize; 8] = [3, 4, 7, 8, 14, 23, 57, 64];

/// Ports of switches of trees and of tori.
const ALONSO_PORTS: [usize; 10] = [2, 4, 4, 6, 8, 10, 15, 16, 28, 64];

/// Rules of the mechanism, each with what it would be without. That a port which is given to a packet doesn't go off follows from the
/// others: it is given a cycle after it was grantable at the latest, and drains from the next one on.
const RULES: [(&str, Change); 18] = [
    ("a packet that wants an up-port", Change::Seen(|it, seen, _| seen.around.wanted &= low_bits(down_ports(it)))),
    ("a packet that wants a down-port", Change::Seen(|it, seen, _| seen.around.wanted &= !low_bits(down_ports(it)))),
    ("hints", Change::Seen(|_, seen, _| seen.around.hint_in = 0)),
    ("hints of nodes only", Change::Seen(|it, seen, _| seen.around.hint_in |= seen.around.hint_in >> down_ports(it))),
    ("a neighbour that comes on", Change::Seen(|_, _, phases| see(phases, Phase::ComingOn, Phase::GoingOff))),
    ("a neighbour that drains", Change::Seen(|_, _, phases| see(phases, Phase::Draining, Phase::On))),
    ("a neighbour that goes off", Change::Seen(|_, _, phases| see(phases, Phase::GoingOff, Phase::Off))),
    ("a neighbour that is off", Change::Seen(|_, _, phases| see(phases, Phase::Off, Phase::GoingOff))),
    ("held ports", Change::Seen(|_, seen, _| seen.held = 0)),
    ("the stage", Change::Seen(|_, seen, _| seen.around.stage = seen.around.stage.min(1))),
    ("the position", Change::Seen(|_, seen, _| seen.around.position = 0)),
    (
        "T_off",
        Change::Held(|before, after| pairs(before, after, Phase::Draining, Phase::GoingOff, |fsm| fsm.elapsed = 2)),
    ),
    ("T_on", Change::Held(|before, after| pairs(before, after, Phase::Off, Phase::ComingOn, |fsm| fsm.elapsed = 2))),
    (
        "a link that comes on while it goes off",
        Change::Held(|before, after| {
            pairs(before, after, Phase::GoingOff, Phase::ComingOn, |fsm| fsm.phase = Phase::On)
        }),
    ),
    ("the last link", Change::Held(|before, after| groups(before, after, |was, is| if is == 0 { was } else { is }))),
    (
        "the highest link is the first to go",
        Change::Held(|before, after| {
            groups(before, after, |was, is| if was & is == is && was != is { was & (was - 1) } else { is });
        }),
    ),
    ("down-ports go off", Change::Held(|before, after| after.down_active |= before.down_active)),
    (
        "a start with the tree",
        Change::Held(|before, after| groups(before, after, |was, is| if before.started { is } else { was })),
    ),
];

/// Of a switch of a tree.
fn down_ports(alonso: &Alonso) -> usize {
    alonso.fsms.len() / 2
}

/// Sees neighbours in one phase as if they were in another.
fn see(phases: &mut [u64], phase: Phase, other: Phase) {
    phases.iter_mut().filter(|code| **code == phase as u64).for_each(|code| *code = other as u64);
}

/// Changes the FSMs that have gone from a phase to another.
fn pairs(before: &Alonso, after: &mut Alonso, from: Phase, to: Phase, change: fn(&mut LinkFsm)) {
    for (was, is) in before.fsms.iter().zip(&mut after.fsms) {
        if (was.phase, is.phase) == (from, to) {
            change(is);
        }
    }
}

/// Changes which links are to be on.
fn groups(before: &Alonso, after: &mut Alonso, change: impl Fn(u64, u64) -> u64) {
    for (was, is) in before.groups.iter().zip(&mut after.groups) {
        is.active = change(was.active, is.active);
    }
}

/// What these comparisons are worth: a controller without one of the rules is told apart.
#[test]
fn every_rule_of_alonsos_mechanism_is_reached() {
    for (rule, change) in RULES {
        let differs = |seed: u64| {
            let mut rng = Rng::with_seed(seed);
            let config =
                TestedMechanism::Alonso.random_config(ALONSO_PORTS[seed as usize % ALONSO_PORTS.len()], &mut rng);
            let changed = Changed { mechanism: Alonso::new(&config), change };
            let stepwise = StepwiseController::with_mechanism(&config, Box::new(changed));
            equal_to(stepwise, TestedMechanism::Alonso.controller(&config, seed), &config, rng, 600).is_err()
        };
        assert!((0..100).any(differs), "{rule}: without it nothing is different");
    }
}

/// Rules of E-RAPID's mechanism, each with what it would be without.
const E_RAPID_RULES: [(&str, e_rapid::Change); 25] = [
    ("held ports", e_rapid::Change::Seen(|seen| seen.held = 0)),
    ("ports that are given", e_rapid::Change::Seen(|seen| seen.given = 0)),
    ("flits", e_rapid::Change::Seen(|seen| seen.departing = 0)),
    ("packets that wait", e_rapid::Change::Seen(|seen| seen.around.wanted = 0)),
    ("the position", e_rapid::Change::Seen(|seen| seen.around.position = 0)),
    ("the ring", e_rapid::Change::Seen(|seen| seen.around.ring_in = 0)),
    ("a link with debt waits", held(|_, is| is.debt = is.debt.min(200))),
    (
        "a debt is paid",
        held(|was, is| {
            if is.debt == 0 {
                is.debt = was.debt
            }
        }),
    ),
    (
        "what was carried is counted",
        held(|was, is| {
            if was.busy_count == 20 {
                is.busy_count = 20
            }
        }),
    ),
    ("a window ends", held(|was, is| is.busy = was.busy)),
    ("a wavelength without use is withheld", held(|_, is| is.withheld = is.offered)),
    ("what is withheld is used again", held(|was, is| is.withheld |= was.withheld && is.holds)),
    ("what is withheld is offered", held(|_, is| is.offered = false)),
    ("what is offered is kept", held(|was, is| is.offered |= was.offered && is.holds)),
    ("what is offered is given away", held(|was, is| is.holds |= was.offered)),
    ("a board leaves", held(|_, is| is.leaving = false)),
    ("a board leaves when it is drained", held(|was, is| is.leaving |= was.leaving && !is.holds)),
    ("a wavelength is taken", held(|was, is| is.holds &= was.holds)),
    (
        "a laser comes on at the highest level",
        held(|was, is| {
            if !was.holds {
                is.level = 0
            }
        }),
    ),
    ("levels change", held(|was, is| is.next_level = was.next_level)),
    (
        "a change of level takes a dead time",
        held(|was, is| {
            if was.phase != is.phase && is.phase == Phase::ComingOn {
                is.dead = 2
            }
        }),
    ),
    ("in the third cycle nobody comes any more", held(|_, is| is.quiet *= 2)),
    ("windows", e_rapid::Change::Held(|_, after| after.controller.state = State::Wait)),
    ("messages go out", e_rapid::Change::Held(|_, after| after.station.ring_out = 0)),
    ("errors are counted", e_rapid::Change::Held(|_, after| after.station.ring_errors = 0)),
];

/// A change of each link.
const fn held(change: fn(&LinkController, &mut LinkController)) -> e_rapid::Change {
    e_rapid::Change::Link(change)
}

/// What these comparisons are worth: a controller without one of the rules is told apart.
#[test]
fn every_rule_of_e_rapids_mechanism_is_reached() {
    for (rule, change) in E_RAPID_RULES {
        let differs = |seed: u64| {
            let mut rng = Rng::with_seed(seed);
            let config = TestedMechanism::ERapid.random_config(BOARDS_PORTS[seed as usize % 8], &mut rng);
            let (mechanism, event) = e_rapid::both(&config, seed);
            let changed = Changed { mechanism, change };
            let stepwise = StepwiseController::with_mechanism(&config, Box::new(changed));
            let fast = PowerController::with_mechanism(&config, Box::new(event), &stepwise);
            equal_to(stepwise, fast, &config, rng, 1500).is_err()
        };
        assert!((0..100).any(differs), "{rule}: without it nothing is different");
    }
}
