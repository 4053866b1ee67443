//! The lane of a node whose mechanism reads addresses: a word for each message, one bit a cycle (`docs/networks.md`, network interfaces).

use crate::reference::mechanisms::wake_hints::hint_receiver::REST;
use crate::reference::mechanisms::wake_hints::hint_sender::WAITING;
use std::collections::VecDeque;

/// Cycles that a word takes: a start bit, the address, the parity.
pub(super) const WORD: u64 = 1 + REST as u64;

/// Words under way and waiting.
///
/// A word starts in the cycle after that in which its message is given, or behind the word before. So it is known when a message is given when
/// its word will be on the lane.
#[derive(Clone, Debug, Default)]
pub(super) struct HintLane {
    /// The cycle of the start bit of each, and its bits, the first one lowest. The oldest comes first.
    words: VecDeque<(u64, u32)>,
    /// Messages so far that have none, as four words waited.
    pub dropped: u64,
}

impl HintLane {
    /// A message for the node of this packed address is given in cycle `now`. While four words wait it has none; a word waits up to the cycle of its
    /// start bit, with it.
    pub fn give(&mut self, now: u64, address: u16) {
        while self.words.pop_front_if(|(start, _)| *start + WORD <= now).is_some() {}
        let waiting = self.words.iter().filter(|(start, _)| *start >= now).count();
        if waiting == WAITING {
            self.dropped += 1;
            return;
        }
        let behind = self.words.back().map_or(0, |(start, _)| start + WORD);
        let parity = address.count_ones() % 2;
        self.words.push_back((behind.max(now + 1), parity << 17 | u32::from(address) << 1 | 1));
    }

    /// The bit in a cycle.
    fn bit(&self, cycle: u64) -> bool {
        let of_word = |(start, word): &(u64, u32)| {
            (*start..*start + WORD).contains(&cycle).then(|| word >> (cycle - start) & 1 == 1)
        };
        self.words.iter().find_map(of_word).unwrap_or(false)
    }

    /// The bit in cycle `now`, and the first cycle behind it in which it is another; `u64::MAX`: there is none.
    pub fn show(&self, now: u64) -> (bool, u64) {
        let (bit, end) = (self.bit(now), self.words.back().map_or(0, |(start, _)| start + WORD));
        let change = (now + 1..=end).find(|&cycle| self.bit(cycle) != bit);
        (bit, change.unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::mechanisms::wake_hints::HintSender;

    /// The lane in so many cycles, followed by what it says of the next change.
    fn followed(lane: &mut HintLane, given: &[(u64, u16)], cycles: u64) -> Vec<bool> {
        let (mut shown, mut next) = ((false, 0), 0);
        let mut bits = vec![];
        for now in 0..cycles {
            for &(_, address) in given.iter().filter(|(cycle, _)| *cycle == now) {
                lane.give(now, address);
                next = now;
            }
            if now >= next {
                shown = lane.show(now);
                assert!(shown.1 > now);
                next = shown.1;
            }
            bits.push(shown.0);
        }
        bits
    }

    /// With one message a cycle it is the sender of a network interface.
    #[test]
    fn the_lane_is_that_of_a_sender() {
        let mut random = fastrand::Rng::with_seed(1);
        for gap in [2, 10, 18, 100] {
            let mut given: Vec<(u64, u16)> = vec![];
            for _ in 0..60 {
                let last = given.last().map_or(5, |(cycle, _)| cycle + 1);
                given.push((last + random.u64(0..gap), random.u16(..) & random.u16(..)));
            }
            let end = given.last().map_or(0, |(cycle, _)| cycle + 100);
            let mut sender = HintSender::new();
            let mut dropped = 0;
            let expected: Vec<bool> = (0..end)
                .map(|now| {
                    let hint = sender.hint(true);
                    let push = given.iter().find(|(cycle, _)| *cycle == now);
                    dropped += u64::from(sender.dropped(push.is_some(), true));
                    sender.clock(push.is_some(), push.map_or(0, |push| push.1), true);
                    hint
                })
                .collect();
            let mut lane = HintLane::default();
            assert_eq!((followed(&mut lane, &given, end), lane.dropped), (expected, dropped), "{gap}");
            assert_eq!(dropped > 0, gap < 100, "{gap}: {dropped} dropped");
        }
    }

    #[test]
    fn messages_of_one_cycle_have_words_one_behind_the_other() {
        let mut lane = HintLane::default();
        let bits = followed(&mut lane, &[(3, 0), (3, 0x8000), (3, 1), (3, 0), (3, 7), (40, 7)], 200);
        let high: Vec<usize> = (0..bits.len()).filter(|&cycle| bits[cycle]).collect();
        // Start bits in 4, 22, 40 and 58; the fifth has no word, and the one of cycle 40 comes behind the fourth.
        assert_eq!(high, [4, 22, 38, 39, 40, 41, 57, 58, 76, 77, 78, 79, 93]);
    }
}
