//! Flits by port, counted eight ports at a time.

/// How many flits have left on each port, modulo 2^32.
///
/// A cycle adds to 8-bit lanes, eight of them in a word, whatever ports the flits are on; before a lane can overflow, all
/// are added to the wide counters.
#[derive(Clone, Debug)]
pub struct FlitTotals {
    /// Words in use: one for eight ports.
    words: usize,
    lanes: [u64; 8],
    /// Additions since the lanes were all zeros.
    added: u8,
    wide: Box<[u32; 64]>,
}

impl FlitTotals {
    /// No flits on any of `ports` ports.
    pub(super) fn new(ports: usize) -> Self {
        FlitTotals { words: ports.div_ceil(8), lanes: [0; 8], added: 0, wide: Box::new([0; 64]) }
    }

    /// Adds one to each port of a vector.
    #[inline]
    pub(super) fn add(&mut self, flits: u64) {
        if self.added == u8::MAX {
            self.widen();
        }
        self.added += 1;
        for (word, lanes) in self.lanes[..self.words].iter_mut().enumerate() {
            *lanes += bit_to_byte(flits >> (8 * word));
        }
    }

    #[cold]
    fn widen(&mut self) {
        for port in 0..64 {
            self.wide[port] = self.of_port(port);
        }
        (self.lanes, self.added) = ([0; 8], 0);
    }

    /// The flits of a port.
    #[inline]
    pub fn of_port(&self, port: usize) -> u32 {
        let lane = (self.lanes[port / 8] >> (8 * (port % 8))) as u8;
        self.wide[port].wrapping_add(lane.into())
    }

    /// The flits of a range of ports.
    pub fn sum(&self, ports: std::ops::Range<usize>) -> u32 {
        ports.fold(0, |sum, port| sum.wrapping_add(self.of_port(port)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::is_set;

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
    fn lanes_never_overflow_into_their_neighbours() {
        let mut totals = FlitTotals::new(64);
        for cycle in 0..1000 {
            totals.add(if cycle % 2 == 0 { u64::MAX } else { 1 << 63 | 1 });
        }
        assert_eq!((totals.of_port(0), totals.of_port(1), totals.of_port(63)), (1000, 500, 1000));
        assert_eq!(totals.sum(0..64), 62 * 500 + 2 * 1000);
    }

    #[test]
    fn totals_wrap_at_32_bits() {
        let mut totals = FlitTotals::new(9);
        totals.wide[8] = u32::MAX - 1;
        (0..3).for_each(|_| totals.add(1 << 8));
        assert_eq!((totals.of_port(8), totals.of_port(7)), (1, 0));
        totals.widen();
        assert_eq!((totals.of_port(8), totals.of_port(7)), (1, 0));
    }
}
