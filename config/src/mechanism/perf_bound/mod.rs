//! PerfBound: POWAR whose ports choose their threshold by themselves, so that what sleeping costs is near a bound.

mod parameters;

pub use parameters::{PerfBoundParameters, PerfBoundValues, THRESHOLDS};

use super::parameter_table::parse;
use super::powar::{self, policy};
use super::{Mechanism, NodeHint, PolicyEntry, joined};

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "perf_bound",
    source: "a guess at Saravanan and Carpenter, PerfBound, IEEE TC 2018, by its abstract",
    sees: powar::MECHANISM.sees,
    residency: &powar::RESIDENCY,
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &PerfBoundValues::WORDS,
    policies: &POLICIES,
    options: &PerfBoundParameters::OPTIONS,
    parse: parse::<PerfBoundParameters>,
};

/// What makes no difference to a policy that never sleeps: of POWAR's parameters those that it ignores, and the
/// bound's.
const IGNORED_BY_REFERENCE: [&str; policy::ALL[0].ignores.len() + 2] =
    joined(policy::ALL[0].ignores, &["bound", "period"]);

/// POWAR's policies by the same codes; the bound makes no difference to the one that never sleeps.
const POLICIES: [PolicyEntry; policy::ALL.len()] = policy::around(
    &IGNORED_BY_REFERENCE,
    [
        [
            "round-robin-perf-bound",
            "RoundRobinPerfBound",
            "as round-robin, but each port chooses its threshold by the gaps that it has seen",
        ],
        [
            "first-on-perf-bound",
            "FirstOnPerfBound",
            "as first-on, but each port chooses its threshold by the gaps that it has seen",
        ],
        ["powar-perf-bound", "PowarPerfBound", "as powar, but each port chooses its threshold by the gaps it has seen"],
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_named_after_those_of_powar() {
        policy::assert_named_after("perf-bound", &POLICIES);
    }
}
