//! Rows of routing tables, as software writes them.

/// What a row of a switch's routing table says of a destination; all zero: there is no such node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableRow {
    /// P, D: bit p is port p.
    pub adaptive: u64,
    pub deterministic: u64,
    /// Output VCs allowed with each: bit v is VC v.
    pub adaptive_vcs: u8,
    pub deterministic_vcs: u8,
}

impl TableRow {
    /// Bits of a row in a switch of so many ports with so many VCs.
    pub fn bits(ports: usize, vcs: usize) -> usize {
        2 * ports + 2 * vcs
    }

    /// Words of 32 bits that they take: 1..=5.
    pub fn word_count(ports: usize, vcs: usize) -> usize {
        TableRow::bits(ports, vcs).div_ceil(32)
    }

    /// Lowest bits of the fields and how many bits they have, in their order.
    fn fields(ports: usize, vcs: usize) -> [(usize, usize); 4] {
        [(0, ports), (ports, ports), (2 * ports, vcs), (2 * ports + vcs, vcs)]
    }

    /// The row in words of 32 bits, lowest first: P, D, the VCs of P, those of D without gaps.
    pub fn words(&self, ports: usize, vcs: usize) -> Vec<u32> {
        let mut words = vec![0; TableRow::word_count(ports, vcs)];
        let values = [self.adaptive, self.deterministic, self.adaptive_vcs.into(), self.deterministic_vcs.into()];
        for ((low, bits), value) in TableRow::fields(ports, vcs).into_iter().zip(values) {
            for bit in (0..bits).filter(|bit| value >> bit & 1 == 1) {
                words[(low + bit) / 32] |= 1 << ((low + bit) % 32);
            }
        }
        words
    }

    /// The row of these words.
    pub fn of_words(words: &[u32], ports: usize, vcs: usize) -> TableRow {
        let [adaptive, deterministic, adaptive_vcs, deterministic_vcs] =
            TableRow::fields(ports, vcs).map(|(low, bits)| {
                (0..bits).fold(0, |value, bit| value | u64::from(words[(low + bit) / 32] >> ((low + bit) % 32) & 1) << bit)
            });
        TableRow {
            adaptive,
            deterministic,
            adaptive_vcs: adaptive_vcs as u8,
            deterministic_vcs: deterministic_vcs as u8,
        }
    }

    /// There is no such node.
    pub fn is_empty(&self) -> bool {
        self.adaptive | self.deterministic == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_what_its_words_say() {
        let row = TableRow { adaptive: 0b1010, deterministic: 0b0100, adaptive_vcs: 0b011, deterministic_vcs: 0b100 };
        assert_eq!(row.words(4, 3), [0b100_011_0100_1010]);
        for (ports, vcs) in [(4, 3), (12, 4), (16, 1), (32, 8), (64, 8)] {
            let high = |bits: usize| u64::MAX >> (64 - bits);
            let row = TableRow {
                adaptive: 0x9999_9999_9999_9999 & high(ports),
                deterministic: 1 << (ports - 1),
                adaptive_vcs: 0b1 & high(vcs) as u8,
                deterministic_vcs: 0b1010_1010 & high(vcs) as u8,
            };
            let words = row.words(ports, vcs);
            assert_eq!(words.len(), TableRow::word_count(ports, vcs));
            assert_eq!(TableRow::of_words(&words, ports, vcs), row, "{ports} ports, {vcs} VCs");
        }
    }
}
