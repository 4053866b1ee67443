//! `vc_queue`: pointers of a circular queue in some memory.

use crate::inputs;
use crate::lock_step::Block;
use crate::places;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{fill, flag, number};
use powar_config::{Config, Habit};

/// A queue of `depth` entries; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VcQueue {
    depth: u16,
    /// The place before place 0.
    last: u16,
    /// Place of the next entry to be written, and the place behind it.
    pub write_pointer: u16,
    pub write_next: u16,
    /// Place of the oldest entry, and the place behind it.
    pub read_pointer: u16,
    pub read_next: u16,
    /// There is no place left.
    pub full: bool,
    /// There are entries.
    pub some: bool,
    /// How many, modulo the power of two above the depth, if they are counted.
    pub count: Option<u16>,
}

impl VcQueue {
    /// An empty queue of `depth` entries, 1..=4096, which are not counted.
    pub fn new(depth: usize) -> Self {
        let order = places::order(depth);
        let second = order[1 % depth];
        VcQueue {
            depth: depth as u16,
            last: order[depth - 1],
            write_pointer: 0,
            write_next: second,
            read_pointer: 0,
            read_next: second,
            full: false,
            some: false,
            count: None,
        }
    }

    /// The same, but they are counted.
    pub fn counting(depth: usize) -> Self {
        VcQueue { count: Some(0), ..VcQueue::new(depth) }
    }

    /// The queue of the flits of a virtual channel of this configuration's switch, whose mechanism sees buffers or not.
    pub fn of_flits(config: &Config, sees_buffers: bool) -> Self {
        let counts = sees_buffers || config.next_routes();
        if counts { VcQueue::counting(config.switch.vc_depth()) } else { VcQueue::new(config.switch.vc_depth()) }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        let count = self.count.map(|_| 0);
        *self = VcQueue { count, ..VcQueue::new(self.depth.into()) };
    }

    /// The clock edge.
    pub fn clock(&mut self, push: bool, pop: bool) {
        let before = self.clone();
        let next = |place: u16| places::next(place, self.depth, self.last);
        if push {
            (self.write_pointer, self.write_next) = (before.write_next, next(before.write_next));
        }
        if pop {
            (self.read_pointer, self.read_next) = (before.read_next, next(before.read_next));
        }
        (self.some, self.full) = match (push, pop) {
            (true, false) => (true, before.write_next == before.read_pointer),
            (false, true) => (before.read_next != before.write_pointer, false),
            _ => (before.some, before.full),
        };
        let bits = (self.depth + 1).next_power_of_two() - 1;
        self.count = before.count.map(|count| count.wrapping_add(push.into()).wrapping_sub(pop.into()) & bits);
    }
}

impl Registers for VcQueue {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(number("write_pointer", 12), self.write_pointer);
        rows.one(number("read_pointer", 12), self.read_pointer);
        rows.one(number("write_next", 12), self.write_next);
        rows.one(number("read_next", 12), self.read_next);
        rows.one(flag("full"), self.full);
        rows.one(flag("some"), self.some);
        if let Some(count) = self.count {
            rows.one(fill("count"), count);
        }
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
        rows.one(number("write_pointer", 12), self.write_pointer);
        rows.one(number("read_pointer", 12), self.read_pointer);
        rows.one(flag("full"), self.full);
        rows.one(flag("some"), self.some);
        if let Some(count) = self.count {
            rows.one(fill("count"), count);
        }
    }

    fn edge(&mut self, rst: bool, seen: &VcQueueInputs) {
        if rst { self.reset() } else { self.clock(seen.push, seen.pop) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(queue: &VcQueue) -> (u16, u16, Option<u16>, bool, bool) {
        (queue.write_pointer, queue.read_pointer, queue.count, queue.full, queue.some)
    }

    #[test]
    fn pointers_of_a_queue_of_three_go_round_and_the_count_is_their_distance() {
        let mut queue = VcQueue::counting(3);
        (0..3).for_each(|_| queue.clock(true, false));
        assert_eq!(seen(&queue), (0, 0, Some(3), true, true));
        queue.clock(false, true);
        queue.clock(true, true);
        // The places are 0, 1, 3.
        assert_eq!(seen(&queue), (1, 3, Some(2), false, true));
        queue.clock(false, true);
        assert_eq!(seen(&queue), (1, 0, Some(1), false, true));
        queue.clock(false, true);
        assert_eq!(seen(&queue), (1, 1, Some(0), false, false));
        queue.reset();
        assert_eq!(queue, VcQueue::counting(3));
    }

    #[test]
    fn the_count_has_the_bits_of_the_depth() {
        let mut queue = VcQueue::counting(20);
        queue.clock(false, true);
        assert_eq!(queue.count, Some(31));
        queue.clock(true, false);
        assert_eq!(queue.count, Some(0));
        // A depth that fills its bits needs no more of them.
        let mut queue = VcQueue::counting(31);
        queue.clock(false, true);
        assert_eq!(queue.count, Some(31));
    }

    #[test]
    fn the_deepest_queue_is_full_with_as_many_and_the_least_with_one() {
        for depth in [4096, 1] {
            let mut queue = VcQueue::new(depth);
            (1..depth).for_each(|_| queue.clock(true, false));
            assert_eq!((queue.full, queue.write_next), (false, 0));
            queue.clock(true, false);
            assert_eq!(seen(&queue), (0, 0, None, true, true));
            queue.clock(true, true);
            assert!(queue.full && queue.some);
        }
    }
}
