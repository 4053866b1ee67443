//! Perfect shuffle: d_i = s_(i-1 mod b) for N = 2^b, that is 2 s mod N - 1.

use super::permutation::Permutation;
use super::{Pattern, PatternKind, PatternParameters};
use anyhow::Result;

pub const PATTERN: PatternKind =
    PatternKind { name: "shuffle", about: "the bits of the source, rotated left by one", build };

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    Permutation::of_bits(PATTERN.name, parameters, |source, bits| {
        (source << 1 | source >> (bits - 1)) & ((1 << bits) - 1)
    })
}
