//! Uniform destinations in bursts: sources are on one eighth of the time, at eight times the load.

use super::uniform::Uniform;
use super::{Traffic, destinations};
use crate::expected_routing::ExpectedRouting;
use crate::random::Random;

pub(super) struct Bursty {
    uniform: Uniform,
    on: Vec<bool>,
    cycles: u32,
}

/// A source is on one cycle in so many.
const RARITY: u32 = 8;

impl Bursty {
    pub(super) fn new(routing: &ExpectedRouting, cycles: u32) -> Self {
        let inputs = destinations(routing).len();
        Bursty { uniform: Uniform::new(routing), on: vec![false; inputs], cycles: cycles.max(1) }
    }
}

impl Traffic for Bursty {
    fn destination(&mut self, input: usize, random: &mut Random) -> Option<u16> {
        self.uniform.destination(input, random)
    }

    fn intensity(&mut self, input: usize, random: &mut Random) -> f64 {
        let lasts = if self.on[input] { self.cycles } else { self.cycles.saturating_mul(RARITY - 1) };
        self.on[input] ^= random.one_in(lasts);
        if self.on[input] { f64::from(RARITY) } else { 0.0 }
    }
}
