//! `hint_sender`: words that go out on a lane.

use super::hint_receiver::REST;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, destination, flag, number};
use powar_config::{Habit, Owner};

/// Words that can wait.
pub(crate) const WAITING: usize = 4;

/// The sender of a lane; the fields are its registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HintSender {
    /// Addresses that wait, the oldest first.
    pub queue: [u16; WAITING],
    /// How many (3 bits).
    pub count: u8,
    /// Bits of the word under way that are still to be sent (5 bits).
    pub left: u8,
    /// Those, the next one lowest (17 bits).
    pub word: u32,
}

impl HintSender {
    /// A sender in its state after reset.
    pub fn new() -> Self {
        HintSender::default()
    }

    fn starts(&self, sends: bool) -> bool {
        sends && self.left == 0 && self.count != 0
    }

    fn stored(&self, push: bool, sends: bool) -> bool {
        push && sends && usize::from(self.count) != WAITING
    }

    /// The lane, if there is one in this cycle.
    pub fn hint(&self, sends: bool) -> bool {
        self.starts(sends) || sends && self.left != 0 && self.word & 1 == 1
    }

    /// The word that is to be sent is not: there is no lane, or four wait.
    pub fn dropped(&self, push: bool, sends: bool) -> bool {
        push && !self.stored(push, sends)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = HintSender::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, push: bool, address: u16, sends: bool) {
        let (starts, stored) = (self.starts(sends), self.stored(push, sends));
        let oldest = self.queue[0];
        if starts {
            self.queue.rotate_left(1);
            self.queue[WAITING - 1] = 0;
        }
        let place = self.count - u8::from(starts);
        if stored {
            self.queue[usize::from(place)] = address;
        }
        self.count = if sends { place + u8::from(stored) } else { 0 };
        (self.left, self.word) = match starts {
            true => (REST, (oldest.count_ones() & 1) << 16 | u32::from(oldest)),
            false => (if sends { self.left.saturating_sub(1) } else { 0 }, self.word >> 1),
        };
    }
}

impl Registers for HintSender {
    fn list(&self, rows: &mut RegisterRows) {
        rows.many(destination("queue").rows(Owner::Block, WAITING), self.queue);
        rows.one(count("count", 3), self.count);
        rows.one(count("left", 5), self.left);
        rows.one(number("word", 17), self.word);
    }
}

inputs! {
    /// What the sender sees in a cycle: an address to be sent, and whether it sends.
    #[derive(Clone, Copy, Debug)]
    pub struct SenderInputs {
        // Words come faster than they go for a while, and then none do.
        pub push: bool = flag("push").habit(Habit::Drought),
        pub address: u16 = destination("address"),
        pub sends: bool = flag("sends").habit(Habit::Held),
    }
}

impl Block for HintSender {
    type Inputs<'a> = SenderInputs;

    fn outputs(&self, seen: &SenderInputs, rows: &mut RegisterRows) {
        rows.one(flag("hint"), self.hint(seen.sends));
        rows.one(flag("dropped"), self.dropped(seen.push, seen.sends));
    }

    fn edge(&mut self, rst: bool, seen: &SenderInputs) {
        if rst { self.reset() } else { self.clock(seen.push, seen.address, seen.sends) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::HintReceiver;
    use super::*;

    #[test]
    fn a_receiver_gets_what_a_sender_sends_word_behind_word() {
        let (mut sender, mut receiver, mut got) = (HintSender::new(), HintReceiver::new(), vec![]);
        let words = [0x1234, 0, 0xffff, 0x8001];
        for cycle in 0..100 {
            let hint = sender.hint(true);
            receiver.clock(hint, true, receiver.waiting);
            if receiver.waiting {
                got.push((cycle, receiver.destination));
            }
            let push = words.get(cycle);
            assert!(!sender.dropped(push.is_some(), true));
            sender.clock(push.is_some(), push.copied().unwrap_or(0), true);
        }
        // The first start bit is there in the cycle behind that of the push, the parity 17 cycles later.
        assert_eq!(got, [(18, 0x1234), (36, 0), (54, 0xffff), (72, 0x8001)]);
        assert_eq!(sender, HintSender::new(), "nothing is left");
    }

    #[test]
    fn four_words_wait_and_a_fifth_is_dropped() {
        let mut sender = HintSender::new();
        let taken: Vec<bool> = (0..7)
            .map(|address| {
                let dropped = sender.dropped(true, true);
                sender.clock(true, address, true);
                !dropped
            })
            .collect();
        // The first one goes out in cycle 1.
        assert_eq!(taken, [true, true, true, true, true, false, false]);
        assert_eq!((sender.count, sender.queue), (4, [1, 2, 3, 4]));
    }

    #[test]
    fn without_a_lane_all_is_forgotten() {
        let mut sender = HintSender::new();
        sender.clock(true, 0xffff, true);
        sender.clock(true, 3, true);
        assert!(sender.hint(true) && !sender.hint(false) && sender.dropped(true, false));
        sender.clock(true, 5, false);
        assert_eq!((sender.count, sender.left), (0, 0));
        assert!((0..20).all(|_| {
            sender.clock(false, 0, true);
            !sender.hint(true)
        }));
    }
}
