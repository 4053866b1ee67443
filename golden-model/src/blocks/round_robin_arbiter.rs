//! Section 3.1: a round robin in one combinational step.

use crate::bits::low_bits;
use crate::lock_step::{Block, Observed, input, output};
use powar_config::SignalDecl;

/// What an arbiter decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pick {
    /// One-hot winner; 0 if nothing is requested.
    pub grant: u64,
    /// Thermometer pointer past the winner; 0 if there is none.
    pub after: u64,
}

/// The first of `n` requests (1..=64) at or after a thermometer pointer, cyclically.
///
/// The pointer masks off the places before it: the lowest request under the mask wins, and if there is none, the search
/// has wrapped round and the lowest request of all wins.
#[inline]
pub fn round_robin(request: u64, pointer: u64, n: usize) -> Pick {
    let request = request & low_bits(n);
    let ahead = request & pointer;
    let candidates = if ahead != 0 { ahead } else { request };
    let grant = candidates & candidates.wrapping_neg();
    Pick { grant, after: past(grant, n) }
}

/// The thermometer pointer past a one-hot winner among `n` places; 0 for no winner.
#[inline]
pub fn past(winner: u64, n: usize) -> u64 {
    // Without a winner, 0 - 1 has all bits set, and so nothing lies past it.
    !(winner | winner.wrapping_sub(1)) & low_bits(n)
}

/// The block under the harness: `n` requests.
#[derive(Clone, Copy, Debug)]
pub struct RoundRobinArbiter {
    pub n: usize,
}

impl Block for RoundRobinArbiter {
    fn signals(&self) -> Vec<SignalDecl> {
        let n = self.n;
        vec![input("request", n), input("pointer", n), output("grant", n), output("after", n)]
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let pick = round_robin(inputs[0], inputs[1], self.n);
        observed.put(pick.grant);
        observed.put(pick.after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The thermometer form of pointer k over n places (section 1), bit by bit.
    fn thermometer(k: usize, n: usize) -> u64 {
        (1..n).filter(|&i| k > 0 && i >= k).fold(0, |mask, i| mask | 1 << i)
    }

    #[test]
    fn the_search_starts_at_the_pointer_and_wraps() {
        let pick = |request, pointer| round_robin(request, pointer, 4);
        assert_eq!(pick(0b1011, 0), Pick { grant: 0b0001, after: 0b1110 });
        assert_eq!(pick(0b1011, 0b1110), Pick { grant: 0b0010, after: 0b1100 });
        assert_eq!(pick(0b1011, 0b1100), Pick { grant: 0b1000, after: 0 });
        assert_eq!(pick(0b0011, 0b1000), Pick { grant: 0b0001, after: 0b1110 });
        assert_eq!(pick(0, 0b1100), Pick::default());
    }

    #[test]
    fn one_and_64_places() {
        assert_eq!(round_robin(1, 0, 1), Pick { grant: 1, after: 0 });
        let last = 1 << 63;
        assert_eq!(round_robin(last | 1, u64::MAX << 1, 64), Pick { grant: last, after: 0 });
        assert_eq!(round_robin(last, 0, 64), Pick { grant: last, after: 0 });
        assert_eq!(round_robin(1 << 62, 0, 64), Pick { grant: 1 << 62, after: last });
    }

    proptest! {
        #[test]
        fn equals_a_walk_round_the_places(n in 1usize..=64, request: u64, k in 0usize..64) {
            let (request, k) = (request & low_bits(n), k % n);
            let winner = (0..n).map(|step| (k + step) % n).find(|&i| request >> i & 1 == 1);
            let expected = match winner {
                Some(w) => Pick { grant: 1 << w, after: thermometer((w + 1) % n, n) },
                None => Pick::default(),
            };
            prop_assert_eq!(round_robin(request, thermometer(k, n), n), expected);
        }
    }
}
