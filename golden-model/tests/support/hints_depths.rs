//! Random parameters of the mechanism with hints and two depths of sleep.

use fastrand::Rng;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::hints_depths::{HintsDepthsParameters, MECHANISM};
use powar_config::mechanism::wake_hints::WakeHintsParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Config, Parameters};

/// Gives a configuration with Wake hints, whose parameters it keeps but for the budget, two depths of sleep: deep after
/// some cycles or never, and a budget that is just enough for it, or more.
pub fn take_over(config: &mut Config, rng: &mut Rng) {
    let mut hints: WakeHintsParameters = config.mechanism.of::<WakeHintsParameters>().unwrap().clone();
    let code = hints.mechanism().policy_code(&hints.policy).unwrap();
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let deep_after = cycles([0, 1, rng.u32(1..=12), rng.u32(1..=40), rng.u32(1..=300)][rng.usize(0..5)]);
    let t_wake_deep = cycles([1, rng.u32(1..=12), rng.u32(1..=60), rng.u32(1..=60)][rng.usize(0..4)]);
    let powar = &hints.ahead.powar;
    let [t_sleep, t_wake, deep] = [powar.t_sleep, powar.t_wake, t_wake_deep].map(|time| time.cycles(config.cycle_ns));
    let least = (t_sleep + t_wake + 2).max(t_wake.max(deep) + 1);
    let more = [0, 1, rng.u64(0..20), rng.u64(0..200)][rng.usize(0..4)];
    hints.ahead.cap = (least + more) as f64 / (t_sleep + t_wake) as f64;
    let mut parameters = HintsDepthsParameters { hints, deep_after, t_wake_deep, ..HintsDepthsParameters::default() };
    parameters.set_policy(MECHANISM.policies[code].name).unwrap();
    config.mechanism = Chosen(Box::new(parameters));
    config.check().unwrap();
}
