//! Butterfly: the highest and the lowest bit change places; N a power of two (Duato, Yalamanchili and Ni, *Interconnection
//! Networks*, section 9.3).

use super::permutation::Permutation;
use super::{Pattern, PatternKind, PatternParameters};
use anyhow::Result;

pub const PATTERN: PatternKind =
    PatternKind { name: "butterfly", about: "the highest and the lowest bit of the source change places", build };

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    Permutation::of_bits(PATTERN.name, parameters, |source, bits| {
        let (low, high) = (source & 1, source >> (bits - 1));
        source & !(1 | 1 << (bits - 1)) | low << (bits - 1) | high
    })
}
