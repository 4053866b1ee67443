//! Section 3.2: a round robin that takes awake ports before sleeping ones (POWAR Algorithm 1).

use crate::lock_step::{Block, Observed, input, output};
use crate::reference::arbiters::round_robin_arbiter::round_robin;
use powar_config::SignalDecl;

/// The first of `n` requests (1..=64) of an awake port at or after the pointer, cyclically; if no requesting port is
/// awake, the first request of any. One-hot, 0 if nothing is requested; the pointer is one-hot too.
#[inline]
pub fn awake_first(request: u64, awake: u64, pointer: u64, n: usize) -> u64 {
    let preferred = request & awake & crate::bits::low_bits(n);
    round_robin(if preferred != 0 { preferred } else { request }, pointer, n)
}

/// The block under the harness: `n` requests.
#[derive(Clone, Copy, Debug)]
pub struct AwakeFirstArbiter {
    pub n: usize,
}

impl Block for AwakeFirstArbiter {
    fn signals(&self) -> Vec<SignalDecl> {
        let n = self.n;
        vec![input("request", n), input("awake", n), input("pointer", n), output("grant", n)]
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        observed.put(awake_first(inputs[0], inputs[1], inputs[2], self.n));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::low_bits;
    use proptest::prelude::*;

    #[test]
    fn an_awake_port_behind_the_pointer_beats_a_sleeping_one_ahead() {
        assert_eq!(awake_first(0b1001, 0b0001, 0b1000, 4), 0b0001);
        assert_eq!(awake_first(0b1001, 0b0110, 0b1000, 4), 0b1000);
        assert_eq!(awake_first(0b1010, 0b1010, 0b0100, 4), 0b1000);
        assert_eq!(awake_first(0, 0b1111, 0b0100, 4), 0);
    }

    #[test]
    fn with_64_ports_the_search_reaches_the_last_and_wraps_to_the_first() {
        let last = 1 << 63;
        assert_eq!(awake_first(u64::MAX, last, 1, 64), last);
        assert_eq!(awake_first(u64::MAX, 0, last, 64), last);
        assert_eq!(awake_first(1, 0, last, 64), 1);
    }

    proptest! {
        #[test]
        fn equals_two_walks_round_the_ports(n in 1usize..=64, request: u64, awake: u64, k in 0usize..64) {
            let (request, k) = (request & low_bits(n), k % n);
            let places = || (0..n).map(|step| (k + step) % n);
            let winner = places()
                .find(|&i| (request & awake) >> i & 1 == 1)
                .or_else(|| places().find(|&i| request >> i & 1 == 1));
            prop_assert_eq!(awake_first(request, awake, 1 << k, n), winner.map_or(0, |w| 1 << w));
        }
    }
}
