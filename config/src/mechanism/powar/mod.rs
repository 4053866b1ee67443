//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

mod parameters;
pub mod policy;
mod words;

pub use parameters::{PowarParameters, RegisterValues};
pub use policy::Policy;

use super::{Mechanism, ParameterEntry, ParameterKind, Residency, Sees};
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "powar",
    source: "Andujar et al., ACM TACO 15(4), 2019",
    sees: Sees { place: false, wanted: false, buffers: false, neighbours: false },
    residency: &[
        Residency { phase: Phase::On, level: 0, counter: "active_cycles", doc: "Cycles awake" },
        Residency { phase: Phase::GoingOff, level: 0, counter: "entering_cycles", doc: "Cycles on the way to sleep" },
        Residency {
            phase: Phase::Off,
            level: 0,
            counter: "quiet_cycles",
            doc: "Cycles asleep and quiet: the ones that save power",
        },
        Residency {
            phase: Phase::Refreshing,
            level: 0,
            counter: "refresh_cycles",
            doc: "Cycles asleep and refreshing",
        },
        Residency { phase: Phase::ComingOn, level: 0, counter: "waking_cycles", doc: "Cycles on the way to awake" },
    ],
    words: &words::WORDS,
    policies: &policy::ENTRIES,
    options: &[
        time("pdt", "Power-down threshold, such as 10us"),
        ParameterEntry {
            name: "t_on",
            kind: ParameterKind::Number,
            doc: "Utilisation above which one more port is selectable, at least twice T_off, at most 1",
        },
        ParameterEntry {
            name: "t_off",
            kind: ParameterKind::Number,
            doc: "Utilisation below which one port less is selectable",
        },
        time("check_period", "How often utilisation is compared with them, 2 to 65535 cycles"),
        time("t_sleep", "Time to enter sleep"),
        time("t_wake", "Time to wake"),
        time("t_quiet", "Quiet period while asleep; 0: no refresh"),
        time("t_refresh", "Refresh period while asleep, at full power; 0: no refresh"),
        ParameterEntry {
            name: "abort_sleep",
            kind: ParameterKind::Flag,
            doc: "A wake request aborts the way to sleep",
        },
    ],
    parse: PowarParameters::parse,
};

const fn time(name: &'static str, doc: &'static str) -> ParameterEntry {
    ParameterEntry { name, kind: ParameterKind::Time, doc }
}
