//! Random configurations of Soteriou and Peh's mechanism.

use fastrand::Rng;
use powar_config::mechanism::soteriou_peh::{MECHANISM, Places, SoteriouPehParameters};
use powar_config::topology::{Mesh, Torus};
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config, Topology};

/// A mesh or torus of two dimensions with so many nodes at a switch.
pub fn random_grid(nodes: usize, rng: &mut Rng) -> Box<dyn Topology> {
    let dimensions = vec![rng.usize(2..=5), rng.usize(2..=5)];
    if rng.bool() { Box::new(Mesh { dimensions, nodes }) } else { Box::new(Torus { dimensions, trunk: 1, nodes }) }
}

/// Gives a configuration this mechanism, with times of a few cycles of a nanosecond, and thresholds among the loads that there are.
pub fn take_over(config: &mut Config, rng: &mut Rng) {
    let cycles = |rng: &mut Rng, most: u32| Nanoseconds(f64::from(rng.u32(1..=most)));
    config.cycle_ns = 1.0;
    let policies = if Places::of(&*config).is_some() { 1..4 } else { 3..4 };
    let policy = if rng.u8(0..8) == 0 { 0 } else { rng.usize(policies) };
    let step = [0.0, 0.01, 0.02, 0.1][rng.usize(0..4)];
    let most_idle = [1, 4, 20][rng.usize(0..3)];
    let sleep_threshold = [0.0, 0.02, 0.1, 0.3][rng.usize(0..4)];
    config.mechanism = Chosen(Box::new(SoteriouPehParameters {
        policy: MECHANISM.policies[policy].name.into(),
        window: Nanoseconds(f64::from(rng.u32(4..=80))),
        sleep_threshold,
        sleep_step: step,
        wake_threshold: (sleep_threshold + 6.0 * step + rng.f64() / 10.0).min(1.0),
        wake_step: step,
        t_trans: cycles(rng, 15),
        age_target: cycles(rng, 20),
        idle: cycles(rng, most_idle),
    }));
    config.check().unwrap();
}
