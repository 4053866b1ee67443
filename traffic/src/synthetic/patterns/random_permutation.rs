//! Random permutation: every node has one destination, and is that of one node; drawn once from the seed, uniformly among the
//! permutations that map no node to itself. (BookSim's `randperm` may map some to themselves.)

use super::permutation::Permutation;
use super::{Pattern, PatternKind, PatternParameters};
use crate::synthetic::random::Random;
use anyhow::Result;

pub const PATTERN: PatternKind =
    PatternKind { name: "random-permutation", about: "one other node for each, drawn once from the seed", build };

/// Stream of random numbers that no node has.
const STREAM: u64 = 1 << 40;

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    let mut random = Random::new(parameters.options.seed, STREAM);
    let mut table: Vec<u32> = (0..parameters.surroundings.nodes).collect();
    // One permutation in e maps no node to itself.
    while table.iter().zip(0..).any(|(&destination, source)| destination == source) {
        for last in (1..table.len()).rev() {
            table.swap(last, random.below(last as u32 + 1) as usize);
        }
    }
    Permutation::of(PATTERN.name, parameters.surroundings.nodes, |source| table[source as usize])
}
