//! Patterns in which every node has one destination: a permutation of the nodes, as a table.

use super::{Pattern, PatternParameters};
use crate::synthetic::random::Random;
use anyhow::{Result, ensure};

/// The destination of every node.
pub struct Permutation(Vec<u32>);

impl Permutation {
    /// Of so many nodes, by a formula.
    ///
    /// # Errors
    /// It maps all of them to themselves.
    pub fn of(name: &str, nodes: u32, destination: impl Fn(u32) -> u32) -> Result<Box<dyn Pattern>> {
        let table: Vec<u32> = (0..nodes).map(destination).collect();
        ensure!(
            (0..nodes).zip(&table).any(|(source, &destination)| source != destination),
            "pattern is `{name}`, which has each of the {nodes} nodes send to itself only, expected more nodes"
        );
        Ok(Box::new(Permutation(table)))
    }

    /// Of 2^b nodes, by a formula over their numbers' b bits: formula(s, b).
    ///
    /// # Errors
    /// The nodes are not a power of two.
    pub fn of_bits(
        name: &str,
        parameters: &PatternParameters,
        formula: impl Fn(u32, u32) -> u32,
    ) -> Result<Box<dyn Pattern>> {
        let nodes = parameters.surroundings.nodes;
        ensure!(
            nodes.is_power_of_two(),
            "pattern is `{name}` with {nodes} nodes, expected a power of two nodes (it works on the bits of their numbers)"
        );
        Permutation::of(name, nodes, |source| formula(source, nodes.ilog2()))
    }
}

impl Pattern for Permutation {
    fn sends(&self, source: u32) -> bool {
        self.0[source as usize] != source
    }

    fn destination(&self, source: u32, _: &mut Random) -> u32 {
        self.0[source as usize]
    }
}
