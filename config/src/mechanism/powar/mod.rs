//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

mod parameters;
pub mod policy;

pub use parameters::{PowarParameters, PowarValues};
pub use policy::Policy;

use super::parameter_table::parse;
use super::{Draw, Mechanism, NodeHint, Residency, Routes, Sees};
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "powar",
    source: "Andujar et al., ACM TACO 15(4), 2019",
    sees: Sees { place: false, wanted: false, buffers: false, neighbours: false, ring: None, routes: Routes::None },
    residency: &RESIDENCY,
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &PowarValues::WORDS,
    policies: &policy::ENTRIES,
    options: &PowarParameters::OPTIONS,
    parse: parse::<PowarParameters>,
};

/// Its pairs of phase and level: those of a mechanism that is built around it as well.
pub(super) const RESIDENCY: [Residency; 5] = [
    Residency::of(Phase::On, Draw::FULL, "active_cycles", "Cycles awake"),
    Residency::of(Phase::GoingOff, Draw::FULL, "entering_cycles", "Cycles on the way to sleep"),
    Residency::of(Phase::Off, Draw::SleepFraction, "quiet_cycles", "Cycles asleep and quiet: the ones that save power"),
    Residency::of(Phase::Refreshing, Draw::FULL, "refresh_cycles", "Cycles asleep and refreshing"),
    Residency::of(Phase::ComingOn, Draw::FULL, "waking_cycles", "Cycles on the way to awake"),
];
