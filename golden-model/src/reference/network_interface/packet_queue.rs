//! `packet_queue`: pointers of a queue of beats in which packets count once they are complete.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, fill, flag, number};
use powar_config::{Config, Habit};

/// A queue of packets; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketQueue {
    depth: u16,
    /// Place of the next beat to be written.
    pub place: u16,
    /// Place of the first beat of the packet under way.
    pub base: u16,
    /// Place of the oldest beat.
    pub read_pointer: u16,
    /// There is no place left.
    pub full: bool,
    /// Beats stored, those of the packet under way too, modulo 2^13.
    pub count: u16,
}

inputs! {
    /// What a queue of packets sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct PacketQueueInputs {
        /// A beat is written.
        pub store: bool = flag("store").habit(Habit::Tide),
        /// It is its packet's last.
        pub commit: bool = flag("commit"),
        /// The beats of the packet under way are given up.
        pub discard: bool = flag("discard").habit(Habit::Rare),
        /// As many are stored.
        pub beats: u16 = count("beats", 10),
        /// The oldest beat is read.
        pub read: bool = flag("read").habit(Habit::Tide),
    }
}

impl PacketQueue {
    /// The queue of a virtual channel of this configuration's links, empty.
    pub fn new(config: &Config) -> Self {
        PacketQueue::of(config.switch.vc_depth() as u16)
    }

    fn of(depth: u16) -> Self {
        PacketQueue { depth, place: 0, base: 0, read_pointer: 0, full: false, count: 0 }
    }

    /// There is no place left.
    pub fn full(&self) -> bool {
        self.full
    }

    fn after(&self, place: u16) -> u16 {
        if place == self.depth - 1 { 0 } else { place + 1 }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = PacketQueue::of(self.depth);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &PacketQueueInputs) {
        let &PacketQueueInputs { store, commit, discard, beats, read } = inputs;
        let next = self.after(self.place);
        self.place = match (discard, store) {
            (true, _) => self.base,
            (false, true) => next,
            (false, false) => self.place,
        };
        if commit {
            self.base = next;
        }
        if read {
            self.read_pointer = self.after(self.read_pointer);
        }
        self.full = match (discard, store, read) {
            (true, _, _) => self.full && !read && beats == 0,
            (false, true, false) => self.count == self.depth - 1,
            (false, false, true) => false,
            _ => self.full,
        };
        let given_up = if discard { beats } else { 0 };
        let count = self.count.wrapping_add(store.into()).wrapping_sub(read.into()).wrapping_sub(given_up);
        self.count = count & 0x1fff;
    }
}

impl Registers for PacketQueue {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(number("place", 12), self.place);
        rows.one(number("base", 12), self.base);
        rows.one(number("read_pointer", 12), self.read_pointer);
        rows.one(flag("full"), self.full);
        rows.one(fill("count"), self.count);
    }
}

impl Block for PacketQueue {
    type Inputs<'a> = PacketQueueInputs;

    fn outputs(&self, _: &PacketQueueInputs, rows: &mut RegisterRows) {
        rows.one(flag("full"), self.full());
        rows.one(number("place", 12), self.place);
        rows.one(number("read_pointer", 12), self.read_pointer);
    }

    fn edge(&mut self, rst: bool, seen: &PacketQueueInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_that_is_given_up_leaves_its_places_to_the_next() {
        let mut queue = PacketQueue::of(5);
        let store = PacketQueueInputs { store: true, ..PacketQueueInputs::default() };
        let commit = PacketQueueInputs { commit: true, ..store };
        [store, commit, store, store].iter().for_each(|inputs| queue.clock(inputs));
        assert_eq!((queue.place, queue.base, queue.count, queue.full()), (4, 2, 4, false));
        queue.clock(&PacketQueueInputs { discard: true, beats: 2, read: true, ..PacketQueueInputs::default() });
        assert_eq!((queue.place, queue.base, queue.read_pointer, queue.count), (2, 2, 1, 1));
        [store, store, commit].iter().for_each(|inputs| queue.clock(inputs));
        assert_eq!((queue.place, queue.base, queue.count), (0, 0, 4));
        queue.clock(&store);
        assert!(queue.full());
    }
}
