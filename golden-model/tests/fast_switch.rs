//! The event-driven switch shows in every cycle, in every output and register, what the composition of the single blocks shows;
//! and skipping cycles is the same as stepping through them.

#[path = "support/links.rs"]
mod links;
// The stimuli of the controller are in there, too.
#[allow(dead_code)]
mod support;

use fastrand::Rng;
use links::{Links, random_switch};
use powar_config::units::Nanoseconds;
use powar_config::{Config, CycleModel, presets};
use powar_golden::fast::switch::{Inputs, Outputs, Twin, twin};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::switch::StepwiseSwitch;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use std::collections::BTreeSet;
use support::difference;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Runs both models side by side.
fn equal_in_every_cycle(seed: u64, cycles: usize) -> Result<(), TestCaseError> {
    let mut rng = Rng::with_seed(seed);
    let config = random_switch(&mut rng);
    equal_with(&config, rng, cycles)
}

fn equal_with(config: &Config, rng: Rng, cycles: usize) -> Result<(), TestCaseError> {
    let mut stepwise = LockStep::new(StepwiseSwitch::new(config));
    let mut fast = twin(config).unwrap();
    prop_assert_eq!(stepwise.layout(), fast.layout());
    let layout = fast.layout().clone();
    let mut links = Links::new(config, rng);
    let mut inputs = vec![0; layout.input_slots()];
    links.idle(&mut inputs);
    // Different old contents: a slot that is not written differs.
    let (mut expected, mut seen) = (vec![7; layout.observed_slots()], vec![9; layout.observed_slots()]);
    for cycle in 0..cycles {
        stepwise.cycle(&inputs, &mut expected);
        fast.cycle(&inputs, &mut seen);
        if let Some(difference) = difference(&layout, &expected, &seen) {
            return Err(TestCaseError::fail(format!("cycle {cycle}: {difference} of {config:?}")));
        }
        links.next(&layout, &seen, &mut inputs);
    }
    Ok(())
}

/// At random moments of a run, skips in a copy what another copy steps through.
fn skip_equals_stepping(seed: u64, moments: usize) -> Result<(), TestCaseError> {
    let mut rng = Rng::with_seed(seed);
    let config = random_switch(&mut rng);
    let mut twin = Twin::<5>::new(&config).unwrap();
    let layout = twin.layout().clone();
    let mut links = Links::new(&config, rng.fork());
    let mut inputs = vec![0; layout.input_slots()];
    links.idle(&mut inputs);
    let (mut expected, mut seen) = (vec![0; layout.observed_slots()], vec![0; layout.observed_slots()]);
    for _ in 0..moments {
        for _ in 0..rng.usize(1..40) {
            twin.cycle(&inputs, &mut seen);
            links.next(&layout, &seen, &mut inputs);
        }
        let most = [3, 30, 300][rng.usize(0..3)];
        let cycles = rng.u64(0..most);
        let (mut stepped, mut skipped) = (twin.clone(), twin.clone());
        skipped.switch.skip(cycles);
        step_through(&mut stepped, cycles)?;
        prop_assert_eq!(skipped.switch.now(), stepped.switch.now());
        // Twice, because what is planned wrongly shows only when it happens.
        let mut idle = inputs.clone();
        let (position, stage) = (inputs[1], inputs[2]);
        idle.fill(0);
        (idle[1], idle[2]) = (position, stage);
        for more in [0, 25] {
            stepped.switch.skip(more);
            for _ in 0..more {
                skipped.switch.step(&Inputs::IDLE);
            }
            stepped.clone().cycle(&idle, &mut expected);
            skipped.clone().cycle(&idle, &mut seen);
            if let Some(difference) = difference(&layout, &expected, &seen) {
                return Err(TestCaseError::fail(format!("after {cycles} cycles: {difference} of {config:?}")));
            }
        }
        twin = skipped;
    }
    Ok(())
}

/// What a switch's outputs show but for the bus.
type Shown = (Outputs<[u32; 5]>, [u64; 4], Vec<u8>);

fn shown(twin: &Twin<5>, ports: usize) -> Shown {
    let switch = &twin.switch;
    let vectors = [switch.busy(), switch.awake(), switch.selectable(), switch.full_power()];
    (switch.outputs().clone(), vectors, (0..ports).map(|port| switch.link_power_state(port) as u8).collect())
}

/// Steps through idle cycles and holds [`powar_golden::fast::switch::Switch::next_event`] to its word.
fn step_through(twin: &mut Twin<5>, cycles: u64) -> Result<(), TestCaseError> {
    let ports = twin.layout().inputs[5].rows;
    let mut promised: Option<(u64, Shown)> = None;
    for _ in 0..cycles {
        let (now, event) = (twin.switch.now(), twin.switch.next_event());
        prop_assert!(event >= now);
        let shows = shown(twin, ports);
        match &promised {
            Some((until, before)) if now < *until => prop_assert_eq!(&shows, before),
            _ => promised = Some((event, shows)),
        }
        twin.switch.step(&Inputs::IDLE);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(384))]

    #[test]
    fn equals_the_composition_of_the_blocks(seed: u64, cycles in 1usize..1500) {
        equal_in_every_cycle(seed, cycles)?;
    }

    #[test]
    fn skipping_equals_stepping(seed: u64, moments in 1usize..60) {
        skip_equals_stepping(seed, moments)?;
    }
}

/// The sizes that are used, up to 64 ports, with ports that sleep soon.
#[test]
fn every_preset_equals_the_composition_of_the_blocks() {
    for (seed, preset) in presets::ALL.iter().enumerate() {
        let mut config = preset.config();
        config.pdt = Nanoseconds(20.0);
        (config.t_sleep, config.t_wake, config.check_period) =
            (Nanoseconds(16.0), Nanoseconds(24.0), Nanoseconds(80.0));
        let equal = equal_with(&config, Rng::with_seed(seed as u64), 400);
        equal.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
    }
}

/// The stimuli reach everything: there is no signal that never changes.
#[test]
fn every_signal_moves() {
    let (mut known, mut moved) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed);
        let config = random_switch(&mut rng);
        let mut fast = twin(&config).unwrap();
        let layout = fast.layout().clone();
        known.extend(layout.observed.iter().map(|signal| (signal.role, signal.name.clone())));
        let mut links = Links::new(&config, rng);
        let mut inputs = vec![0; layout.input_slots()];
        links.idle(&mut inputs);
        let (mut before, mut seen) = (vec![0; layout.observed_slots()], vec![0; layout.observed_slots()]);
        for cycle in 0..1500 {
            fast.cycle(&inputs, &mut seen);
            for slot in (0..seen.len()).filter(|&slot| cycle > 0 && seen[slot] != before[slot]) {
                let (signal, _) = layout.observed_at(slot).unwrap();
                moved.insert((signal.role, signal.name.clone()));
            }
            before.copy_from_slice(&seen);
            links.next(&layout, &seen, &mut inputs);
        }
    }
    let still: Vec<_> = known.difference(&moved).collect();
    assert!(still.is_empty(), "{still:?}");
}
