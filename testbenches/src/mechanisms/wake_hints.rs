//! Wake hints: Ahead, with words that run ahead of packets and wake the ports of their paths together.

use super::{Entry, ahead};
use crate::random::Random;
use crate::test_switches::TestSwitch::{FatTree, LeastOccupied, LimitedTable, Table};
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::ahead::AheadParameters;
use powar_config::mechanism::wake_hints::{MECHANISM, WakeHintsParameters};

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry {
    mechanism: &MECHANISM,
    lively,
    some_write,
    // Every port may sleep.
    always_sends: |_, _, _| 0,
    tried_at: &[
        ("hint_choice", &[FatTree, LeastOccupied, Table, LimitedTable]),
        ("wake_hints", &[FatTree, LimitedTable]),
    ],
};

/// Those of Ahead under which much happens, with hints.
fn lively(config: &Config) -> Chosen {
    let ahead = (ahead::ENTRY.lively)(config);
    let ahead: &AheadParameters = ahead.of().expect("those of Ahead");
    Chosen(Box::new(WakeHintsParameters { ahead: ahead.clone(), ..WakeHintsParameters::default() }))
}

/// Mostly Ahead's words, so that ports sleep and wake; hints and the sideband mostly on, counters near to where they wrap.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    let counter = |random: &mut Random| if random.one_in(2) { 0u32.wrapping_sub(random.below(4) as u32) } else { 0 };
    match random.below(16) {
        0..3 => ("hint_control", [3, 3, 3, 1, 1, 2, 0, 3][random.below(8) as usize]),
        3 => ("hints_dropped", counter(random)),
        4 => ("hints_woke", counter(random)),
        5 => ("hints_unused", counter(random)),
        _ => (ahead::ENTRY.some_write)(random),
    }
}
