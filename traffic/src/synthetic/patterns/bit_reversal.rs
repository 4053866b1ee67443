//! Bit reversal: d_i = s_(b-1-i) for N = 2^b.

use super::permutation::Permutation;
use super::{Pattern, PatternKind, PatternParameters};
use anyhow::Result;

pub const PATTERN: PatternKind =
    PatternKind { name: "bit-reversal", about: "the bits of the source in reverse order", build };

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    Permutation::of_bits(PATTERN.name, parameters, |source, bits| source.reverse_bits() >> (32 - bits))
}
