//! Alonso: links go off and on with the load of a switch, around a Minimal Tree that is never off.

mod parameters;
mod words;

pub use parameters::AlonsoParameters;
pub use words::AlonsoValues;

use super::{Draw, Mechanism, NodeHint, ParameterEntry, ParameterKind, PolicyEntry, Residency, Sees};
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "alonso",
    source: "Alonso et al., Parallel Computing 48, 2015",
    sees: Sees { place: true, wanted: true, buffers: false, neighbours: true, ring: false },
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
    words: &AlonsoValues::WORDS,
    policies: &[
        PolicyEntry {
            name: "reference",
            title: "Reference",
            doc: "no power saving: every link is on",
            ignores: &["u_on", "u_off", "check_period", "turn_on", "turn_off", "litmus", "start"],
        },
        PolicyEntry {
            name: "alonso-static",
            title: "AlonsoStatic",
            doc: "links go off and on with the load, by two constant thresholds",
            ignores: &[],
        },
        PolicyEntry {
            name: "alonso-dynamic",
            title: "AlonsoDynamic",
            doc: "likewise, by a threshold for off that depends on how many are on",
            ignores: &["u_off"],
        },
    ],
    options: &[
        number("u_on", "Utilisation of the up-links, or of a trunk, above which one more is switched on"),
        number("u_off", "Utilisation below which one is switched off; at most half of it"),
        time("check_period", "How often utilisation is compared with them, 2 to 65535 cycles"),
        time("turn_on", "Time from the decision to switch a link on until it is usable"),
        time("turn_off", "Time at full power after a link has gone off"),
        ParameterEntry {
            name: "litmus",
            kind: ParameterKind::Flag,
            doc: "A message that waits at a node switches all links of its leaf switch on",
        },
        ParameterEntry {
            name: "start",
            kind: ParameterKind::Flag,
            doc: "Begin with the Minimal Tree alone instead of with all links",
        },
    ],
    parse: AlonsoParameters::parse,
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
