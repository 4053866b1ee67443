//! Ahead: POWAR with a budget for waiting, so that what packets wait for a port is bounded whatever the traffic.

use super::{Entry, powar};
use crate::random::Random;
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::ahead::{AheadParameters, MECHANISM};
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

/// Times of about a packet, and budgets that are spent and earned several times.
fn lively(config: &Config) -> Chosen {
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let mut parameters = AheadParameters { bound: 0.2, cap: 3.0, ..AheadParameters::default() };
    (parameters.powar.pdt, parameters.powar.t_sleep, parameters.powar.t_wake) = (cycles(6), cycles(7), cycles(9));
    Chosen(Box::new(parameters))
}

/// Mostly POWAR's words, so that ports sleep often; budgets of all kinds, now and then more than enough.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    match random.below(8) {
        0 => ("bound", [0, 1 << 10, 1 << 14, 1 << 15, 1 << 16, 70_000][random.below(6) as usize]),
        1 | 2 => ("cap", random.below(200) as u32),
        _ => (powar::ENTRY.some_write)(random),
    }
}
