//! Alonso: links go off and on with the load of a switch, around a Minimal Tree that is never off.

mod parameters;

pub use parameters::{AlonsoParameters, AlonsoValues};

use super::parameter_table::parse;
use super::{Mechanism, NodeHint, PolicyEntry, Residency, Routes, Sees};

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "alonso",
    source: "Alonso et al., Parallel Computing 48, 2015",
    sees: Sees { place: true, wanted: true, buffers: false, neighbours: true, ring: None, routes: Routes::None },
    residency: &Residency::OF_LINKS,
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
    options: &AlonsoParameters::OPTIONS,
    parse: parse::<AlonsoParameters>,
};
