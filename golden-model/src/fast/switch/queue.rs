//! Queues in memories (section 5.3).

use super::link::Payload;
use crate::places;

/// No entry.
const NONE: u32 = u32::MAX;

/// The entries of many queues, in as much memory as has been needed at a time: few are in use, and those of them that were last are next.
#[derive(Clone, Debug)]
pub(super) struct Pool<T> {
    /// Each with the next one of its queue, or of those that are free.
    entries: Vec<(T, u32)>,
    free: u32,
}

impl<T: Copy> Pool<T> {
    pub fn new() -> Pool<T> {
        Pool { entries: Vec::new(), free: NONE }
    }

    /// Nothing is in any queue any more.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.free = NONE;
    }

    #[inline]
    fn add(&mut self, what: T) -> u32 {
        let place = self.free;
        match self.entries.get_mut(place as usize) {
            Some(entry) => {
                self.free = entry.1;
                *entry = (what, NONE);
                place
            }
            None => {
                self.entries.push((what, NONE));
                self.entries.len() as u32 - 1
            }
        }
    }
}

/// A queue of entries of a pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    oldest: u32,
    youngest: u32,
    count: u16,
}

impl Queue {
    pub const EMPTY: Queue = Queue { oldest: NONE, youngest: NONE, count: 0 };

    #[inline]
    pub fn push<T: Copy>(&mut self, pool: &mut Pool<T>, what: T) {
        let place = pool.add(what);
        if self.count == 0 {
            self.oldest = place;
        } else {
            pool.entries[self.youngest as usize].1 = place;
        }
        self.youngest = place;
        self.count += 1;
    }

    /// The oldest entry; there must be one.
    #[inline]
    pub fn oldest<'a, T>(&self, pool: &'a mut Pool<T>) -> &'a mut T {
        &mut pool.entries[self.oldest as usize].0
    }

    /// Takes the oldest entry; there must be one.
    #[inline]
    pub fn pop<T: Copy>(&mut self, pool: &mut Pool<T>) -> T {
        let place = self.oldest;
        let (what, next) = &mut pool.entries[place as usize];
        self.oldest = std::mem::replace(next, pool.free);
        pool.free = place;
        self.count -= 1;
        *what
    }
}

/// A queue of headers, as the hardware has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeaderQueue {
    headers: Queue,
    /// Entries since the reset, which the pointers follow from.
    pushed: u64,
}

impl HeaderQueue {
    pub const EMPTY: HeaderQueue = HeaderQueue { headers: Queue::EMPTY, pushed: 0 };

    #[inline]
    pub fn push(&mut self, pool: &mut Pool<u32>, header: u32) {
        self.headers.push(pool, header);
        self.pushed += 1;
    }

    /// The oldest header; there must be one.
    #[inline]
    pub fn pop(&mut self, pool: &mut Pool<u32>) -> u32 {
        self.headers.pop(pool)
    }

    pub fn count(&self) -> u16 {
        self.headers.count
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.headers.count == 0
    }

    /// Entries since the reset that have been written.
    pub fn pushes(&self) -> u64 {
        self.pushed
    }

    /// Likewise read.
    pub fn pops(&self) -> u64 {
        self.pushed - u64::from(self.headers.count)
    }
}

/// The flits of a virtual channel, as runs: what is in its buffer in a cycle follows from when the run that comes in and the one that is
/// being read end, since both go at one flit a cycle. What a field says is true when both are over; a method that is asked for a cycle
/// counts back from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlitQueue {
    /// Flits since the reset that have been written and read, and the first cycle behind the last run of each.
    written: u64,
    read: u64,
    written_by: u64,
    read_by: u64,
    /// Flits of the packet that is being read, and of the packet that is coming in, which are still to follow.
    pub remaining: u16,
    pub arriving: u16,
    /// The runs of which flits are still to be read.
    runs: Queue,
}

/// Flits in a buffer that came in one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<P> {
    /// Of the first of them.
    pub payload: P,
    pub flits: u16,
}

impl FlitQueue {
    pub const EMPTY: FlitQueue =
        FlitQueue { written: 0, read: 0, written_by: 0, read_by: 0, remaining: 0, arriving: 0, runs: Queue::EMPTY };

    /// Flits that come in in cycle `now` and later, of those that are known of.
    #[inline]
    fn coming(&self, now: u64) -> u64 {
        self.written_by.saturating_sub(now)
    }

    /// Flits that are read in cycle `now` and later, of the run that is being read.
    #[inline]
    fn leaving(&self, now: u64) -> u64 {
        self.read_by.saturating_sub(now)
    }

    /// A flit comes in in cycle `now` or later.
    #[inline]
    pub fn is_filling(&self, now: u64) -> bool {
        self.coming(now) != 0
    }

    /// Flits in the queue at the beginning of cycle `now`.
    #[inline]
    pub fn count(&self, now: u64) -> u16 {
        (self.written - self.coming(now) - (self.read - self.leaving(now))) as u16
    }

    /// Flits of the packet that is being read, still to follow at the beginning of cycle `now`.
    pub fn remaining(&self, now: u64) -> u16 {
        self.remaining + self.leaving(now) as u16
    }

    /// Flits of the packet that comes in, likewise.
    pub fn arriving(&self, now: u64) -> u16 {
        self.arriving + self.coming(now) as u16
    }

    /// A run of flits begins to come in in cycle `now`, of which all will find room.
    #[inline]
    pub fn push<P: Copy>(&mut self, now: u64, run: Run<P>, pool: &mut Pool<Run<P>>) {
        self.written += u64::from(run.flits);
        self.written_by = now + u64::from(run.flits);
        self.runs.push(pool, run);
    }

