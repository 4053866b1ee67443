//! Random parameters of the mechanism whose ports choose their thresholds.

use fastrand::Rng;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::perf_bound::PerfBoundParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Config, Parameters};

/// Gives a configuration with POWAR windows of some gaps, in which none, few or all of them may be slept in.
pub fn take_over(config: &mut Config, rng: &mut Rng) {
    let powar = config.powar().unwrap().clone();
    let code = powar.mechanism().policy_code(&powar.policy).unwrap();
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let period = cycles([32, rng.u32(32..=60), rng.u32(60..=400)][rng.usize(0..3)]);
    let bound = [0.0, 0.2, rng.f64(), 1.0][rng.usize(0..4)];
    let mut perf_bound = PerfBoundParameters { powar, bound, period, ..PerfBoundParameters::default() };
    perf_bound.set_policy(perf_bound.mechanism().policies[code].name).unwrap();
    config.mechanism = Chosen(Box::new(perf_bound));
    config.check().unwrap();
}
