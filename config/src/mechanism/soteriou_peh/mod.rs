//! Soteriou and Peh: links go off and on with the load of a router, or after an idle time and on demand.

mod parameters;
mod places;

pub use parameters::{SoteriouPehParameters, SoteriouPehValues};
pub use places::Places;

use super::parameter_table::parse;
use super::{Mechanism, NodeHint, PolicyEntry, Residency, Routes, Sees};
use crate::Config;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "soteriou_peh",
    source: "Soteriou and Peh, ICCD 2004",
    sees: Sees { place: true, wanted: true, buffers: true, neighbours: true, ring: None, routes: Routes::None },
    residency: &Residency::OF_LINKS,
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
    options: &SoteriouPehParameters::OPTIONS,
    parse: parse::<SoteriouPehParameters>,
};

/// Output ports that the mechanism looks at, the lowest ones: those with links of a mesh or torus of two dimensions, elsewhere all.
pub fn links(config: &Config) -> usize {
    if Places::of(config).is_some() { 4 } else { config.ports }
}
