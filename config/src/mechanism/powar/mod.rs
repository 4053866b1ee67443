//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

mod parameters;
pub mod policy;
mod words;

pub use parameters::PowarParameters;
pub use policy::Policy;
pub use words::PowarValues;

use super::{Draw, Mechanism, NodeHint, ParameterEntry, ParameterKind, Residency, Sees};
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "powar",
    source: "Andujar et al., ACM TACO 15(4), 2019",
    sees: Sees { place: false, wanted: false, buffers: false, neighbours: false, ring: false },
    residency: &RESIDENCY,
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &PowarValues::WORDS,
    policies: &policy::ENTRIES,
    options: &OPTIONS,
    parse: PowarParameters::parse,
};

/// Its pairs of phase and level: those of a mechanism that is built around it as well.
pub(super) const RESIDENCY: [Residency; 5] = [
    pair(Phase::On, FULL, "active_cycles", "Cycles awake"),
    pair(Phase::GoingOff, FULL, "entering_cycles", "Cycles on the way to sleep"),
    pair(Phase::Off, Draw::SleepFraction, "quiet_cycles", "Cycles asleep and quiet: the ones that save power"),
    pair(Phase::Refreshing, FULL, "refresh_cycles", "Cycles asleep and refreshing"),
    pair(Phase::ComingOn, FULL, "waking_cycles", "Cycles on the way to awake"),
];

/// Its parameters: those of a mechanism that is built around it, with others, as well.
pub(super) const OPTIONS: [ParameterEntry; 9] = [
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
    ParameterEntry { name: "abort_sleep", kind: ParameterKind::Flag, doc: "A wake request aborts the way to sleep" },
];

const fn time(name: &'static str, doc: &'static str) -> ParameterEntry {
    ParameterEntry { name, kind: ParameterKind::Time, doc }
}

const FULL: Draw = Draw::Share(1.0);

const fn pair(phase: Phase, draw: Draw, counter: &'static str, doc: &'static str) -> Residency {
    Residency { phase, level: 0, draw, counter, doc }
}
