//! Soteriou and Peh: links go off and on with the load of a router, or after an idle time and on demand.

mod parameters;
mod places;
mod words;

pub use parameters::SoteriouPehParameters;
pub use places::Places;
pub use words::SoteriouPehValues;

use super::{Draw, Mechanism, NodeHint, ParameterEntry, ParameterKind, PolicyEntry, Residency, Sees};
use crate::Config;
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "soteriou_peh",
    source: "Soteriou and Peh, ICCD 2004",
    sees: Sees { place: true, wanted: true, buffers: true, neighbours: true, ring: false },
    residency: &[
        residency(Phase::On, FULL, "on_cycles", "Cycles on"),
        residency(Phase::Draining, FULL, "draining_cycles", "Cycles in which the link finished what it had begun"),
        residency(Phase::GoingOff, FULL, "going_off_cycles", "Cycles on the way to off"),
        residency(Phase::Off, Draw::SleepFraction, "off_cycles", "Cycles off: the ones that save power"),
        residency(Phase::ComingOn, FULL, "coming_on_cycles", "Cycles on the way to on"),
    ],
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &SoteriouPehValues::WORDS,
    policies: &[
        PolicyEntry {
            name: "reference",
            title: "Reference",
            doc: "no power saving: every link is on",
            ignores: &[
                "window",
                "sleep_threshold",
                "sleep_step",
                "wake_threshold",
                "wake_step",
                "t_trans",
                "age_target",
                "idle",
            ],
        },
        PolicyEntry {
            name: "on-off-staircase",
            title: "OnOffStaircase",
            doc: "Design I: links off the staircase graph go off and on with the load of their switch",
            ignores: &["age_target", "idle"],
        },
        PolicyEntry {
            name: "on-off-alternating",
            title: "OnOffAlternating",
            doc: "Design I with the alternating row-column graph",
            ignores: &["age_target", "idle"],
        },
        PolicyEntry {
            name: "on-off-on-demand",
            title: "OnOffOnDemand",
            doc: "Design II: any link goes off when it has been idle, and on when a packet wants it",
            ignores: &["sleep_threshold", "sleep_step", "wake_threshold", "wake_step"],
        },
    ],
    options: &[
        time("window", "Sampling window of the statistics, 4 to 65535 cycles"),
        number("sleep_threshold", "Load below which the last link that is on goes off"),
        number("sleep_step", "What is added to it for each further link that is on, up to the fourth"),
        number("wake_threshold", "Load above which the first link that is off comes on"),
        number("wake_step", "What is taken from it for each further link that is off"),
        time("t_trans", "Time at full power of a link that goes off, and of one that comes on"),
        time("age_target", "Time that flits spend in input buffers; idle times double beyond 1.25 of it"),
        time(
            "idle",
            "Idle time after which a link goes off if four are on; for 3, 2, 1 of them 4, 16, 64 times as long",
        ),
    ],
    parse: SoteriouPehParameters::parse,
};

const FULL: Draw = Draw::Share(1.0);

const fn residency(phase: Phase, draw: Draw, counter: &'static str, doc: &'static str) -> Residency {
    Residency { phase, level: 0, draw, counter, doc }
}

const fn time(name: &'static str, doc: &'static str) -> ParameterEntry {
    ParameterEntry { name, kind: ParameterKind::Time, doc }
}

const fn number(name: &'static str, doc: &'static str) -> ParameterEntry {
    ParameterEntry { name, kind: ParameterKind::Number, doc }
}

/// Output ports that the mechanism looks at, the lowest ones: those with links of a mesh or torus of two dimensions, elsewhere all.
pub fn links(config: &Config) -> usize {
    if Places::of(config).is_some() { 4 } else { config.ports }
}
