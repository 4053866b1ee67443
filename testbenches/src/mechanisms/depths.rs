//! Depths: POWAR with two depths of sleep, light after the power-down threshold and deep after a second one.

use super::{Entry, powar};
use crate::random::Random;
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::depths::{DepthsParameters, MECHANISM};
use powar_config::units::Nanoseconds;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry {
    mechanism: &MECHANISM,
    lively,
    some_write,
    // Every port may sleep.
    always_sends: |_, _, _| 0,
    tried_at: &[],
};

/// Times of about a packet, so that some ports are woken from light sleep and some from deep.
fn lively(config: &Config) -> Chosen {
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let (deep_after, t_wake_deep) = (cycles(12), cycles(23));
    let mut parameters = DepthsParameters { deep_after, t_wake_deep, ..DepthsParameters::default() };
    (parameters.powar.pdt, parameters.powar.t_sleep, parameters.powar.t_wake) = (cycles(6), cycles(7), cycles(9));
    Chosen(Box::new(parameters))
}

/// Mostly POWAR's words, so that ports sleep often; now and then no second threshold, and deep wake-ups shorter than light ones.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    match random.below(8) {
        0 | 1 => ("deep_after", [0, 0, 1, 2, 5, 12, 20, 40][random.below(8) as usize]),
        2 => ("t_wake_deep", random.below(60) as u32),
        _ => (powar::ENTRY.some_write)(random),
    }
}
