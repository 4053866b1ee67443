//! Reads of words, and whose turn it is among the counters: both are computed when somebody asks.

use crate::fast::frame::Frame;
use crate::reference::power::power_manager::Read;

/// Ports whose words are chosen from at once.
const GROUP: usize = 8;

/// Whose turn it is: it follows from how long ago the counters were cleared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    counters: u64,
    /// The first cycle behind the last clear or reset.
    since: u64,
    /// The counter whose turn it was in that cycle.
    first: u64,
}

impl Slots {
    /// Of so many counters, after a reset in the cycle before `now`.
    pub fn new(counters: usize, now: u64) -> Self {
        Slots { counters: counters as u64, since: now, first: 0 }
    }

    /// The counters are cleared in cycle `now`.
    pub fn clear(&mut self, now: u64) {
        (self.first, self.since) = (self.fetched(now), now + 1);
    }

    /// The counter whose turn it is in the cycle behind `now`.
    pub fn fetched(&self, now: u64) -> u64 {
        (now - self.since) % self.counters
    }

    /// The counter whose turn it is in cycle `now`.
    pub fn turn(&self, now: u64) -> u64 {
        if now == self.since { self.first } else { self.fetched(now - 1) }
    }

    /// The counters were cleared, or reset, in the cycle before `now`.
    pub fn are_cleared(&self, now: u64) -> bool {
        self.since == now
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        let (turn, age) = (self.turn(now), now - self.since);
        frame.put([
            self.fetched(now),
            turn,
            1 << turn,
            u64::from(age <= self.counters),
            u64::from(age < self.counters),
        ]);
    }
}

/// A read on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// The answer is there in this cycle, and what it is until the next one.
    pub done: bool,
    pub data: u32,
    /// A counter that was asked for has not had its turn yet.
    pub waiting: bool,
    /// A word of a port was taken in the cycle before, and which, by groups of eight ports.
    pub taken: bool,
    group_word: Box<[u32; 8]>,
    /// While a counter is waited for: the words of that whose turn it is in this cycle, by ports, as they were in the cycle before.
    words: Option<Box<[u32; 64]>>,
}

/// Where an address is.
pub(super) enum Place {
    /// Below the words of the ports.
    Below,
    /// A counter, by its number, of a port that need not exist.
    Counter(usize, usize),
    /// The other words of such a port: its status, and 0 behind it.
    Status(usize),
}

impl Reads {
    /// Something of it changes with the next edge, whether or not there is a request.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.done | self.waiting | self.taken
    }

    /// The clock edge. `below` is the word at an address below those of the ports; `status` is that of a port at a place that is no
    /// counter, 0 if there is none; `next` is the word of a port in the cycle behind this one, of the counter whose turn it is then.
    /// `turn`: the counter whose turn it is in this cycle.
    pub fn clock(
        &mut self,
        read: &Read,
        place: Place,
        turn: usize,
        below: impl Fn() -> u32,
        status: impl Fn(usize) -> u32,
        next: impl Fn(usize) -> u32,
    ) {
        let (asked, taken) = (read.request | self.waiting, self.taken);
        let words = self.words.take();
        (self.done, self.waiting, self.taken) = (taken, false, false);
        let of_group = |port: usize, word: &dyn Fn(usize) -> u32| {
            Box::new(std::array::from_fn(|group| word(group * GROUP + port % GROUP)))
        };
        if let (true, Place::Status(port) | Place::Counter(port, _)) = (taken, &place) {
            self.data = self.group_word.get(port / GROUP).copied().unwrap_or(0);
        }
        match (place, words) {
            (Place::Status(port), _) if asked => (self.taken, self.group_word) = (true, of_group(port, &status)),
            (Place::Counter(port, counter), Some(words)) if asked && counter == turn => {
                (self.taken, self.group_word) = (true, of_group(port, &|port| words[port]));
            }
            (Place::Counter(..), _) if asked => {
                (self.waiting, self.words) = (true, Some(Box::new(std::array::from_fn(next))));
            }
            (Place::Below, _) if taken => self.data = 0,
            (Place::Below, _) if read.request => (self.data, self.done) = (below(), true),
            _ => {}
        }
    }

    /// The registers around the manager's own flag of a clear, of a manager of so many ports.
    pub fn observe(&self, clear: bool, ports: usize, frame: &mut Frame) {
        frame.put([self.done.into(), self.data.into(), clear.into(), self.waiting.into(), self.taken.into()]);
        frame.fill(ports.div_ceil(GROUP), |group| self.group_word[group].into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::power::CounterSlots;

    #[test]
    fn slots_are_those_of_the_reference_at_any_cycle() {
        for counters in [2, 3, 7, 12] {
            let (mut stepped, mut slots) = (CounterSlots::new(counters), Slots::new(counters, 5));
            for now in 5..300 {
                let clear = now % 31 < 2 || now % 47 == 0;
                let mut seen = [0; 5];
                slots.observe(now, &mut Frame::new(&mut seen));
                let CounterSlots { fetch_slot, write_slot, turn, replace, fresh, .. } = stepped;
                let expected = [fetch_slot as u64, write_slot as u64, turn, replace.into(), fresh.into()];
                assert_eq!(seen, expected, "{counters} counters, cycle {now}");
                stepped.clock(clear);
                if clear {
                    slots.clear(now);
                }
            }
        }
    }
}
