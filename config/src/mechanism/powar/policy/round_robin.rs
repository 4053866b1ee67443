//! Ports sleep after the power-down threshold; the selection takes no notice of it.

use super::Policy;

pub const ROUND_ROBIN: Policy = Policy {
    code: 1,
    name: "round-robin",
    title: "RoundRobin",
    doc: "idle ports sleep after the power-down threshold, which the selection takes no notice of",
    ignores: &["t_on", "t_off", "check_period"],
    sleeps: true,
    prefers_awake: false,
    only_selectable: false,
    source: "POWAR section 4.2",
};
