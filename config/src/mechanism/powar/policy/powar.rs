//! The paper's policy: awake ports first, and only as many ports as the load needs are selectable.

use super::Policy;

pub const POWAR: Policy = Policy {
    code: 3,
    name: "powar",
    title: "Powar",
    doc: "idle ports sleep; awake ports are taken first, and only as many are selectable as the load needs",
    ignores: &[],
    sleeps: true,
    prefers_awake: true,
    only_selectable: true,
    source: "POWAR section 3, Algorithms 1 to 3",
};
