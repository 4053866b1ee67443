//! `vc_queue`: pointers and number of entries of a circular queue in some memory.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{fill, flag, number};

/// A queue of `depth` entries; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VcQueue {
    depth: u16,
    /// Place of the next entry to be written.
    pub write_pointer: u16,
    /// Place of the oldest entry.
    pub read_pointer: u16,
    /// Entries, modulo the power of two above the depth.
    pub count: u16,
    /// There are entries.
    pub some: bool,
}

impl VcQueue {
    /// An empty queue of `depth` entries, 1..=4096.
    pub fn new(depth: usize) -> Self {
        VcQueue { depth: depth as u16, write_pointer: 0, read_pointer: 0, count: 0, some: false }
    }

    /// Whether there is no place left.
    pub fn full(&self) -> bool {
        self.count == self.depth
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = VcQueue::new(self.depth.into());
    }

    /// The clock edge.
    pub fn clock(&mut self, push: bool, pop: bool) {
        let next = |pointer: u16| if pointer == self.depth - 1 { 0 } else { pointer + 1 };
        if push {
            self.write_pointer = next(self.write_pointer);
        }
        if pop {
            self.read_pointer = next(self.read_pointer);
        }
        self.some = match (push, pop) {
            (true, false) => true,
            (false, true) => self.count != 1,
            _ => self.some,
        };
        let bits = (self.depth + 1).next_power_of_two() - 1;
        self.count = self.count.wrapping_add(push.into()).wrapping_sub(pop.into()) & bits;
    }
}

impl Registers for VcQueue {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(number("write_pointer", 12), self.write_pointer);
        rows.one(number("read_pointer", 12), self.read_pointer);
        rows.one(fill("count"), self.count);
        rows.one(flag("some"), self.some);
    }
}

inputs! {
    /// What the queue sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct VcQueueInputs {
        pub push: bool = flag("push").habit(Habit::Tide),
        pub pop: bool = flag("pop").habit(Habit::Tide).only_after(&[&["some"]]),
    }
}

impl Block for VcQueue {
    type Inputs<'a> = VcQueueInputs;

    fn outputs(&self, _: &VcQueueInputs, rows: &mut RegisterRows) {
        self.list(rows);
    }

    fn edge(&mut self, rst: bool, seen: &VcQueueInputs) {
        if rst { self.reset() } else { self.clock(seen.push, seen.pop) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_a_queue_of_three_wrap_and_the_count_is_their_distance() {
        let mut queue = VcQueue::new(3);
        (0..3).for_each(|_| queue.clock(true, false));
        assert_eq!((queue.write_pointer, queue.read_pointer, queue.count, queue.full()), (0, 0, 3, true));
        queue.clock(false, true);
        queue.clock(true, true);
        assert_eq!((queue.write_pointer, queue.read_pointer, queue.count, queue.full()), (1, 2, 2, false));
        queue.clock(false, true);
        assert_eq!((queue.read_pointer, queue.count), (0, 1));
        queue.reset();
        assert_eq!(queue, VcQueue::new(3));
    }

    #[test]
    fn the_count_has_the_bits_of_the_depth() {
        let mut queue = VcQueue::new(20);
        queue.clock(false, true);
        assert_eq!(queue.count, 31);
        queue.clock(true, false);
        assert_eq!(queue.count, 0);
        // A depth that fills its bits needs no more of them.
        let mut queue = VcQueue::new(31);
        queue.clock(false, true);
        assert_eq!(queue.count, 31);
    }

    #[test]
    fn the_deepest_queue_fills_its_counters() {
        let mut queue = VcQueue::new(4096);
        (0..4095).for_each(|_| queue.clock(true, false));
        assert_eq!((queue.write_pointer, queue.full()), (4095, false));
        queue.clock(true, false);
        assert_eq!((queue.write_pointer, queue.count, queue.full()), (0, 4096, true));
    }
}
