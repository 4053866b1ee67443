//! `round_robin_arbiter`: a round robin in one combinational step.

use crate::bits::low_bits;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, pointer, set};

/// The first of `n` requests (1..=64) at or after a one-hot pointer, cyclically: one-hot, 0 if nothing is requested.
///
/// Below a one-hot pointer p lie the bits of p - 1, so !(p - 1) keeps the places at or after it: the lowest request there
/// wins, and if there is none, the search has wrapped round and the lowest request of all wins.
#[inline]
pub fn round_robin(request: u64, pointer: u64, n: usize) -> u64 {
    let request = request & low_bits(n);
    let ahead = request & !pointer.wrapping_sub(1);
    let candidates = if ahead != 0 { ahead } else { request };
    candidates & candidates.wrapping_neg()
}

/// The block under the harness: `n` requests.
#[derive(Clone, Copy, Debug)]
pub struct RoundRobinArbiter {
    pub n: usize,
}

inputs! {
    /// What the block sees, one bit a request.
    #[derive(Clone, Copy, Debug)]
    pub struct RoundRobinInputs of block: &RoundRobinArbiter {
        pub request: u64 = set("request", block.n),
        pub pointer: u64 = pointer("pointer", block.n),
    }
}

impl Registers for RoundRobinArbiter {}

impl Block for RoundRobinArbiter {
    type Inputs<'a> = RoundRobinInputs;
    const HAS_RST: bool = false;

    fn outputs(&self, seen: &RoundRobinInputs, rows: &mut RegisterRows) {
        rows.one(choice("grant", self.n), round_robin(seen.request, seen.pointer, self.n));
    }

    fn edge(&mut self, _: bool, _: &RoundRobinInputs) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_search_starts_at_the_pointer_and_wraps() {
        let grant = |request, pointer| round_robin(request, pointer, 4);
        assert_eq!(grant(0b1011, 0b0001), 0b0001);
        assert_eq!(grant(0b1011, 0b0010), 0b0010);
        assert_eq!(grant(0b1011, 0b0100), 0b1000);
        assert_eq!(grant(0b0011, 0b1000), 0b0001);
        assert_eq!(grant(0, 0b0100), 0);
    }

    #[test]
    fn one_and_64_places() {
        assert_eq!((round_robin(1, 1, 1), round_robin(0, 1, 1)), (1, 0));
        let last = 1 << 63;
        assert_eq!(round_robin(last | 1, 1 << 1, 64), last);
        assert_eq!(round_robin(last, 1, 64), last);
        assert_eq!(round_robin(last | 1, last, 64), last);
        assert_eq!(round_robin(1 << 62, last, 64), 1 << 62);
    }

    proptest! {
        #[test]
        fn equals_a_walk_round_the_places(n in 1usize..=64, request: u64, k in 0usize..64) {
            let (request, k) = (request & low_bits(n), k % n);
            let winner = (0..n).map(|step| (k + step) % n).find(|&i| request >> i & 1 == 1);
            prop_assert_eq!(round_robin(request, 1 << k, n), winner.map_or(0, |w| 1 << w));
        }
    }
}