    /// The oldest run, of which there must be one, is read from cycle `now` on, or so many flits of it if it has more; all of them are of the packet that is
    /// being read.
    #[inline]
    pub fn read<P: Payload>(&mut self, now: u64, most: u16, pool: &mut Pool<Run<P>>) -> Run<P> {
        let oldest = self.runs.oldest(pool);
        let run = Run { flits: most.min(oldest.flits), ..*oldest };
        oldest.flits -= run.flits;
        if oldest.flits == 0 {
            self.runs.pop(pool);
        } else {
            oldest.payload = oldest.payload.behind(run.flits);
        }
        self.read += u64::from(run.flits);
        self.read_by = now + u64::from(run.flits);
        self.remaining -= run.flits;
        run
    }

    /// The cycle in which the last flit of the packet is read that is being read, and the first in which the rest of the packet is in the
    /// queue, perhaps an earlier one; if all of the packet is known of.
    #[inline]
    pub fn tail(&self) -> Option<(u64, u64)> {
        let beyond = (self.written - self.read).checked_sub(self.remaining.into())?;
        Some((self.read_by - 1 + u64::from(self.remaining), self.written_by.saturating_sub(beyond)))
    }

    /// Flits since the reset that have been written before cycle `now`.
    pub fn pushes(&self, now: u64) -> u64 {
        self.written - self.coming(now)
    }

    /// Likewise read.
    pub fn pops(&self, now: u64) -> u64 {
        self.read - self.leaving(now)
    }
}

/// The pointers of the hardware's queues.
#[derive(Clone, Debug)]
pub(super) struct Pointers {
    /// The places that they go through.
    order: Vec<u16>,
}

impl Pointers {
    /// Of queues of `depth` entries.
    pub fn new(depth: usize) -> Self {
        Pointers { order: places::order(depth) }
    }

    /// Where a pointer is that has been moved so many times.
    #[inline]
    pub fn after(&self, moves: u64) -> u64 {
        let depth = self.order.len();
        // A division for each of all pointers is much of what it costs to look at them.
        let place = if depth.is_power_of_two() { moves as usize & (depth - 1) } else { moves as usize % depth };
        self.order[place].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// The number of a flit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Numbered(u64);

    impl Payload for Numbered {
        const EMPTY: Self = Numbered(0);

        fn header(&self) -> u32 {
            0
        }

        fn behind(&self, flits: u16) -> Self {
            Numbered(self.0 + u64::from(flits))
        }
    }

    #[test]
    fn runs_count_as_single_flits_do() {
        let depth = 12u16;
        let (mut queue, mut pool) = (FlitQueue::EMPTY, Pool::new());
        // Flit by flit: what is in the queue, what comes in and is read, and in which cycles.
        let (mut flits, mut written, mut read) = (VecDeque::new(), 0, 0u64);
        let (mut comes_until, mut reads_until, mut reading) = (0, 0, false);
        for now in 0..3000u64 {
            assert_eq!(usize::from(queue.count(now)), flits.len(), "cycle {now}");
            assert_eq!((queue.pushes(now), queue.pops(now)), (written, read));
            assert_eq!(queue.is_filling(now), comes_until > now);
            if now >= reads_until && !flits.is_empty() && now * now % 7 < 3 {
                // All of a run, some of which may still be on its way, or two flits of it.
                queue.remaining = 7;
                let run: Run<Numbered> = queue.read(now, if now % 2 == 0 { 2 } else { 4 }, &mut pool);
                (reads_until, reading) = (now + u64::from(run.flits), true);
                assert_eq!((queue.remaining, queue.remaining(now)), (7 - run.flits, 7));
                assert_eq!(run.payload, Numbered(read));
            }
            let arrives = now >= comes_until && now * now % 11 < 5;
            let run = 1 + now as u16 % 4;
            if arrives && flits.len() + usize::from(run) <= usize::from(depth) {
                queue.push(now, Run { payload: Numbered(written), flits: run }, &mut pool);
                comes_until = now + u64::from(run);
            }
            if now < reads_until {
                flits.pop_front().expect("a flit is there in time");
                read += 1;
            }
            if now < comes_until {
                flits.push_back(now);
                written += 1;
            }
        }
        assert!(reading && read > 1000);
    }

    #[test]
    fn pointers_go_round_the_places_of_the_hardware() {
        for depth in [8, 12] {
            let (pointers, order) = (Pointers::new(depth), places::order(depth));
            for moves in 0..100 {
                assert_eq!(pointers.after(moves), u64::from(order[moves as usize % depth]));
            }
        }
    }

    #[test]
    fn entries_come_out_in_order_and_are_counted() {
        let depth = 5;
        let (mut queues, mut pool) = ([HeaderQueue::EMPTY; 3], Pool::new());
        let mut expected: [VecDeque<u32>; 3] = Default::default();
        let (mut write, mut read) = ([0; 3], [0; 3]);
        for step in 0..3000u32 {
            let i = step as usize % 3;
            let (queue, expected) = (&mut queues[i], &mut expected[i]);
            // Fills and empties in waves of all lengths.
            let fills = u64::from(step) * u64::from(step) % 17 < 9;
            if fills && queue.count() < depth {
                queue.push(&mut pool, step);
                expected.push_back(step);
                write[i] += 1;
            } else if !queue.is_empty() {
                assert_eq!(Some(queue.pop(&mut pool)), expected.pop_front());
                read[i] += 1;
            }
            assert_eq!(usize::from(queue.count()), expected.len());
            assert_eq!((queue.pushes(), queue.pops()), (write[i], read[i]));
        }
        assert!(pool.entries.len() <= 15, "places are used again");
    }
}
