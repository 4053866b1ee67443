//! Ports sleep after the power-down threshold; awake ports are taken first, all ports are selectable.

use super::Policy;

pub const FIRST_ON: Policy = Policy {
    code: 2,
    name: "first-on",
    title: "FirstOn",
    sleeps: true,
    prefers_awake: true,
    only_selectable: false,
    source: "POWAR section 4.2",
};
