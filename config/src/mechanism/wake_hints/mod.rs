//! Wake hints: Ahead, with words that run ahead of packets and wake the ports of their paths together.

mod parameters;

pub use parameters::{HintValues, WakeHintsParameters};

use super::ahead;
use super::parameter_table::parse;
use super::powar::{self, policy};
use super::{Mechanism, NodeHint, PolicyEntry, Sees, joined};

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "wake_hints",
    source: "this project: Ahead with hints that wake the ports of a path together",
    sees: Sees { place: true, wanted: false, buffers: false, neighbours: true, ring: None },
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
const POLICIES: [PolicyEntry; policy::ALL.len()] = [
    PolicyEntry {
        name: "reference",
        title: "Reference",
        doc: "no power saving: ports never sleep, plain round robin",
        ignores: &IGNORED_BY_REFERENCE,
    },
    PolicyEntry {
        name: "round-robin-hints",
        title: "RoundRobinHints",
        doc: "as round-robin-budget, and hints wake the ports of a packet's path together; they guess where it has a choice",
        ignores: policy::ALL[1].ignores,
    },
    PolicyEntry {
        name: "first-on-hints",
        title: "FirstOnHints",
        doc: "as first-on-budget, and hints wake the ports of a packet's path together",
        ignores: policy::ALL[2].ignores,
    },
    PolicyEntry {
        name: "powar-hints",
        title: "PowarHints",
        doc: "as powar-budget, and hints wake the ports of a packet's path together",
        ignores: policy::ALL[3].ignores,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_have_the_codes_and_names_of_those_they_are_made_of() {
        for (own, of_powar) in POLICIES.iter().zip(policy::ALL).skip(1) {
            assert_eq!(own.name, format!("{}-hints", of_powar.name));
        }
        assert_eq!((POLICIES[0].name, POLICIES[0].title), (policy::ALL[0].name, policy::ALL[0].title));
        assert!(ahead::POLICIES[0].ignores.iter().all(|name| POLICIES[0].ignores.contains(name)));
    }
}
