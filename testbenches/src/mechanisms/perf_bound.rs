//! PerfBound: POWAR whose ports choose their threshold by themselves, so that what sleeping costs is near a bound.

use super::{Entry, powar};
use crate::random::Random;
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::perf_bound::{MECHANISM, PerfBoundParameters};
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

/// Times of about a packet, and windows of a few gaps, so that thresholds often change.
fn lively(config: &Config) -> Chosen {
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let mut parameters = PerfBoundParameters { bound: 0.6, period: cycles(80), ..PerfBoundParameters::default() };
    (parameters.powar.pdt, parameters.powar.t_sleep, parameters.powar.t_wake) = (cycles(2), cycles(7), cycles(9));
    Chosen(Box::new(parameters))
}

/// Mostly POWAR's words, so that ports sleep often; windows that end before a search does, and ones of several
/// searches.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    match random.below(8) {
        0 | 1 => ("allowed", [0, 1, 2, 3, 5, 9, 254, 255][random.below(8) as usize]),
        2 => ("period", [0, 1, 5, 23, 24, 25, 40, 200][random.below(8) as usize]),
        _ => (powar::ENTRY.some_write)(random),
    }
}
