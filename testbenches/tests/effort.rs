//! How much the tests do: all of it in the long form (`POWAR_LONG`), else a part.

pub fn is_long() -> bool {
    std::env::var_os("POWAR_LONG").is_some()
}

/// So many cycles or cases, or half of them.
pub fn half_of(all: u64) -> u64 {
    if is_long() { all } else { all.div_ceil(2) }
}
