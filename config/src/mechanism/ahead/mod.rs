//! Ahead: POWAR with a budget for waiting, so that what packets wait for a port is bounded whatever the traffic.

mod parameters;

pub use parameters::{AheadParameters, AheadValues, BOUND_BITS};

use super::parameter_table::parse;
use super::powar::{self, policy};
use super::{Mechanism, NodeHint, PolicyEntry, joined};

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "ahead",
    source: "this project: POWAR with a budget for waiting",
    sees: powar::MECHANISM.sees,
    residency: &powar::RESIDENCY,
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &AheadValues::WORDS,
    policies: &POLICIES,
    options: &AheadParameters::OPTIONS,
    parse: parse::<AheadParameters>,
};

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
}
