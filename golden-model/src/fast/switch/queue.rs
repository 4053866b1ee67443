//! Queues in memories (section 5.3).

/// Where the entries of a queue are.
///
/// Entries lie in memory from its beginning on when the queue was last empty, wherever the pointers of the hardware are: queues
/// that are short all the time stay in the processor's cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    /// Entries since the reset, which the pointers follow from.
    pushed: u64,
    /// The place in memory behind the youngest entry, modulo the size of the memory.
    behind: u16,
    pub count: u16,
}

impl Queue {
    pub const EMPTY: Queue = Queue { pushed: 0, behind: 0, count: 0 };

    /// The place to write to, in a memory of `mask` + 1 words: a power of two, and no less than the depth of the queue.
    #[inline]
    pub fn push(&mut self, mask: u16) -> usize {
        let behind = if self.count == 0 { 0 } else { self.behind };
        self.behind = behind.wrapping_add(1);
        self.count += 1;
        self.pushed += 1;
        (behind & mask).into()
    }

    /// The place of the oldest entry.
    #[inline]
    pub fn oldest(&self, mask: u16) -> usize {
        (self.behind.wrapping_sub(self.count) & mask).into()
    }

    /// The place to read from.
    #[inline]
    pub fn pop(&mut self, mask: u16) -> usize {
        let place = self.oldest(mask);
        self.count -= 1;
        place
    }

    /// The write pointer of the hardware, whose queue has `depth` entries.
    pub fn write(&self, depth: u16) -> u64 {
        pointer(self.pushed, depth)
    }

    /// Its read pointer.
    pub fn read(&self, depth: u16) -> u64 {
        pointer(self.pushed - u64::from(self.count), depth)
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
    /// Where the runs are of which flits are still to be read: places in a part of the flit memory, which is a power of two.
    runs: Queue,
    /// Where the memory begins.
    memory: u32,
}

impl FlitQueue {
    /// An empty queue.
    pub const fn new(memory: u32) -> FlitQueue {
        let runs = Queue::EMPTY;
        FlitQueue { written: 0, read: 0, written_by: 0, read_by: 0, remaining: 0, arriving: 0, runs, memory }
    }

    /// The same after a reset.
    pub fn emptied(&self) -> FlitQueue {
        FlitQueue::new(self.memory)
    }

    /// Where its memory begins.
    #[inline]
    pub fn memory(&self) -> usize {
        self.memory as usize
    }

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

    /// A run of flits begins to come in in cycle `now`, of which all will find room: its place.
    #[inline]
    pub fn push(&mut self, now: u64, flits: u16, mask: u16) -> usize {
        self.written += u64::from(flits);
        self.written_by = now + u64::from(flits);
        self.memory as usize + self.runs.push(mask)
    }

    /// The place of the oldest run; there must be one.
    #[inline]
    pub fn oldest(&self, mask: u16) -> usize {
        self.memory as usize + self.runs.oldest(mask)
    }

    /// So many flits of the oldest run, which are of the packet that is being read, are read from cycle `now` on. `all`: there are no more
    /// of that run.
    #[inline]
    pub fn read(&mut self, now: u64, flits: u16, all: bool, mask: u16) {
        self.read += u64::from(flits);
        self.read_by = now + u64::from(flits);
        self.remaining -= flits;
        if all {
            self.runs.pop(mask);
        }
    }

    /// The cycle in which the last flit of the packet is read that is being read, and the first in which the rest of the packet is in the
    /// queue, perhaps an earlier one; if all of the packet is known of.
    #[inline]
    pub fn tail(&self) -> Option<(u64, u64)> {
        let beyond = (self.written - self.read).checked_sub(self.remaining.into())?;
        Some((self.read_by - 1 + u64::from(self.remaining), self.written_by.saturating_sub(beyond)))
    }

    /// The write pointer of the hardware in cycle `now`, whose queue has `depth` entries.
    pub fn write_pointer(&self, now: u64, depth: u16) -> u64 {
        pointer(self.written - self.coming(now), depth)
    }

    /// Its read pointer.
    pub fn read_pointer(&self, now: u64, depth: u16) -> u64 {
        pointer(self.read - self.leaving(now), depth)
    }
}

/// Where a pointer is that has been moved so many times in a queue of `depth` entries.
#[inline]
fn pointer(moves: u64, depth: u16) -> u64 {
    // A division for each of all pointers is much of what it costs to look at them.
    if depth.is_power_of_two() { moves & u64::from(depth - 1) } else { moves % u64::from(depth) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    #[test]
    fn runs_count_as_single_flits_do() {
        let (depth, mask) = (12, 15);
        let (mut queue, mut memory) = (FlitQueue::new(2), [0; 18]);
        // Flit by flit: what is in the queue, what comes in and is read, and in which cycles.
        let (mut flits, mut written, mut read) = (VecDeque::new(), 0, 0u64);
        let (mut comes_until, mut reads_until, mut reading) = (0, 0, false);
        for now in 0..3000u64 {
            assert_eq!(usize::from(queue.count(now)), flits.len(), "cycle {now}");
            assert_eq!((queue.write_pointer(now, depth), queue.read_pointer(now, depth)), (written % 12, read % 12));
            assert_eq!(queue.is_filling(now), comes_until > now);
            if now >= reads_until && !flits.is_empty() && now * now % 7 < 3 {
                // All of a run, some of which may still be on its way.
                let place = queue.oldest(mask);
                let run: u16 = memory[place];
                let some = if run > 2 && now % 2 == 0 { run - 1 } else { run };
                (memory[place], queue.remaining) = (run - some, some + 3);
                queue.read(now, some, some == run, mask);
                (reads_until, reading) = (now + u64::from(some), true);
                assert_eq!((queue.remaining, queue.remaining(now)), (3, some + 3));
            }
            let arrives = now >= comes_until && now * now % 11 < 5;
            let run = 1 + now as u16 % 4;
            if arrives && flits.len() + usize::from(run) <= usize::from(depth) {
                memory[queue.push(now, run, mask)] = run;
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
    fn entries_come_out_in_order_and_pointers_are_those_of_the_hardware() {
        let (depth, mask) = (5, 7);
        let (mut queue, mut memory, mut expected) = (Queue::EMPTY, [0; 8], VecDeque::new());
        let (mut write, mut read) = (0, 0);
        for step in 0..1000u64 {
            // Fills and empties in waves of all lengths.
            let fills = step * step % 17 < 9;
            if fills && queue.count < depth {
                memory[queue.push(mask)] = step;
                expected.push_back(step);
                write = (write + 1) % 5;
            } else if queue.count != 0 {
                assert_eq!(Some(memory[queue.pop(mask)]), expected.pop_front());
                read = (read + 1) % 5;
            }
            assert_eq!(usize::from(queue.count), expected.len());
            assert_eq!((queue.write(depth), queue.read(depth)), (write, read));
        }
    }
}
