//! Ahead: POWAR with a budget for waiting, so that what packets wait for a port is bounded whatever the traffic.

mod parameters;

pub use parameters::{AheadParameters, AheadValues, BOUND_BITS, BudgetParameters};

use super::powar::{self, PowarValues, policy};
use super::{Mechanism, NodeHint, ParameterEntry, ParameterKind, PolicyEntry, joined};
use crate::registers::Word;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "ahead",
    source: "this project: POWAR with a budget for waiting",
    sees: powar::MECHANISM.sees,
    residency: &powar::RESIDENCY,
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &WORDS,
    policies: &POLICIES,
    options: &OPTIONS,
    parse: AheadParameters::parse,
};

/// POWAR's words, which are those of the `powar` in it, and the budget's.
pub(super) const WORDS: [Word; PowarValues::WORDS.len() + 2] = joined(
    &PowarValues::WORDS,
    &[
        Word::of_mechanism(
            0x68,
            "bound",
            17,
            "Cycles that a port may make packets wait, a cycle: parts of 2^-16; from 2^16 on 1",
        ),
        Word::of_mechanism(0x6C, "cap", 27, "Most cycles that a port may have earned and not lost"),
    ],
);

/// POWAR's parameters and the budget's.
pub(super) const OPTIONS: [ParameterEntry; powar::OPTIONS.len() + 2] = joined(
    &powar::OPTIONS,
    &[
        ParameterEntry {
            name: "bound",
            kind: ParameterKind::Number,
            doc: "Share of time that packets may wait for a port that sleeps or wakes, such as 0.01",
        },
        ParameterEntry {
            name: "cap",
            kind: ParameterKind::Number,
            doc: "Waiting that a port may save up, as a multiple of T_s + T_w",
        },
    ],
);

/// What makes no difference to a policy that never sleeps: of POWAR's parameters those that it ignores, and the budget's.
const IGNORED_BY_REFERENCE: [&str; policy::ALL[0].ignores.len() + 2] =
    joined(policy::ALL[0].ignores, &["bound", "cap"]);

/// POWAR's policies by the same codes; the budget makes no difference to the one that never sleeps.
pub(super) const POLICIES: [PolicyEntry; policy::ALL.len()] = [
    PolicyEntry {
        name: "reference",
        title: "Reference",
        doc: "no power saving: ports never sleep, plain round robin",
        ignores: &IGNORED_BY_REFERENCE,
    },
    PolicyEntry {
        name: "round-robin-budget",
        title: "RoundRobinBudget",
        doc: "as round-robin, but a port that has made packets wait for too long stays awake",
        ignores: policy::ALL[1].ignores,
    },
    PolicyEntry {
        name: "first-on-budget",
        title: "FirstOnBudget",
        doc: "as first-on, but a port that has made packets wait for too long stays awake",
        ignores: policy::ALL[2].ignores,
    },
    PolicyEntry {
        name: "powar-budget",
        title: "PowarBudget",
        doc: "as powar, but a port that has made packets wait for too long stays awake",
        ignores: policy::ALL[3].ignores,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_have_the_codes_and_names_of_those_they_are_made_of() {
        for (own, of_powar) in POLICIES.iter().zip(policy::ALL).skip(1) {
            assert_eq!(own.name, format!("{}-budget", of_powar.name));
        }
        assert_eq!((POLICIES[0].name, POLICIES[0].title), (policy::ALL[0].name, policy::ALL[0].title));
        assert!(policy::ALL[0].ignores.iter().all(|name| POLICIES[0].ignores.contains(name)));
    }

    #[test]
    fn words_are_in_the_order_of_their_addresses() {
        assert!(WORDS.is_sorted_by_key(|word| word.offset));
        assert_eq!(
            WORDS[..10].iter().map(|word| word.name).collect::<Vec<_>>(),
            PowarValues::WORDS.map(|word| word.name)
        );
    }
}
