//! Transpose: d_i = s_(i + b/2 mod b) for N = 2^b with an even b: the node in row y and column x of a square matrix sends to that
//! in row x and column y. So it is defined for all square numbers.

use super::permutation::Permutation;
use super::{Pattern, PatternKind, PatternParameters};
use anyhow::{Result, ensure};

pub const PATTERN: PatternKind =
    PatternKind { name: "transpose", about: "the node in row y, column x of a square sends to row x, column y", build };

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    let nodes = parameters.surroundings.nodes;
    let side = nodes.isqrt();
    ensure!(side * side == nodes, "pattern is `transpose` with {nodes} nodes, expected a square number of nodes");
    Permutation::of(PATTERN.name, nodes, |source| source % side * side + source / side)
}
