//! What comes on the hint lane of a link whose words are addresses (`docs/microarchitecture/mechanisms/wake_hints.md`).

use crate::random::Random;

/// Bits of a word: the start, the address, the parity.
const WORD_BITS: u32 = 18;
/// Cycles between words, on average, where they do not follow each other at once.
const PAUSE: u32 = 40;

/// The sender of a lane: words that are mostly right, some of them at once behind the one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct HintLane {
    /// Bits that are still to be sent, the next one lowest, and a 1 above them; 0 behind a reset.
    rest: u64,
    /// The next word follows at once.
    eager: bool,
}

impl HintLane {
    /// The bit of this cycle; `address` gives that of a word which begins.
    pub fn step(&mut self, random: &mut Random, address: impl FnOnce(&mut Random) -> u64) -> bool {
        if self.rest <= 1 {
            if !self.eager && !random.one_in(PAUSE) {
                return false;
            }
            self.eager = random.one_in(3);
            let address = address(random) & 0xffff;
            let word = 1 | address << 1 | u64::from(address.count_ones() & 1) << (WORD_BITS - 1);
            self.rest = match random.below(16) {
                // A wrong parity; a bit left out, as a crossing of clocks may; anything.
                0 => word ^ 1 << (WORD_BITS - 1) | 1 << WORD_BITS,
                1 => word >> 1 | 1 << (WORD_BITS - 1),
                2 => random.bits() & ((1 << WORD_BITS) - 1) | 1 << (1 + random.below(u64::from(WORD_BITS))),
                _ => word | 1 << WORD_BITS,
            };
        }
        let bit = self.rest & 1 == 1;
        self.rest >>= 1;
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_words_are_right_and_some_follow_at_once() {
        let (mut random, mut lane) = (Random::new(1), HintLane::default());
        let bits: Vec<u64> = (0..20_000).map(|_| u64::from(lane.step(&mut random, |_| 0xA5C1))).collect();
        let (mut cycle, mut right, mut wrong, mut at_once) = (0, 0, 0, 0);
        let mut behind = false;
        while cycle + 18 <= bits.len() {
            if bits[cycle] == 0 {
                (cycle, behind) = (cycle + 1, false);
                continue;
            }
            let word = (0..18).fold(0, |word, bit| word | bits[cycle + bit] << bit);
            match word >> 1 == 0xA5C1 | 1 << 16 {
                true => right += 1,
                false => wrong += 1,
            }
            at_once += u32::from(behind);
            (cycle, behind) = (cycle + 18, true);
        }
        assert!(right > 200 && wrong > 20 && at_once > 50, "{right} {wrong} {at_once}");
    }
}
