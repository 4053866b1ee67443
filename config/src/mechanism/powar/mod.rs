//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

pub mod policy;
mod values;
mod words;

pub use policy::Policy;
pub use values::RegisterValues;

use super::{Draw, Mechanism, Residency, Sees};
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "powar",
    source: "Andujar et al., ACM TACO 15(4), 2019",
    sees: Sees { place: false, wanted: false, buffers: false, neighbours: false },
    residency: &[
        pair(Phase::On, FULL, "active_cycles", "Cycles awake"),
        pair(Phase::GoingOff, FULL, "entering_cycles", "Cycles on the way to sleep"),
        pair(Phase::Off, Draw::SleepFraction, "quiet_cycles", "Cycles asleep and quiet: the ones that save power"),
        pair(Phase::Refreshing, FULL, "refresh_cycles", "Cycles asleep and refreshing"),
        pair(Phase::ComingOn, FULL, "waking_cycles", "Cycles on the way to awake"),
    ],
    words: &words::WORDS,
};

const FULL: Draw = Draw::Share(1.0);

const fn pair(phase: Phase, draw: Draw, counter: &'static str, doc: &'static str) -> Residency {
    Residency { phase, level: 0, draw, counter, doc }
}
