//! Uniform random: every other node with the same probability. (BookSim's includes the node itself; at the same load, that puts
//! N - 1 of N packets into the network.)

use super::{Pattern, PatternKind, PatternParameters};
use crate::synthetic::random::Random;
use anyhow::Result;

pub const PATTERN: PatternKind =
    PatternKind { name: "uniform", about: "every other node with the same probability", build };

/// Every other node with the same probability.
pub struct Uniform {
    pub nodes: u32,
}

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    Ok(Box::new(Uniform { nodes: parameters.surroundings.nodes }))
}

impl Pattern for Uniform {
    fn destination(&self, source: u32, random: &mut Random) -> u32 {
        let other = random.below(self.nodes - 1);
        other + u32::from(other >= source)
    }
}
