//! `header_queue`: headers of the packets of one virtual channel that wait, and the head register in front of them.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::buffers::VcQueue;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{flag, header, number};
use powar_config::{Config, Habit};

/// Bits of an entry.
pub const ENTRY_BITS: usize = 32;

/// A queue of headers; the public fields are its child and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderQueue {
    depth: usize,
    pub places: VcQueue,
    /// An entry is in the head register.
    pub valid: bool,
    /// That entry.
    pub entry: u32,
    /// The memory's output is the next entry.
    pub fetching: bool,
}

inputs! {
    /// What a queue of headers sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct HeaderQueueInputs {
        /// An entry is written.
        pub push: bool = flag("push").habit(Habit::Tide),
        /// The memory is read.
        pub fetch: bool = flag("fetch").habit(Habit::Usual).only_after(&[&["wants"]]),
        /// Output of the memory.
        pub fetched: u32 = header("fetched", ENTRY_BITS),
        /// The entry in the head register is used.
        pub take: bool = flag("take").habit(Habit::Tide).only_after(&[&["valid"]]),
    }
}

impl HeaderQueue {
    /// The queue of a virtual channel of this configuration's links, empty.
    pub fn new(config: &Config) -> Self {
        HeaderQueue::of(config.switch.vc_depth())
    }

    fn of(depth: usize) -> Self {
        HeaderQueue { depth, places: VcQueue::new(depth), valid: false, entry: 0, fetching: false }
    }

    /// The head register is free for the next entry, and there is one.
    pub fn wants(&self, take: bool) -> bool {
        self.places.some && !self.fetching && (!self.valid || take)
    }

    /// There is an entry that is not taken in this cycle.
    pub fn holds(&self, take: bool) -> bool {
        self.places.some || self.fetching || (self.valid && !take)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = HeaderQueue::of(self.depth);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &HeaderQueueInputs) {
        self.places.clock(inputs.push, inputs.fetch);
        self.valid = self.fetching || (self.valid && !inputs.take);
        if self.fetching {
            self.entry = inputs.fetched;
        }
        self.fetching = inputs.fetch;
    }
}

impl Registers for HeaderQueue {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("valid"), self.valid);
        rows.one(header("entry", ENTRY_BITS), self.entry);
        rows.one(flag("fetching"), self.fetching);
        rows.child("places", [&self.places]);
    }
}

impl Block for HeaderQueue {
    type Inputs<'a> = HeaderQueueInputs;

    fn outputs(&self, seen: &HeaderQueueInputs, rows: &mut RegisterRows) {
        rows.one(flag("wants"), self.wants(seen.take));
        rows.one(flag("holds"), self.holds(seen.take));
        rows.one(number("write_pointer", 12), self.places.write_pointer);
        rows.one(number("read_pointer", 12), self.places.read_pointer);
        rows.one(flag("valid"), self.valid);
        rows.one(header("entry", ENTRY_BITS), self.entry);
    }

    fn edge(&mut self, rst: bool, seen: &HeaderQueueInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_in_the_head_register_three_cycles_after_it_came_and_the_next_two_after_it_was_taken() {
        let mut queue = HeaderQueue::of(4);
        let mut step = |push, fetched, take| {
            let shown = (queue.wants(take), queue.holds(take), queue.valid, queue.entry);
            queue.clock(&HeaderQueueInputs { push, fetch: queue.wants(take), fetched, take });
            shown
        };
        assert_eq!(step(true, 0, false), (false, false, false, 0));
        assert_eq!(step(true, 0, false), (true, true, false, 0));
        assert_eq!(step(false, 7, false), (false, true, false, 0));
        assert_eq!(step(false, 0, true), (true, true, true, 7));
        assert_eq!(step(false, 8, false), (false, true, false, 7));
        assert_eq!(step(false, 0, false), (false, true, true, 8));
        assert_eq!(step(false, 0, true), (false, false, true, 8));
        assert_eq!(step(false, 0, false), (false, false, false, 8));
    }
}
