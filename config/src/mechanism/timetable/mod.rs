//! Timetable: every port sleeps by a fixed timetable, whatever the load. The smallest complete mechanism, to be copied.

mod parameters;
mod words;

pub use parameters::TimetableParameters;
pub use words::TimetableValues;

use super::{Draw, Mechanism, NodeHint, ParameterEntry, ParameterKind, PolicyEntry, Residency, Sees};
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "timetable",
    source: "none: the smallest example of a mechanism, and a baseline",
    sees: Sees { place: false, wanted: false, buffers: false, neighbours: false, ring: false },
    residency: &[
        residency(Phase::On, Draw::Share(1.0), "on_cycles", "Cycles on"),
        residency(Phase::Draining, Draw::Share(1.0), "draining_cycles", "Cycles closed to new packets, not yet asleep"),
        residency(Phase::Off, Draw::SleepFraction, "off_cycles", "Cycles asleep: the ones that save power"),
    ],
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &TimetableValues::WORDS,
    policies: &[
        PolicyEntry {
            name: "reference",
            title: "Reference",
            doc: "no power saving: every port is on",
            ignores: &["on_time", "off_time"],
        },
        PolicyEntry {
            name: "timetable",
            title: "Timetable",
            doc: "every port sleeps by a fixed timetable, whatever the load",
            ignores: &[],
        },
    ],
    options: &[
        ParameterEntry { name: "on_time", kind: ParameterKind::Time, doc: "How long ports are open, such as 10us" },
        ParameterEntry { name: "off_time", kind: ParameterKind::Time, doc: "How long they are closed after that" },
    ],
    parse: TimetableParameters::parse,
};

const fn residency(phase: Phase, draw: Draw, counter: &'static str, doc: &'static str) -> Residency {
    Residency { phase, level: 0, draw, counter, doc }
}
