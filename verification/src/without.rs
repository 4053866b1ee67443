//! Blocks without properties, and why.

/// Blocks by their names in the registry, without a size behind them, and what is done instead. A block that gets properties leaves this list.
pub const WITHOUT: &[(&str, &str)] = &[
    (
        "link_crossing",
        "has two clocks without relation, which a model with steps does not have; in lock-step at many pairs of clock rates",
    ),
    (
        "ahead",
        "joins `powar`, `budget_registers` and `wait_budget`, which have theirs, by wires; in lock-step, and its promise is watched in whole networks",
    ),
    (
        "wake_hints",
        "joins `ahead` and the blocks of hints, which have theirs, by wires; in lock-step, where words come on its lanes",
    ),
    (
        "depths",
        "joins `powar`, `depth_registers` and `sleep_depth`, which have theirs, by wires; in lock-step, where ports are woken from both depths",
    ),
    (
        "perf_bound",
        "joins `powar` and four blocks, which have theirs, by wires; in lock-step, where thresholds change with each window",
    ),
    (
        "hints_depths",
        "joins the blocks of Wake hints and `sleep_depth` with `deep_registers`, `deep_reserve` and `deep_budget`, which have theirs, by wires; in lock-step, and its promise is watched in whole networks",
    ),
    ("powar_demonstrator", "part of the demonstrator, not of a switch; in lock-step with the golden model"),
];

/// Why a block has no properties; none if it should have some.
pub(crate) fn why(block: &str) -> Option<&'static str> {
    WITHOUT.iter().find(|(name, _)| *name == block).map(|(_, why)| *why)
}
