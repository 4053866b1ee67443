//! Random numbers: one generator a source, so that what one draws never depends on when another draws.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A generator of its own for everything that draws numbers; the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Generator number `stream` of this seed; streams of one seed have nothing to do with each other.
    pub fn new(seed: u64, stream: u64) -> Random {
        // The generator's own seeding spreads a number over the whole state; seed and stream are mixed before, lest seed 1
        // of stream 2 be seed 2 of stream 1.
        let mixed = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
        Random(Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(stream)))
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform in 0..n; n is at least 1.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u32
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -(1.0 - self.unit()).ln()
    }

    /// Number of failures before a success of probability 1/(mean + 1): geometric from 0 with this mean.
    pub fn geometric(&mut self, mean: f64) -> u64 {
        if mean <= 0.0 { 0 } else { (self.exponential() / (1.0 / mean).ln_1p()) as u64 }
    }

    /// Pareto with this shape, above 1, and mean.
    pub fn pareto(&mut self, shape: f64, mean: f64) -> f64 {
        mean * (shape - 1.0) / shape * (1.0 - self.unit()).powf(-1.0 / shape)
    }

    /// What is left of a Pareto period of this shape and mean, met at a random time (its equilibrium distribution).
    pub fn pareto_rest(&mut self, shape: f64, mean: f64) -> f64 {
        let least = mean * (shape - 1.0) / shape;
        // The density of the rest is (1 - F(x)) / mean: flat up to the shortest period, then a Pareto tail of shape - 1.
        if self.chance((shape - 1.0) / shape) {
            least * self.unit()
        } else {
            least * (1.0 - self.unit()).powf(-1.0 / (shape - 1.0))
        }
    }
}
