//! Tornado: d_x = s_x + (ceil(k/2) - 1) mod k in each dimension of k nodes: almost half-way round a ring, so that all minimal
//! routes go the same way. (BookSim rounds k/2 down, which differs for odd k.)

use super::permutation::Permutation;
use super::{Pattern, PatternKind, PatternParameters, digits};
use crate::synthetic::Surroundings;
use anyhow::{Result, ensure};

pub const PATTERN: PatternKind =
    PatternKind { name: "tornado", about: "almost half-way round the ring of each dimension", build };

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    let Surroundings { nodes, dimensions, .. } = *parameters.surroundings;
    ensure!(
        dimensions.iter().any(|&size| size >= 3),
        "pattern is `tornado` with dimensions of {dimensions:?} nodes, expected one of 3 nodes or more"
    );
    Permutation::of(PATTERN.name, nodes, |source| digits::moved(source, dimensions, |size| size.div_ceil(2) - 1))
}
