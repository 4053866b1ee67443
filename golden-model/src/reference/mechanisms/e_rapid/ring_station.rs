//! `ring_station`: the board's place on the ring between controllers.

use crate::bits::low_bits;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::mechanism::e_rapid::{Kind, RING};
use powar_config::signal::{count, flag, number, ring_word};

/// Lowest bit and width of the fields of a word.
pub(crate) const WAIT: (usize, usize) = (0, 12);
pub(crate) const HOLDER: (usize, usize) = (27, 3);
pub(crate) const CLAIM: (usize, usize) = (30, 1);
pub(crate) const OFFERED: (usize, usize) = (31, 1);
pub(crate) const LIT: (usize, usize) = (32, 1);
pub(crate) const WAVELENGTH: (usize, usize) = (33, 3);
pub(crate) const OWNER: (usize, usize) = (36, 3);
pub(crate) const KIND: (usize, usize) = (39, 2);
const PARITY: usize = 41;

/// Bits 32:12, which the holder of a wavelength fills in.
pub(crate) const FILLED: (usize, usize) = (12, 21);

/// A field of a word.
#[inline]
pub(crate) fn field(word: u64, (low, width): (usize, usize)) -> u64 {
    word >> low & low_bits(width)
}

/// A word whose bit 41 makes the number of ones even, whatever that bit was.
#[inline]
pub(crate) fn with_parity(word: u64) -> u64 {
    let fields = word & low_bits(PARITY);
    fields | u64::from(fields.count_ones() % 2) << PARITY
}

/// The station; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingStation {
    boards: usize,
    /// What came in in the cycle before, 42 bits; 0 if its parity is wrong or it makes no sense.
    pub word: u64,
    /// What goes out, 42 bits.
    pub ring_out: u64,
    /// Words thrown away for their parity, modulo 2^16.
    pub ring_errors: u16,
}

inputs! {
    /// What the station sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct StationInputs {
        /// 42 bits.
        pub ring_in: u64 = ring_word("ring_in", Some(&RING)),
        /// Number of this board.
        pub me: u8 = number("me", 3).habit(Habit::Held),
        /// The controller has a message to send, and it, 42 bits with a parity of 0.
        pub send: bool = flag("send"),
        pub message: u64 = ring_word("message", Some(&RING)),
        /// Bits 32:12 of the request that passes as the mechanism fills it in, but for `claim`, if `fills`.
        pub filled: u32 = number("filled", FILLED.1).habit(Habit::Held),
        /// The board holds the wavelength that is asked for.
        pub fills: bool = flag("fills"),
        /// Of the queue to the owner's board, 12 bits.
        pub waited: u16 = count("waited", 12),
        /// The board claims the wavelength.
        pub claims: bool = flag("claims"),
    }
}

impl RingStation {
    /// Of so many boards, 2..=8, in its state after reset.
    pub fn new(boards: usize) -> Self {
        RingStation { boards, word: 0, ring_out: 0, ring_errors: 0 }
    }

    fn has_kind(&self) -> bool {
        field(self.word, KIND) != 0
    }

    /// The word is a message of this board that has come back.
    pub fn own(&self, me: u8) -> bool {
        self.has_kind() && field(self.word, OWNER) == u64::from(me)
    }

    /// It is one of another board.
    pub fn passes(&self, me: u8) -> bool {
        self.has_kind() && field(self.word, OWNER) != u64::from(me)
    }

    /// The controller's message goes out.
    pub fn sent(&self, me: u8, send: bool) -> bool {
        send && !self.passes(me)
    }

    fn sound(&self, ring_in: u64) -> bool {
        let exists = |of| field(ring_in, of) < self.boards as u64;
        let has_kind = matches!(field(ring_in, KIND), 1 | 2);
        has_kind && exists(OWNER) && exists(WAVELENGTH) && ring_in.count_ones().is_multiple_of(2)
    }

    /// The word as it goes on.
    fn passed(&self, inputs: &StationInputs) -> u64 {
        if field(self.word, KIND) != Kind::BoardRequest as u64 {
            return self.word;
        }
        let claim = self.word & 1 << CLAIM.0 | u64::from(inputs.claims) << CLAIM.0;
        let mut word = self.word;
        if inputs.fills {
            word &= !(low_bits(FILLED.1) << FILLED.0 | low_bits(WAIT.1));
            word |= u64::from(inputs.filled) << FILLED.0 | u64::from(inputs.waited);
        }
        word & !(1 << CLAIM.0) | claim
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = RingStation::new(self.boards);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &StationInputs) {
        self.ring_out = if self.passes(inputs.me) {
            with_parity(self.passed(inputs))
        } else if inputs.send {
            with_parity(inputs.message)
        } else {
            0
        };
        let is_odd = !inputs.ring_in.count_ones().is_multiple_of(2);
        self.word = if self.sound(inputs.ring_in) { inputs.ring_in } else { 0 };
        self.ring_errors = self.ring_errors.wrapping_add(is_odd.into());
    }
}

