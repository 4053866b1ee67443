//! Traffic patterns: where a node sends to.
//!
//! Definitions are those of Dally and Towles, *Principles and Practices of Interconnection Networks*, 2004, section 3.2, and of
//! BookSim 2 (`traffic.cpp`) where they agree; s is the source, d the destination, of N nodes. What a pattern has a node send to
//! itself never enters the network and is not sent at all: random patterns draw among the others, and a node that a permutation
//! maps to itself is silent (so the load of the whole network is lower by its share).
//!
//! A pattern is one file here plus one line in [`PATTERNS`]; what it is told by a user is in `options/`.

mod bit_complement;
mod bit_reversal;
mod butterfly;
mod digits;
mod hot_spot;
mod incast;
mod matrix;
mod neighbor;
mod next_group;
mod node_list;
mod permutation;
mod random_permutation;
mod shuffle;
mod tornado;
mod transpose;
mod uniform;

pub use matrix::{Parts, Rates, read as read_rates};

use super::models::{MODELS, Surroundings};
use super::options::SyntheticOptions;
use super::random::Random;
use anyhow::{Context, Result};
use powar_config::nearest::is_unknown;

/// Where nodes send to.
pub trait Pattern: Send {
    /// Whether this node sends at all.
    fn sends(&self, _source: u32) -> bool {
        true
    }

    /// The load of this node, as a multiple of the load asked for; above 0 of one that sends.
    fn weight(&self, _source: u32) -> f64 {
        1.0
    }

    /// What there is to know of it beside its name, for people to read.
    fn described(&self) -> Option<String> {
        None
    }

    /// Where the next packet of a node that sends goes; never to itself. Takes what is random from this generator, the node's own.
    fn destination(&self, source: u32, random: &mut Random) -> u32;
}

/// What a pattern is built from.
pub struct PatternParameters<'a> {
    /// Options of its own, and the seed.
    pub options: &'a SyntheticOptions,
    /// The network; its dimensions are there and have as many nodes as there are in all.
    pub surroundings: &'a Surroundings<'a>,
}

/// A pattern that can be asked for by name.
pub struct PatternKind {
    pub name: &'static str,
    /// One line for a help text.
    pub about: &'static str,
    /// Builds it. Errors name the pattern, the nodes and what would do.
    pub build: fn(&PatternParameters) -> Result<Box<dyn Pattern>>,
}

/// All patterns.
pub const PATTERNS: &[PatternKind] = &[
    uniform::PATTERN,
    bit_complement::PATTERN,
    bit_reversal::PATTERN,
    shuffle::PATTERN,
    butterfly::PATTERN,
    transpose::PATTERN,
    tornado::PATTERN,
    neighbor::PATTERN,
    next_group::PATTERN,
    hot_spot::PATTERN,
    incast::PATTERN,
    matrix::PATTERN,
    random_permutation::PATTERN,
];

/// The pattern of this name.
pub fn by_name(name: &str) -> Result<&'static PatternKind> {
    PATTERNS.iter().find(|pattern| pattern.name == name).with_context(|| {
        let models = MODELS.iter().map(|model| model.name);
        format!("pattern: {}", is_unknown(name, PATTERNS.iter().map(|pattern| pattern.name).chain(models)))
    })
}
