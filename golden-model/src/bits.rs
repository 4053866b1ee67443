//! Port vectors as `u64`: bit i is port i.

/// A vector of `n` ones, n = 0..=64.
pub const fn low_bits(n: usize) -> u64 {
    match n {
        0 => 0,
        _ => u64::MAX >> (64 - n),
    }
}

/// Whether bit `i` is 1.
pub const fn is_set(vector: u64, i: usize) -> bool {
    vector >> i & 1 == 1
}

/// The places of the ones, lowest first; the cost is one step a one, not one a bit.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_no_one_and_64_bits() {
        assert_eq!((low_bits(0), low_bits(1), low_bits(63), low_bits(64)), (0, 1, u64::MAX >> 1, u64::MAX));
    }

    #[test]
    fn ones_are_listed_lowest_first() {
        assert_eq!(ones(0).count(), 0);
        assert_eq!(ones(1 << 63 | 0b1001).collect::<Vec<_>>(), [0, 3, 63]);
        assert!(is_set(1 << 63, 63) && !is_set(1 << 63, 62));
    }
}
