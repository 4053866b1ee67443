//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

use super::Entry;
use crate::random::Random;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::powar::MECHANISM;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry {
    mechanism: &MECHANISM,
    lively: |_| Chosen(MECHANISM.defaults()),
    some_write,
    // Every port may sleep.
    always_sends: |_, _, _| 0,
    tried_at: &[],
};

/// Short times, so that ports sleep often.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    let (name, value) = match random.below(16) {
        // Reference, which never sleeps, only now and then.
        0..=2 => ("policy", random.below(4).max(random.below(4))),
        // What decides most on how often ports sleep.
        3..=6 => ("pdt", random.below(64)),
        7 | 8 => ("check_period", 1 + random.below(200)),
        9 => ("on_flits", random.below(160)),
        10 => ("off_flits", random.below(80)),
        11 => ("t_sleep", random.below(40)),
        12 => ("t_wake", random.below(40)),
        13 => ("t_quiet", random.below(40)),
        14 => ("t_refresh", random.below(40)),
        _ => ("abort_sleep", random.below(2)),
    };
    (name, value as u32)
}
