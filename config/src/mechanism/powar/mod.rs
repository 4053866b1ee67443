//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

pub mod policy;
mod values;
mod words;

pub use policy::Policy;
pub use values::RegisterValues;

use super::{Mechanism, Residency, Sees};
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
};
