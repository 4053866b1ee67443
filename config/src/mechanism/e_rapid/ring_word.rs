//! A word of the ring between boards: a message by itself.

/// Bits of a word.
pub const RING_BITS: usize = 42;

/// What a word is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    None,
    BoardRequest,
    BoardResponse,
}

/// The fields of a word (`docs/microarchitecture/mechanisms/e_rapid.md`, "The ring"), lowest bits first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RingWord {
    /// Bits 11:0: cycles of the last window in which packets waited for the owner's board.
    pub wait: u16,
    /// Bits 23:12: cycles of it in which the wavelength carried a packet.
    pub busy: u16,
    /// Bits 26:24.
    pub level: u8,
    /// Bits 29:27: board that has the wavelength.
    pub holder: u8,
    /// Bit 30: the board that it belongs to at first has none and waits.
    pub claim: bool,
    /// Bit 31: it may be given to another.
    pub offered: bool,
    /// Bit 32: there is a holder.
    pub lit: bool,
    /// Bits 35:33.
    pub wavelength: u8,
    /// Bits 38:36: board that it comes in at, which has sent the message.
    pub owner: u8,
    /// Bits 40:39.
    pub kind: Kind,
}

impl RingWord {
    /// The word with its parity in bit 41: the number of ones is even.
    pub fn packed(&self) -> u64 {
        let fields = [
            (0, u64::from(self.wait)),
            (12, self.busy.into()),
            (24, self.level.into()),
            (27, self.holder.into()),
            (30, self.claim.into()),
            (31, self.offered.into()),
            (32, self.lit.into()),
            (33, self.wavelength.into()),
            (36, self.owner.into()),
            (39, self.kind as u64),
        ];
        let word = fields.iter().fold(0, |word, (low, field)| word | field << low);
        word | u64::from(word.count_ones() % 2) << 41
    }

    /// The fields of a word; `None`: its parity is wrong, or it has no kind that there is.
    pub fn unpacked(word: u64) -> Option<RingWord> {
        (word.count_ones().is_multiple_of(2) && word >> 39 & 3 != 3).then(|| RingWord::of_bits(word))
    }

    /// The fields in these bits, whatever their parity; a kind that is none is taken for no message.
    pub fn of_bits(word: u64) -> RingWord {
        let field = |low: usize, bits: usize| word >> low & ((1 << bits) - 1);
        let kind = match field(39, 2) {
            1 => Kind::BoardRequest,
            2 => Kind::BoardResponse,
            _ => Kind::None,
        };
        RingWord {
            wait: field(0, 12) as u16,
            busy: field(12, 12) as u16,
            level: field(24, 3) as u8,
            holder: field(27, 3) as u8,
            claim: field(30, 1) == 1,
            offered: field(31, 1) == 1,
            lit: field(32, 1) == 1,
            wavelength: field(33, 3) as u8,
            owner: field(36, 3) as u8,
            kind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::unusual_byte_groupings, reason = "a group is a field")]
    fn any_bit_that_changes_is_found_and_fields_are_where_they_should_be() {
        let word = RingWord {
            wait: 0xABC,
            busy: 0x123,
            level: 5,
            holder: 6,
            claim: true,
            offered: false,
            lit: true,
            wavelength: 3,
            owner: 7,
            kind: Kind::BoardResponse,
        };
        let packed = word.packed();
        assert_eq!(RingWord::unpacked(packed), Some(word));
        assert_eq!(packed & !(1 << 41), 0b10_111_011_1_0_1_110_101 << 24 | 0x123 << 12 | 0xABC);
        assert!((0..RING_BITS).all(|bit| RingWord::unpacked(packed ^ 1 << bit).is_none()));
        assert_eq!(RingWord::unpacked(0), Some(RingWord::default()), "an idle ring is sound");
    }
}
