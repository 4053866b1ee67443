//! No power saving: ports never sleep, plain round robin among free ports.

use super::Policy;

pub const REFERENCE: Policy = Policy {
    code: 0,
    name: "reference",
    title: "Reference",
    doc: "no power saving: ports never sleep, plain round robin",
    ignores: &["pdt", "t_sleep", "t_wake", "t_quiet", "t_refresh", "abort_sleep", "t_on", "t_off", "check_period"],
    sleeps: false,
    prefers_awake: false,
    only_selectable: false,
    source: "POWAR section 4.2",
};
