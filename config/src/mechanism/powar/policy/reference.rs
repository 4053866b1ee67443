//! No power saving: ports never sleep, plain round robin among free ports.

use super::Policy;

pub const REFERENCE: Policy = Policy {
    code: 0,
    name: "reference",
    title: "Reference",
    sleeps: false,
    prefers_awake: false,
    only_selectable: false,
    source: "POWAR section 4.2",
};
