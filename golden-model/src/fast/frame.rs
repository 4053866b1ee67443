//! The observed frame of an event-driven model, filled by straight copies: they are most of what a lock-step cycle costs.

use powar_config::mechanism::ControlValues;

/// What is left of an observed frame that is filled in order.
pub struct Frame<'a> {
    rest: &'a mut [u64],
}

impl<'a> Frame<'a> {
    pub fn new(observed: &'a mut [u64]) -> Self {
        Frame { rest: observed }
    }

    /// All slots have been filled.
    pub fn end(self) {
        debug_assert!(self.rest.is_empty(), "a declared signal was not observed");
    }

    /// The next `slots` slots.
    pub fn next(&mut self, slots: usize) -> &'a mut [u64] {
        let (next, rest) = std::mem::take(&mut self.rest).split_at_mut(slots);
        self.rest = rest;
        next
    }

    pub fn put<const SLOTS: usize>(&mut self, values: [u64; SLOTS]) {
        self.next(SLOTS).copy_from_slice(&values);
    }

    /// What the control registers of a mechanism hold, a slot a word.
    pub fn put_words<V: ControlValues>(&mut self, values: &V) {
        self.fill(V::WORDS.len(), |place| values.word(place).into());
    }

    pub fn fill(&mut self, slots: usize, value: impl Fn(usize) -> u64) {
        for (place, slot) in self.next(slots).iter_mut().enumerate() {
            *slot = value(place);
        }
    }
}
