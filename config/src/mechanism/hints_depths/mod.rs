//! Hints and depths: Wake hints, whose ports sleep lightly or deeply, and deeply only with a budget for it.

mod parameters;

pub use parameters::{HintsDepthsParameters, HintsDepthsValues};

use super::parameter_table::parse;
use super::powar::policy;
use super::{Mechanism, NodeHint, PolicyEntry, depths, joined, wake_hints};

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "hints_depths",
    source: "this project: Wake hints with the two low-power modes of IEEE 802.3bj",
    sees: wake_hints::MECHANISM.sees,
    residency: &depths::RESIDENCY,
    node_hint: NodeHint::Addresses,
    level_gbps: &[],
    measures_queues: false,
    words: &parameters::WORDS,
    policies: &POLICIES,
    options: &HintsDepthsParameters::OPTIONS,
    parse: parse::<HintsDepthsParameters>,
};

/// What makes no difference to a policy that never sleeps: of Wake hints' parameters those that it ignores, and those of depth.
const IGNORED_BY_REFERENCE: [&str; wake_hints::POLICIES[0].ignores.len() + 3] =
    joined(wake_hints::POLICIES[0].ignores, &["deep_after", "t_wake_deep", "light_power"]);

/// POWAR's policies by the same codes; nothing of this makes a difference to the one that never sleeps.
const POLICIES: [PolicyEntry; policy::ALL.len()] = policy::around(
    &IGNORED_BY_REFERENCE,
    [
        [
            "round-robin-hints-depths",
            "RoundRobinHintsDepths",
            "as round-robin-hints, but a port that has slept for long and has a budget for it sleeps deeply",
        ],
        [
            "first-on-hints-depths",
            "FirstOnHintsDepths",
            "as first-on-hints, but a port that has slept for long and has a budget for it sleeps deeply",
        ],
        [
            "powar-hints-depths",
            "PowarHintsDepths",
            "as powar-hints, but a port that has slept for long and has a budget for it sleeps deeply",
        ],
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_named_after_those_of_powar() {
        policy::assert_named_after("hints-depths", &POLICIES);
        assert!(wake_hints::POLICIES[0].ignores.iter().all(|name| POLICIES[0].ignores.contains(name)));
    }
}
