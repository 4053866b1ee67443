//! What the generators send and the checkers expect.

use crate::inputs;
use powar_config::signal::{data, flag};
use powar_config::{Meaning, Owner, SignalSpec};

inputs! {
    /// A beat on an AXI4-Stream of a node. As inputs it is that of a stream out of the network.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Beat of words: usize {
        pub data: Vec<u32> = data("s_axis_tdata").rows(Owner::Block, words),
        /// A bit for each byte.
        pub keep: u64 = keep("s_axis_tkeep", words),
        pub last: bool = flag("s_axis_tlast"),
        /// Destination on the way into the network (`tdest`), source on the way out (`tid`).
        pub node: u16 = SignalSpec::new("s_axis_tid", 16, Meaning::Destination),
    }
}

/// All bytes of a beat of so many words.
pub fn all_kept(words: usize) -> u64 {
    u64::MAX >> (64 - 4 * words)
}

/// Word 0 of a packet.
pub fn word0(source: u8, beats: u16, sequence: u16) -> u32 {
    u32::from(source) << 26 | u32::from(beats) << 16 | u32::from(sequence)
}

/// The source and the beats that word 0 names.
pub fn parts_of_word0(word: u32) -> (u8, u16) {
    ((word >> 26) as u8, (word >> 16) as u16 & 0x3ff)
}

/// Where the content register starts.
pub fn content_start(word0: u32, destination: u8) -> u32 {
    match word0 ^ (u32::from(destination) << 26 | 0x3ff_ffff) {
        0 => 1,
        start => start,
    }
}

/// The content register after one step: a Galois LFSR, x^32 + x^22 + x^2 + x + 1.
pub fn content_step(content: u32) -> u32 {
    let shifted = content >> 1;
    if content & 1 == 1 { shifted ^ 0x8020_0003 } else { shifted }
}

/// The same after so many.
pub fn content_after(content: u32, steps: usize) -> u32 {
    (0..steps).fold(content, |content, _| content_step(content))
}

/// The bytes of a beat of so many words.
pub(super) fn keep(name: &'static str, words: usize) -> SignalSpec {
    SignalSpec::new(name, 4 * words, Meaning::ByteEnables)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of a matrix over GF(2), of which the step is one: 2^32 - 1 if the polynomial is primitive. It divides 2^32 - 1 if as
    /// many steps change nothing, and is no less if a prime factor fewer do.
    #[test]
    fn the_polynomial_is_primitive() {
        type Matrix = [u32; 32];
        let apply = |matrix: &Matrix, vector: u32| {
            (0..32).filter(|bit| vector >> bit & 1 == 1).fold(0, |sum, bit| sum ^ matrix[bit])
        };
        let product = |a: &Matrix, b: &Matrix| -> Matrix { std::array::from_fn(|bit| apply(a, b[bit])) };
        let one: Matrix = std::array::from_fn(|bit| 1 << bit);
        let step: Matrix = std::array::from_fn(|bit| content_step(1 << bit));
        let power = |mut exponent: u32| {
            let (mut result, mut square) = (one, step);
            while exponent > 0 {
                if exponent & 1 == 1 {
                    result = product(&result, &square);
                }
                square = product(&square, &square);
                exponent >>= 1;
            }
            result
        };
        assert_eq!(power(u32::MAX), one);
        for prime in [3, 5, 17, 257, 65537] {
            assert_ne!(power(u32::MAX / prime), one, "{prime}");
        }
    }
}
