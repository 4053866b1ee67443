//! The event-driven power controller shows in every cycle, in every output and register, what the composition of the
//! single blocks shows; and skipping cycles is the same as stepping through them.

// Switches with those mechanisms are in there, too.
#[allow(dead_code)]
mod support;

use fastrand::Rng;
use powar_config::CycleModel;
use powar_golden::fast::controller::{Inputs, Outputs, PowerController};
use powar_golden::lock_step::LockStep;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use support::{Kind, Stimuli, accepted_and_transmit, difference, random_config};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Runs both models side by side.
fn equal_in_every_cycle(kind: Kind, ports: usize, seed: u64, cycles: usize) -> Result<(), TestCaseError> {
    let mut rng = Rng::with_seed(seed);
    let config = random_config(ports, &mut rng);
    let mut stepwise = LockStep::new(kind.stepwise_controller(&config, seed));
    let mut fast = kind.controller(&config, seed);
    prop_assert_eq!(stepwise.layout(), fast.layout());
    let layout = fast.layout().clone();
    let mut stimuli = Stimuli::new(&config, &layout, rng);
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
fn skip_equals_stepping(kind: Kind, ports: usize, seed: u64, moments: usize) -> Result<(), TestCaseError> {
    let mut rng = Rng::with_seed(seed);
    let config = random_config(ports, &mut rng);
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
                    equal_in_every_cycle(Kind::Configured, $ports, seed, cycles)?;
                }

                #[test]
                fn skipping_equals_stepping(seed: u64, moments in 1usize..60) {
                    skip_equals_stepping(Kind::Configured, $ports, seed, moments)?;
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
        equal_in_every_cycle(Kind::Erratic, ports, seed, cycles)?;
        equal_in_every_cycle(Kind::Mimic, ports, seed, cycles)?;
    }

    #[test]
    fn a_mechanism_that_sees_its_neighbours_is_skipped_over(seed: u64, ports in 2usize..=12, moments in 1usize..40) {
        skip_equals_stepping(Kind::Mimic, ports, seed, moments)?;
    }
}
