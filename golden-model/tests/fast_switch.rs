//! The event-driven switch shows in every cycle, in every output and register, what the composition of the single blocks shows;
//! and skipping cycles is the same as stepping through them.

use crate::support;
use crate::support::links::{Links, random_switch};
use fastrand::Rng;
use powar_config::units::Nanoseconds;
use powar_config::{Config, CycleModel, Layout, Phase, Role, presets};
use powar_golden::fast::power::Sideband;
use powar_golden::fast::switch::{Inputs, Twin};
use powar_golden::lock_step::LockStep;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use std::collections::BTreeSet;
use support::{TestedMechanism, alonso, cases, difference, wake_hints};

/// Runs both models side by side.
fn equal_in_every_cycle(kind: TestedMechanism, seed: u64, cycles: usize) -> Result<(), TestCaseError> {
    let mut rng = Rng::with_seed(seed);
    let config = random_switch(kind, &mut rng);
    equal_with(kind, &config, rng, cycles)
}

/// The event-driven switch; flits of random switches have five words at most.
fn twin_of(kind: TestedMechanism, config: &Config, seed: u64) -> Twin<5> {
    Twin::of(kind.switch(config, seed, (0, 0)), &kind.stepwise_switch(config, seed))
}

fn equal_with(kind: TestedMechanism, config: &Config, mut rng: Rng, cycles: usize) -> Result<(), TestCaseError> {
    let seed = rng.u64(..);
    let mut stepwise = LockStep::new(kind.stepwise_switch(config, seed));
    let mut fast = twin_of(kind, config, seed);
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
fn skip_equals_stepping(kind: TestedMechanism, seed: u64, moments: usize) -> Result<(), TestCaseError> {
    let mut rng = Rng::with_seed(seed);
    let config = random_switch(kind, &mut rng);
    let mut twin = twin_of(kind, &config, seed);
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
        rest(&layout, &mut idle);
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

/// Turns an input frame into one in which nothing comes in; links show the same phases and hints.
fn rest(layout: &Layout, inputs: &mut [u64]) {
    let stays = ["position", "stage", "in_phase", "in_hint"];
    let names = layout.inputs.iter().flat_map(|signal| vec![signal.name.as_str(); signal.rows]);
    inputs.iter_mut().zip(names).filter(|(_, name)| !stays.contains(name)).for_each(|(value, _)| *value = 0);
}

/// What a switch's outputs show but for the bus and what begins on links.
type Shown = (Sideband, [u64; 4], Vec<Phase>);

fn shown(twin: &Twin<5>, ports: usize) -> Shown {
    let switch = &twin.switch;
    let vectors = [switch.held(), switch.grantable(), switch.preferred(), switch.ready()];
    (switch.outputs().sideband, vectors, (0..ports).map(|port| switch.phase(port)).collect())
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
            Some((until, before)) if now < *until => {
                prop_assert_eq!(&shows, before);
                let outputs = twin.switch.outputs();
                prop_assert!(outputs.trains.is_empty() && outputs.credits.is_empty(), "something begins");
            }
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
        equal_in_every_cycle(TestedMechanism::Configured, seed, cycles)?;
    }

    #[test]
    fn skipping_equals_stepping(seed: u64, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::Configured, seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(128))]

    /// One that drains and freezes ports, at several levels, and sees all that there is to see.
    #[test]
    fn any_mechanism_sees_and_shows_the_same(seed: u64, cycles in 1usize..1000) {
        equal_in_every_cycle(TestedMechanism::Erratic, seed, cycles)?;
    }

    #[test]
    fn every_mechanism_for_any_switch_equals_the_composition_of_the_blocks(seed: u64, cycles in 1usize..1500) {
        for kind in TestedMechanism::for_any_switch() {
            equal_in_every_cycle(kind, seed, cycles)?;
        }
    }

    #[test]
    fn every_mechanism_for_any_switch_is_skipped_over(seed: u64, moments in 1usize..60) {
        for kind in TestedMechanism::for_any_switch() {
            skip_equals_stepping(kind, seed, moments)?;
        }
    }

    #[test]
    fn a_mechanism_sees_its_neighbours_in_the_cycle_in_which_they_change(seed: u64, cycles in 1usize..1000) {
        equal_in_every_cycle(TestedMechanism::Mimic, seed, cycles)?;
    }

    #[test]
    fn a_mechanism_that_sees_its_neighbours_is_skipped_over(seed: u64, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::Mimic, seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn alonsos_mechanism_equals_the_composition_of_the_blocks(seed: u64, cycles in 1usize..1500) {
        equal_in_every_cycle(TestedMechanism::Alonso, seed, cycles)?;
    }

    #[test]
    fn alonsos_mechanism_is_skipped_over(seed: u64, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::Alonso, seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn soteriou_and_pehs_mechanism_equals_the_composition_of_the_blocks(seed: u64, cycles in 1usize..1500) {
        equal_in_every_cycle(TestedMechanism::SoteriouPeh, seed, cycles)?;
    }

    #[test]
    fn soteriou_and_pehs_mechanism_is_skipped_over(seed: u64, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::SoteriouPeh, seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn e_rapids_mechanism_equals_the_composition_of_the_blocks(seed: u64, cycles in 1usize..2000) {
        equal_in_every_cycle(TestedMechanism::ERapid, seed, cycles)?;
    }

    #[test]
    fn e_rapids_mechanism_is_skipped_over(seed: u64, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::ERapid, seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_mechanism_with_hints_equals_the_composition_of_the_blocks(seed: u64, cycles in 1usize..2000) {
        equal_in_every_cycle(TestedMechanism::WakeHints, seed, cycles)?;
    }

    #[test]
    fn the_mechanism_with_hints_is_skipped_over(seed: u64, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::WakeHints, seed, moments)?;
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn hints_and_depths_equal_the_composition_of_the_blocks(seed: u64, cycles in 1usize..2000) {
        equal_in_every_cycle(TestedMechanism::HintsDepths, seed, cycles)?;
    }

    #[test]
    fn hints_and_depths_are_skipped_over(seed: u64, moments in 1usize..60) {
        skip_equals_stepping(TestedMechanism::HintsDepths, seed, moments)?;
    }
}

/// The sizes that are used, up to 64 ports, with ports that sleep soon.
#[test]
fn every_preset_equals_the_composition_of_the_blocks() {
    for (seed, preset) in presets::ALL.iter().enumerate() {
        let mut config = preset.config();
        let powar = config.powar_mut().unwrap();
        (powar.pdt, powar.t_sleep) = (Nanoseconds(20.0), Nanoseconds(16.0));
        (powar.t_wake, powar.check_period) = (Nanoseconds(24.0), Nanoseconds(80.0));
        let equal = equal_with(TestedMechanism::Configured, &config, Rng::with_seed(seed as u64), 400);
        equal.unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        let mut hinting = config.clone();
        let mut rng = Rng::with_seed(seed as u64);
        wake_hints::take_over(&mut hinting, &mut rng);
        let equal = equal_with(TestedMechanism::WakeHints, &hinting, rng, 800);
        equal.unwrap_or_else(|error| panic!("{}, with hints: {error}", preset.name));
        if alonso::is_for(&**config.topology.as_ref().unwrap()) {
            let mut rng = Rng::with_seed(seed as u64);
            alonso::take_over(&mut config, &mut rng);
            let equal = equal_with(TestedMechanism::Alonso, &config, rng, 400);
            equal.unwrap_or_else(|error| panic!("{}, Alonso: {error}", preset.name));
        }
    }
}

/// The stimuli reach everything: there is no signal that never changes.
/// A packet in the head register has no header in the memory, so that this has never as many as there are flits.
const HEADERS_FULL: &str = "input_port.vc.headers.full";

#[test]
fn every_signal_moves() {
    // POWAR has one level and gives no hints.
    let still: Vec<String> = still_signals(TestedMechanism::Configured).into_iter().map(|(_, name)| name).collect();
    assert_eq!(still, ["level", "out_hint", HEADERS_FULL, "output_port.hint_early", "output_port.out_hint"]);
    // Nor has Alonso's mechanism, and it prefers no port.
    let still: Vec<String> = still_signals(TestedMechanism::Alonso).into_iter().map(|(_, name)| name).collect();
    assert_eq!(
        still,
        ["level", "out_hint", "preferred", HEADERS_FULL, "output_port.hint_early", "output_port.out_hint"]
    );
    // Nor has Soteriou and Peh's.
    let still: Vec<String> = still_signals(TestedMechanism::SoteriouPeh).into_iter().map(|(_, name)| name).collect();
    assert_eq!(
        still,
        ["level", "out_hint", "preferred", HEADERS_FULL, "output_port.hint_early", "output_port.out_hint"]
    );
    // All of E-RAPID's but for the preference of ports.
    let still: Vec<String> = still_signals(TestedMechanism::ERapid).into_iter().map(|(_, name)| name).collect();
    assert_eq!(still, ["preferred", HEADERS_FULL]);
    // POWAR's one level, and all else of the mechanism with hints.
    let still: Vec<String> = still_signals(TestedMechanism::WakeHints).into_iter().map(|(_, name)| name).collect();
    assert_eq!(still, ["level", HEADERS_FULL]);
    // All of the one with hints and two depths.
    let still: Vec<String> = still_signals(TestedMechanism::HintsDepths).into_iter().map(|(_, name)| name).collect();
    assert_eq!(still, [HEADERS_FULL]);
    let still: Vec<String> = still_signals(TestedMechanism::Erratic).into_iter().map(|(_, name)| name).collect();
    assert_eq!(still, [HEADERS_FULL]);
}

fn still_signals(kind: TestedMechanism) -> Vec<(Role, String)> {
    let (mut known, mut moved) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed);
        let config = random_switch(kind, &mut rng);
        let mut fast = twin_of(kind, &config, seed);
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
    known.difference(&moved).cloned().collect()
}
