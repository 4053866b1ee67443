//! Depths: POWAR with two depths of sleep, light after the power-down threshold and deep after a second one.

mod parameters;

pub use parameters::{DepthsParameters, DepthsValues};
pub(super) use parameters::{depth_in_vain, draw_in_light_sleep};

use super::parameter_table::parse;
use super::powar::{self, policy};
use super::{Draw, Mechanism, NodeHint, PolicyEntry, Residency, joined};
use crate::phase::Phase;

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "depths",
    source: "this project: POWAR with the two low-power modes of IEEE 802.3bj",
    sees: powar::MECHANISM.sees,
    residency: &RESIDENCY,
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &DepthsValues::WORDS,
    policies: &POLICIES,
    options: &DepthsParameters::OPTIONS,
    parse: parse::<DepthsParameters>,
};

/// POWAR's pairs, of which `Off` is light sleep, and deep sleep.
pub(super) const RESIDENCY: [Residency; powar::RESIDENCY.len() + 1] = joined(
    &powar::RESIDENCY,
    &[Residency {
        level: 1,
        ..Residency::of(Phase::Off, Draw::SleepFraction, "deep_cycles", "Cycles in deep sleep: the ones that save most")
    }],
);

/// What makes no difference to a policy that never sleeps: of POWAR's parameters those that it ignores, and those of
/// depth.
const IGNORED_BY_REFERENCE: [&str; policy::ALL[0].ignores.len() + 3] =
    joined(policy::ALL[0].ignores, &["deep_after", "t_wake_deep", "light_power"]);

/// POWAR's policies by the same codes; depth makes no difference to the one that never sleeps.
const POLICIES: [PolicyEntry; policy::ALL.len()] = policy::around(
    &IGNORED_BY_REFERENCE,
    [
        ["round-robin-depths", "RoundRobinDepths", "as round-robin, but a port that has slept for long sleeps deeply"],
        ["first-on-depths", "FirstOnDepths", "as first-on, but a port that has slept for long sleeps deeply"],
        ["powar-depths", "PowarDepths", "as powar, but a port that has slept for long sleeps deeply"],
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_named_after_those_of_powar() {
        policy::assert_named_after("depths", &POLICIES);
    }

    #[test]
    fn the_pairs_of_powar_come_first() {
        assert_eq!(RESIDENCY[..powar::RESIDENCY.len()], powar::RESIDENCY);
    }
}
