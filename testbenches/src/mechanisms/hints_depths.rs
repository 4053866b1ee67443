//! Hints and depths: Wake hints, whose ports sleep lightly or deeply, and deeply only with a budget for it.

use super::{Entry, depths, wake_hints};
use crate::random::Random;
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::hints_depths::{HintsDepthsParameters, MECHANISM};
use powar_config::mechanism::wake_hints::WakeHintsParameters;
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

/// Those of Wake hints under which much happens. A deep wake-up leaves too little of a budget for the next one, and soon enough for a
/// light one: so ports that have slept for as long go deep or stay as they are.
fn lively(config: &Config) -> Chosen {
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let hints = (wake_hints::ENTRY.lively)(config);
    let mut hints: WakeHintsParameters = hints.of::<WakeHintsParameters>().expect("those of Wake hints").clone();
    hints.ahead.cap = 2.5;
    let (deep_after, t_wake_deep) = (cycles(12), cycles(33));
    Chosen(Box::new(HintsDepthsParameters { hints, deep_after, t_wake_deep, ..HintsDepthsParameters::default() }))
}

/// Words of Wake hints and of Depths.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    let entry = if random.one_in(2) { &depths::ENTRY } else { &wake_hints::ENTRY };
    (entry.some_write)(random)
}
