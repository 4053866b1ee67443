//! Timetable: every port sleeps by a fixed timetable, whatever the load. The smallest complete mechanism, to be copied.

use super::Entry;
use crate::random::Random;
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::timetable::{MECHANISM, TimetableParameters};
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

/// Times of about a packet.
fn lively(config: &Config) -> Chosen {
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    Chosen(Box::new(TimetableParameters {
        on_time: cycles(40),
        off_time: cycles(25),
        ..TimetableParameters::default()
    }))
}

/// Short times, so that ports sleep often.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    let (name, value) = match random.below(4) {
        // Reference, which never sleeps, only now and then.
        0 => ("policy", random.below(4).min(1)),
        1 => ("on_time", random.below(100)),
        _ => ("off_time", random.below(60)),
    };
    (name, value as u32)
}
