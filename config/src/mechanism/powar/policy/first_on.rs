//! Ports sleep after the power-down threshold; awake ports are taken first, all ports are selectable.

use super::Policy;

pub const FIRST_ON: Policy = Policy {
    code: 2,
    name: "first-on",
    title: "FirstOn",
    doc: "idle ports sleep; awake ports are taken first",
    ignores: &["t_on", "t_off", "check_period"],
    sleeps: true,
    prefers_awake: true,
    only_selectable: false,
    source: "POWAR section 4.2",
};