impl Registers for RingStation {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(ring_word("word", Some(&RING)), self.word);
        rows.one(ring_word("ring_out", Some(&RING)), self.ring_out);
        rows.one(count("ring_errors", 16), self.ring_errors);
    }
}

impl Block for RingStation {
    type Inputs<'a> = StationInputs;

    fn outputs(&self, seen: &StationInputs, rows: &mut RegisterRows) {
        rows.one(ring_word("word", Some(&RING)), self.word);
        rows.one(flag("own"), self.own(seen.me));
        rows.one(flag("passes"), self.passes(seen.me));
        rows.one(flag("sent"), self.sent(seen.me, seen.send));
        rows.one(ring_word("ring_out", Some(&RING)), self.ring_out);
        rows.one(count("ring_errors", 16), self.ring_errors);
    }

    fn edge(&mut self, rst: bool, seen: &StationInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::e_rapid::RingWord;

    const REQUEST: RingWord = RingWord {
        wait: 0,
        busy: 0,
        level: 0,
        holder: 0,
        claim: false,
        offered: false,
        lit: false,
        wavelength: 3,
        owner: 2,
        kind: Kind::BoardRequest,
    };

    /// What goes out two cycles behind a word that comes in at board 1 of four.
    fn through(word: u64, seen: StationInputs) -> (u64, RingStation) {
        let mut station = RingStation::new(4);
        station.clock(&StationInputs { ring_in: word, me: 1, ..StationInputs::default() });
        station.clock(&StationInputs { me: 1, ..seen });
        (station.ring_out, station)
    }

    /// What the board fills in.
    fn filled() -> StationInputs {
        let word = RingWord { busy: 0x123, level: 4, holder: 1, claim: true, offered: true, lit: true, ..REQUEST };
        StationInputs { filled: field(word.packed(), FILLED) as u32, waited: 0xabc, ..StationInputs::default() }
    }

    #[test]
    fn any_bit_that_changes_is_found_and_counted() {
        for word in [0, REQUEST.packed()] {
            for bit in 0..RING.bits {
                let (out, station) = through(word ^ 1 << bit, StationInputs::default());
                assert_eq!((out, station.ring_errors), (0, 1), "{bit}");
            }
            assert_eq!(through(word, StationInputs::default()).1.ring_errors, 0);
        }
    }

    #[test]
    fn words_that_make_no_sense_are_thrown_away() {
        let not_known = [
            RingWord { owner: 4, ..REQUEST }.packed(),
            RingWord { wavelength: 4, ..REQUEST }.packed(),
            RingWord { kind: Kind::None, ..REQUEST }.packed(),
            with_parity(REQUEST.packed() | 3 << KIND.0),
        ];
        for word in not_known {
            let (out, station) = through(word, StationInputs::default());
            assert_eq!((out, station.ring_errors), (0, 0));
        }
    }

    #[test]
    fn the_holder_fills_in_all_but_the_claim() {
        let expected = RingWord { wait: 0xabc, busy: 0x123, level: 4, holder: 1, offered: true, lit: true, ..REQUEST };
        let (out, _) = through(REQUEST.packed(), StationInputs { fills: true, ..filled() });
        assert_eq!(RingWord::unpacked(out), Some(expected));
        let (out, _) = through(REQUEST.packed(), filled());
        assert_eq!(RingWord::unpacked(out), Some(REQUEST), "it has nothing to fill in");
        // A claim of its own or of a board before stays.
        let (out, _) = through(REQUEST.packed(), StationInputs { claims: true, fills: true, ..filled() });
        assert_eq!(RingWord::unpacked(out), Some(RingWord { claim: true, ..expected }));
        let claimed = RingWord { claim: true, ..REQUEST };
        let (out, _) = through(claimed.packed(), StationInputs { fills: true, ..filled() });
        assert_eq!(RingWord::unpacked(out), Some(RingWord { claim: true, ..expected }));
    }

    #[test]
    fn responses_go_round_unchanged() {
        let response = RingWord { kind: Kind::BoardResponse, lit: true, holder: 3, ..REQUEST };
        let (out, _) = through(response.packed(), StationInputs { claims: true, fills: true, ..filled() });
        assert_eq!(out, response.packed());
    }

    #[test]
    fn a_message_goes_out_where_nothing_passes() {
        let message = RingWord { owner: 1, ..REQUEST }.packed() & low_bits(41);
        let sends = StationInputs { send: true, message, me: 1, ..StationInputs::default() };
        let mut station = RingStation::new(4);
        assert!(station.sent(1, true) && !station.sent(1, false));
        station.clock(&StationInputs { ring_in: REQUEST.packed(), ..sends });
        assert_eq!(station.ring_out, with_parity(message));
        // Another's goes first; on the place of one of its own there is room.
        assert!(station.passes(1) && !station.own(1) && !station.sent(1, true));
        station.clock(&StationInputs { ring_in: with_parity(message), ..sends });
        assert_eq!(station.ring_out, REQUEST.packed());
        assert!(station.own(1) && station.sent(1, true));
        station.clock(&sends);
        assert_eq!(station.ring_out, with_parity(message));
        station.reset();
        assert_eq!(station, RingStation::new(4));
    }
}
