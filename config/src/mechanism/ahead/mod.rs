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
pub(super) const POLICIES: [PolicyEntry; policy::ALL.len()] = policy::around(
    &IGNORED_BY_REFERENCE,
    [
        [
            "round-robin-budget",
            "RoundRobinBudget",
            "as round-robin, but a port that has made packets wait for too long stays awake",
        ],
        [
            "first-on-budget",
            "FirstOnBudget",
            "as first-on, but a port that has made packets wait for too long stays awake",
        ],
        ["powar-budget", "PowarBudget", "as powar, but a port that has made packets wait for too long stays awake"],
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_named_after_those_of_powar() {
        policy::assert_named_after("budget", &POLICIES);
    }
}
