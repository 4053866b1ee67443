//! Port vectors as `u64`: bit i is port i.

/// A vector of `n` ones, n = 0..=64.
#[inline]
pub const fn low_bits(n: usize) -> u64 {
    match n {
        0 => 0,
        _ => u64::MAX >> (64 - n),
    }
}

/// A vector of `n` places (1..=64) rotated up by one: bit i moves to bit i+1, bit n-1 to bit 0.
///
/// Of a one-hot winner this is the round-robin pointer past it.
#[inline]
pub const fn rotated_up(vector: u64, n: usize) -> u64 {
    (vector << 1 | vector >> (n - 1)) & low_bits(n)
}

/// The first request at or after a one-hot pointer, cyclically, among up to 8.
#[inline]
pub(crate) fn round_robin_8(request: u8, pointer: u8) -> u8 {
    let ahead = request & !(pointer - 1);
    let candidates = if ahead != 0 { ahead } else { request };
    candidates & candidates.wrapping_neg()
}

/// A one-hot place among `n` (1..=8), moved up by one.
#[inline]
pub(crate) fn rotated_up_8(place: u8, n: usize) -> u8 {
    // In 8 bits the place may be moved out at the top; the first one follows.
    let up = (u32::from(place) << 1) as u16;
    if up >> n & 1 == 1 { 1 } else { up as u8 }
}

/// Whether bit `i` is 1.
#[inline]
pub const fn is_set(vector: u64, i: usize) -> bool {
    vector >> i & 1 == 1
}

/// A vector with bit i set where `bit` holds for thing i, of at most 64.
pub(crate) fn vector<T>(things: &[T], bit: impl Fn(usize, &T) -> bool) -> u64 {
    things.iter().enumerate().fold(0, |vector, (i, thing)| vector | u64::from(bit(i, thing)) << i)
}

/// The places of the ones, lowest first; the cost is one step a one, not one a bit.
#[inline]
pub fn ones(vector: u64) -> Ones {
    Ones(vector)
}

/// Iterator of [`ones`].
#[derive(Clone, Debug)]
pub struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(place)
    }
}

/// A word whose byte i is bit i of the low byte.
#[inline]
pub(crate) fn bit_to_byte(bits: u64) -> u64 {
    // Byte i of the product's masked copy is 2^i or 0; adding 127 carries any but 0 into the byte's top bit.
    let copies = (bits & 0xff) * 0x0101_0101_0101_0101;
    let picked = copies & 0x8040_2010_0804_0201;
    ((picked + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101
}

/// Largest value of the 24-bit registers.
pub(crate) const MAX_24: u32 = (1 << 24) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_spread_over_eight() {
        for bits in 0..=255u64 {
            let spread = bit_to_byte(bits | 0xff00).to_le_bytes();
            for (i, byte) in spread.into_iter().enumerate() {
                assert_eq!(byte, u8::from(is_set(bits, i)));
            }
        }
    }

    #[test]
    fn vectors_of_no_one_and_64_bits() {
        assert_eq!((low_bits(0), low_bits(1), low_bits(63), low_bits(64)), (0, 1, u64::MAX >> 1, u64::MAX));
    }

    #[test]
    fn the_last_of_1_3_and_64_places_rotates_to_the_first() {
        assert_eq!((rotated_up(0, 1), rotated_up(1, 1)), (0, 1));
        assert_eq!((rotated_up(0b001, 3), rotated_up(0b010, 3), rotated_up(0b100, 3)), (0b010, 0b100, 0b001));
        assert_eq!((rotated_up(1 << 62, 64), rotated_up(1 << 63, 64)), (1 << 63, 1));
    }

    #[test]
    fn ones_are_listed_lowest_first() {
        assert_eq!(ones(0).count(), 0);
        assert_eq!(ones(1 << 63 | 0b1001).collect::<Vec<_>>(), [0, 3, 63]);
        assert!(is_set(1 << 63, 63) && !is_set(1 << 63, 62));
    }
}
