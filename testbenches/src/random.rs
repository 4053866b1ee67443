//! Reproducible random numbers for stimuli.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers; the same seed always gives the same stream.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in 0..bound. The bias is below one in 2^32 for bounds of 32 bits.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// True once in so many calls on average; never for 0.
    pub fn one_in(&mut self, calls: u32) -> bool {
        calls != 0 && self.below(u64::from(calls)) == 0
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.bits() >> 11) as f64) < probability * (1u64 << 53) as f64
    }

    /// One of the set bits of a mask that is not 0.
    pub fn bit_of(&mut self, mask: u64) -> usize {
        let mut rest = mask;
        for _ in 0..self.below(u64::from(mask.count_ones())) {
            rest &= rest - 1;
        }
        rest.trailing_zeros() as usize
    }
}
