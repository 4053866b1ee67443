//! `hint_receiver`: words that come in on a port's lane.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{count, destination, flag, number};

/// Bits of a word behind its start: the address and the parity.
pub(crate) const REST: u8 = 17;

/// The receiver of a port; the fields are its registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HintReceiver {
    /// A hint waits.
    pub waiting: bool,
    /// Its packed address.
    pub destination: u16,
    /// Bits of the word that are still to come, with this cycle's (5 bits).
    pub count: u8,
    /// Those that came, the last one highest.
    pub word: u16,
}

impl HintReceiver {
    /// A receiver in its state after reset.
    pub fn new() -> Self {
        HintReceiver::default()
    }

    /// The last bit of a word is on the lane.
    fn ends(&self, listens: bool) -> bool {
        listens && self.count == 1
    }

    /// With this cycle's bit a hint ends that is to wait from the next cycle on.
    fn stored(&self, hint_in: bool, listens: bool, take: bool) -> bool {
        let sound = (self.word.count_ones() + u32::from(hint_in)).is_multiple_of(2);
        self.ends(listens) && sound && (!self.waiting || take)
    }

    /// A word ends that is no hint to wait: its parity is wrong, or one waits that is not taken.
    pub fn dropped(&self, hint_in: bool, listens: bool, take: bool) -> bool {
        self.ends(listens) && !self.stored(hint_in, listens, take)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = HintReceiver::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, hint_in: bool, listens: bool, take: bool) {
        let stored = self.stored(hint_in, listens, take);
        if stored {
            self.destination = self.word;
        }
        self.waiting = stored || self.waiting && !take;
        self.count = match self.count {
            _ if !listens => 0,
            0 if hint_in => REST,
            count => count.saturating_sub(1),
        };
        self.word = u16::from(hint_in) << 15 | self.word >> 1;
    }
}

impl Registers for HintReceiver {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("waiting"), self.waiting);
        rows.one(destination("destination"), self.destination);
        rows.one(count("count", 5), self.count);
        rows.one(number("word", 16), self.word);
    }
}

inputs! {
    /// What the receiver sees in a cycle: its lane, whether it listens, whether the hint that waits is taken.
    #[derive(Clone, Copy, Debug)]
    pub struct ReceiverInputs {
        // Between words the lane is quiet.
        pub hint_in: bool = flag("hint_in").habit(Habit::Lane),
        pub listens: bool = flag("listens").habit(Habit::Held),
        pub take: bool = flag("take"),
    }
}

impl Block for HintReceiver {
    type Inputs<'a> = ReceiverInputs;

    fn outputs(&self, seen: &ReceiverInputs, rows: &mut RegisterRows) {
        rows.one(flag("waiting"), self.waiting);
        rows.one(destination("destination"), self.destination);
        rows.one(flag("dropped"), self.dropped(seen.hint_in, seen.listens, seen.take));
    }

    fn edge(&mut self, rst: bool, seen: &ReceiverInputs) {
        if rst { self.reset() } else { self.clock(seen.hint_in, seen.listens, seen.take) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of a word, the start first; with a wrong parity if that is asked for.
    fn word(address: u16, wrong: bool) -> Vec<bool> {
        let parity = (address.count_ones() % 2 == 1) != wrong;
        let bits = (0..16).map(|i| address >> i & 1 == 1);
        std::iter::once(true).chain(bits).chain([parity]).collect()
    }

    /// Clocks the bits in; how many words were dropped.
    fn pass(receiver: &mut HintReceiver, bits: &[bool], listens: bool, take: bool) -> usize {
        let dropped = bits.iter().filter(|&&bit| {
            let dropped = receiver.dropped(bit, listens, take);
            receiver.clock(bit, listens, take);
            dropped
        });
        dropped.count()
    }

    #[test]
    fn a_word_waits_from_the_cycle_behind_its_parity_until_it_is_taken() {
        for address in [0, 1, 0x8000, 0x1234, 0xffff] {
            let mut receiver = HintReceiver::new();
            let bits = word(address, false);
            assert_eq!(bits.len(), 18);
            pass(&mut receiver, &bits[..17], true, false);
            assert!(!receiver.waiting);
            assert_eq!(pass(&mut receiver, &bits[17..], true, false), 0);
            assert_eq!((receiver.waiting, receiver.destination, receiver.count), (true, address, 0));
            pass(&mut receiver, &[false; 3], true, false);
            assert!(receiver.waiting);
            receiver.clock(false, true, true);
            assert!(!receiver.waiting);
        }
    }

    #[test]
    fn words_follow_each_other_at_once() {
        let mut receiver = HintReceiver::new();
        pass(&mut receiver, &word(0xabcd, false), true, false);
        let bits = word(0x4321, false);
        pass(&mut receiver, &bits[..17], true, false);
        assert_eq!((receiver.waiting, receiver.destination), (true, 0xabcd));
        // It is taken in the last cycle in which that is in time.
        assert!(!receiver.dropped(bits[17], true, true));
        receiver.clock(bits[17], true, true);
        assert_eq!((receiver.waiting, receiver.destination), (true, 0x4321));
        assert_eq!(pass(&mut receiver, &word(7, false), true, false), 1, "nobody takes it");
        assert_eq!(receiver.destination, 0x4321);
    }

    #[test]
    fn a_wrong_parity_is_dropped_and_what_nobody_listens_to_is_not_counted() {
        let mut receiver = HintReceiver::new();
        assert_eq!(pass(&mut receiver, &word(0x0f0e, true), true, false), 1);
        assert_eq!(pass(&mut receiver, &word(0x0f0e, true), false, false), 0);
        assert!(!receiver.waiting);
        let bits = word(5, false);
        pass(&mut receiver, &bits[..10], true, false);
        pass(&mut receiver, &bits[10..11], false, false);
        assert_eq!(receiver.count, 0, "it is forgotten");
        receiver.reset();
        assert_eq!(receiver, HintReceiver::new());
    }
}
