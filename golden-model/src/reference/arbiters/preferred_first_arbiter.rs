//! `preferred_first_arbiter`: a round robin that takes preferred requests before others (POWAR Algorithm 1).

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::round_robin_arbiter::round_robin;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Owner;
use powar_config::signal::{choice, flags, pointer, set};

/// The first of `n` requests (1..=64) that is preferred at or after the pointer, cyclically; if none is preferred, the
/// first request of any. One-hot, 0 if nothing is requested; the pointer is one-hot too.
#[inline]
pub fn preferred_first(request: u64, preferred: u64, pointer: u64, n: usize) -> u64 {
    let first = request & preferred & crate::bits::low_bits(n);
    round_robin(if first != 0 { first } else { request }, pointer, n)
}

/// The block under the harness: `n` requests.
#[derive(Clone, Copy, Debug)]
pub struct PreferredFirstArbiter {
    pub n: usize,
}

inputs! {
    /// What the block sees, one bit a request.
    #[derive(Clone, Copy, Debug)]
    pub struct PreferredFirstInputs of block: &PreferredFirstArbiter {
        pub request: u64 = set("request", block.n),
        /// Of each place whether it is preferred: not a set that is asked for.
        pub preferred: u64 = flags("preferred", Owner::Block, block.n),
        pub pointer: u64 = pointer("pointer", block.n),
    }
}

impl Registers for PreferredFirstArbiter {}

impl Block for PreferredFirstArbiter {
    type Inputs<'a> = PreferredFirstInputs;
    const HAS_RST: bool = false;

    fn outputs(&self, seen: &PreferredFirstInputs, rows: &mut RegisterRows) {
        let grant = preferred_first(seen.request, seen.preferred, seen.pointer, self.n);
        rows.one(choice("grant", self.n), grant);
    }

    fn edge(&mut self, _: bool, _: &PreferredFirstInputs) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::low_bits;
    use proptest::prelude::*;

    #[test]
    fn a_preferred_request_behind_the_pointer_beats_another_ahead() {
        assert_eq!(preferred_first(0b1001, 0b0001, 0b1000, 4), 0b0001);
        assert_eq!(preferred_first(0b1001, 0b0110, 0b1000, 4), 0b1000);
        assert_eq!(preferred_first(0b1010, 0b1010, 0b0100, 4), 0b1000);
        assert_eq!(preferred_first(0, 0b1111, 0b0100, 4), 0);
    }

    #[test]
    fn with_64_requests_the_search_reaches_the_last_and_wraps_to_the_first() {
        let last = 1 << 63;
        assert_eq!(preferred_first(u64::MAX, last, 1, 64), last);
        assert_eq!(preferred_first(u64::MAX, 0, last, 64), last);
        assert_eq!(preferred_first(1, 0, last, 64), 1);
    }

    proptest! {
        #[test]
        fn equals_two_walks_round_the_places(n in 1usize..=64, request: u64, preferred: u64, k in 0usize..64) {
            let (request, k) = (request & low_bits(n), k % n);
            let places = || (0..n).map(|step| (k + step) % n);
            let winner = places()
                .find(|&i| (request & preferred) >> i & 1 == 1)
                .or_else(|| places().find(|&i| request >> i & 1 == 1));
            prop_assert_eq!(preferred_first(request, preferred, 1 << k, n), winner.map_or(0, |w| 1 << w));
        }
    }
}
