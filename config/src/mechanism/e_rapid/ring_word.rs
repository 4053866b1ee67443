//! A word of the ring between boards: a message by itself.

use crate::ring_format::RingFormat;

/// The ring as interfaces, stimuli and waves know it.
pub static RING: RingFormat = RingFormat { bits: 42, told, drawn };

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

/// Whose message it is and of which wavelength, and what has been filled in.
fn told(word: u64) -> String {
    let Some(message) = RingWord::unpacked(word) else { return "broken".into() };
    let RingWord { wait, busy, level, holder, claim, offered, lit, wavelength, owner, kind } = message;
    let of = format!("w{wavelength}_to_board{owner}");
    let marks = [(offered, "_offered"), (claim, "_claimed")].map(|(is, mark)| if is { mark } else { "" }).concat();
    match (kind, lit) {
        (Kind::None, _) => "-".into(),
        (Kind::BoardRequest, false) => format!("request_{of}{marks}"),
        (Kind::BoardRequest, true) => {
            format!("request_{of}:board{holder}_level{level}_busy{busy}_wait{wait}{marks}")
        }
        (Kind::BoardResponse, false) => format!("response_{of}:nobody"),
        (Kind::BoardResponse, true) => format!("response_{of}:board{holder}"),
    }
}

/// None in half of the cycles, and now and then one whose bits are at random.
fn drawn(random: &mut dyn FnMut() -> u64) -> u64 {
    if below(random, 2) == 0 {
        return 0;
    }
    let bits = random() & ((1 << RING.bits) - 1);
    if below(random, 8) == 0 {
        return bits;
    }
    // Any bits with the right parity are a message, if its kind is one.
    let kind = if below(random, 2) == 0 { Kind::BoardRequest } else { Kind::BoardResponse };
    let word = RingWord { kind, wait: below(random, 64) as u16, ..RingWord::of_bits(bits) };
    // Few holders, each of which uses its wavelength, and waits alike: so that boards compete.
    let used = RingWord { lit: true, offered: false, claim: false, holder: below(random, 4) as u8, ..word };
    match below(random, 8) {
        0..3 => word,
        3 => RingWord { busy: 0, ..word },
        4..6 => used,
        _ => RingWord { wait: below(random, 4) as u16 * 1365, ..used },
    }
    .packed()
}

/// A number in 0..bound.
fn below(random: &mut dyn FnMut() -> u64, bound: u64) -> u64 {
    ((u128::from(random()) * u128::from(bound)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
        // Kind, owner, wavelength; lit, offered, claim; holder, level; busy; wait.
        let fields = [0b10_111_011 << 33, 0b101 << 30, 0b110_101 << 24, 0x123 << 12, 0xABC];
        assert_eq!(packed & !(1 << 41), fields.iter().fold(0, |word, field| word | field));
        assert!((0..RING.bits).all(|bit| RingWord::unpacked(packed ^ 1 << bit).is_none()));
        assert_eq!(RingWord::unpacked(0), Some(RingWord::default()), "an idle ring is sound");
    }

    #[test]
    fn messages_of_the_ring_are_told_in_words() {
        let request = RingWord { kind: Kind::BoardRequest, wavelength: 3, owner: 5, ..RingWord::default() };
        let filled = RingWord { lit: true, holder: 2, level: 4, busy: 40, wait: 12, claim: true, ..request };
        let response = RingWord { kind: Kind::BoardResponse, ..request };
        for (word, told) in [
            (0, "-"),
            (request.packed(), "request_w3_to_board5"),
            (filled.packed(), "request_w3_to_board5:board2_level4_busy40_wait12_claimed"),
            (
                RingWord { offered: true, claim: false, ..filled }.packed(),
                "request_w3_to_board5:board2_level4_busy40_wait12_offered",
            ),
            (response.packed(), "response_w3_to_board5:nobody"),
            (RingWord { lit: true, holder: 7, ..response }.packed(), "response_w3_to_board5:board7"),
            (filled.packed() ^ 1, "broken"),
        ] {
            assert_eq!((RING.told)(word), told);
        }
    }

    #[test]
    fn half_of_what_is_drawn_is_nothing_and_most_of_the_rest_a_message() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state
        };
        let words: Vec<u64> = (0..1000).map(|_| (RING.drawn)(&mut random)).filter(|&word| word != 0).collect();
        let messages = words.iter().filter(|&&word| RingWord::unpacked(word).is_some()).count();
        assert!((400..600).contains(&words.len()) && messages > 8 * words.len() / 10, "{messages} of {}", words.len());
    }
}
