//! Wake hints: Ahead, with words that run ahead of packets and wake the ports of their paths together.

mod parameters;

pub(super) use parameters::{COUNTERS, counters_from};
pub use parameters::{HintValues, WakeHintsParameters};

use super::ahead;
use super::parameter_table::parse;
use super::powar::{self, policy};
use super::{Mechanism, NodeHint, PolicyEntry, Routes, Sees, joined};

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "wake_hints",
    source: "this project: Ahead with hints that wake the ports of a path together",
    sees: Sees { place: true, wanted: false, buffers: false, neighbours: true, ring: None, routes: Routes::AsPackets },
    residency: &powar::RESIDENCY,
    node_hint: NodeHint::Addresses,
    level_gbps: &[],
    measures_queues: false,
    words: &parameters::WORDS,
    policies: &POLICIES,
    options: &WakeHintsParameters::OPTIONS,
    parse: parse::<WakeHintsParameters>,
};

/// What makes no difference to a policy that never sleeps: of Ahead's parameters those that it ignores, and the lane's.
const IGNORED_BY_REFERENCE: [&str; ahead::POLICIES[0].ignores.len() + 2] =
    joined(ahead::POLICIES[0].ignores, &["hints", "sideband"]);

/// POWAR's policies by the same codes; neither budget nor hints make a difference to the one that never sleeps.
pub(super) const POLICIES: [PolicyEntry; policy::ALL.len()] = policy::around(
    &IGNORED_BY_REFERENCE,
    [
        [
            "round-robin-hints",
            "RoundRobinHints",
            "as round-robin-budget, and hints wake the ports of a packet's path together; they guess where it has a choice",
        ],
        ["first-on-hints", "FirstOnHints", "as first-on-budget, and hints wake the ports of a packet's path together"],
        ["powar-hints", "PowarHints", "as powar-budget, and hints wake the ports of a packet's path together"],
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_named_after_those_of_powar() {
        policy::assert_named_after("hints", &POLICIES);
        assert!(ahead::POLICIES[0].ignores.iter().all(|name| POLICIES[0].ignores.contains(name)));
    }
}
