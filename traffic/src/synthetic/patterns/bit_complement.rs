//! Bit complement: d_i = not s_i, that is d = N - 1 - s; N a power of two.

use super::permutation::Permutation;
use super::{Pattern, PatternKind, PatternParameters};
use anyhow::Result;

pub const PATTERN: PatternKind = PatternKind {
    name: "bit-complement",
    about: "bit i of the destination is the complement of bit i of the source",
    build,
};

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    Permutation::of_bits(PATTERN.name, parameters, |source, bits| !source & ((1 << bits) - 1))
}
