//! The paper's policy: awake ports first, and only as many ports as the load needs are selectable.

use super::Policy;

pub const POWAR: Policy = Policy {
    code: 3,
    name: "powar",
    title: "Powar",
    sleeps: true,
    prefers_awake: true,
    only_selectable: true,
    source: "POWAR section 3, Algorithms 1 to 3",
};
