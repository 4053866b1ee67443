//! Wake hints: Ahead, with words that run ahead of packets and wake the ports of their paths together.

mod parameters;

pub use parameters::{HintValues, LaneParameters, WakeHintsParameters};

use super::ahead;
use super::powar::{self, policy};
use super::{Mechanism, NodeHint, ParameterEntry, ParameterKind, PolicyEntry, Sees, joined};
use crate::registers::Word;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "wake_hints",
    source: "this project: Ahead with hints that wake the ports of a path together",
    sees: Sees { place: true, wanted: false, buffers: false, neighbours: true, ring: false },
    residency: &powar::RESIDENCY,
    node_hint: NodeHint::Addresses,
    level_gbps: &[],
    measures_queues: false,
    words: &WORDS,
    policies: &POLICIES,
    options: &OPTIONS,
    parse: WakeHintsParameters::parse,
};

/// Ahead's words, which are those of the `ahead` in it, and the lane's.
const WORDS: [Word; ahead::WORDS.len() + 4] = joined(
    &ahead::WORDS,
    &[
        Word::of_mechanism(
            0x70,
            "hint_control",
            2,
            "Bit 0: hints are sent and listened to; bit 1: their lane is on while the link sleeps",
        ),
        Word::of_mechanism(
            0x74,
            "hints_dropped",
            32,
            "Hints that came broken, found no room or no lane; a write sets it",
        ),
        Word::of_mechanism(0x78, "hints_woke", 32, "Hints that woke a port; a write sets it"),
        Word::of_mechanism(
            0x7C,
            "hints_unused",
            32,
            "Ports that a hint woke and that slept again without a packet; a write sets it",
        ),
    ],
);

/// Ahead's parameters and the lane's.
const OPTIONS: [ParameterEntry; ahead::OPTIONS.len() + 2] = joined(
    &ahead::OPTIONS,
    &[
        ParameterEntry {
            name: "hints",
            kind: ParameterKind::Flag,
            doc: "Words that run ahead of packets are sent and listened to",
        },
        ParameterEntry {
            name: "sideband",
            kind: ParameterKind::Flag,
            doc: "The lane of the hints is on while the link sleeps",
        },
    ],
);

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

    #[test]
    fn words_are_in_the_order_of_their_addresses() {
        assert!(WORDS.is_sorted_by_key(|word| word.offset));
        assert!(WORDS.iter().zip(&ahead::WORDS).all(|(own, of_ahead)| own.name == of_ahead.name));
    }
}
