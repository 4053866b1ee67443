//! Neighbor: d_x = s_x + 1 mod k in each dimension of k nodes.

use super::permutation::Permutation;
use super::{Pattern, PatternKind, PatternParameters, digits};
use crate::synthetic::Surroundings;
use anyhow::Result;

pub const PATTERN: PatternKind = PatternKind { name: "neighbor", about: "one further in each dimension", build };

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    let Surroundings { nodes, dimensions, .. } = *parameters.surroundings;
    Permutation::of(PATTERN.name, nodes, |source| digits::moved(source, dimensions, |_| 1))
}
