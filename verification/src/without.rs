//! Blocks without properties, and why.

/// Blocks by their names in the registry, without a size behind them, and what is done instead. A block that gets properties leaves this list.
pub const WITHOUT: &[(&str, &str)] = &[
    (
        "link_crossing",
        "has two clocks without relation, which a model with steps does not have; in lock-step at many pairs of clock rates",
    ),
    ("powar_demonstrator", "part of the demonstrator, not of a switch; in lock-step with the golden model"),
];

/// Why a block has no properties; none if it should have some.
pub(crate) fn why(block: &str) -> Option<&'static str> {
    WITHOUT.iter().find(|(name, _)| *name == block).map(|(_, why)| *why)
}
