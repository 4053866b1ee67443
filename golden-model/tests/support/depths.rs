//! Random parameters of the mechanism with two depths of sleep.

use fastrand::Rng;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::depths::DepthsParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Config, Parameters};

/// Gives a configuration with POWAR two depths of sleep, deep after some cycles or never, and deep wake-ups of some cycles.
pub fn take_over(config: &mut Config, rng: &mut Rng) {
    let powar = config.powar().unwrap().clone();
    let code = powar.mechanism().policy_code(&powar.policy).unwrap();
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let deep_after = cycles([0, 1, rng.u32(1..=40), rng.u32(1..=300)][rng.usize(0..4)]);
    let t_wake_deep = cycles([1, rng.u32(1..=12), rng.u32(1..=60)][rng.usize(0..3)]);
    let mut depths = DepthsParameters { powar, deep_after, t_wake_deep, ..DepthsParameters::default() };
    depths.set_policy(depths.mechanism().policies[code].name).unwrap();
    config.mechanism = Chosen(Box::new(depths));
    config.check().unwrap();
}
