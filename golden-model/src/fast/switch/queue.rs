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

    /// The place to read from.
    #[inline]
    pub fn pop(&mut self, mask: u16) -> usize {
        let place = self.behind.wrapping_sub(self.count) & mask;
        self.count -= 1;
        place.into()
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

/// The flits of a virtual channel: a part of the flit memory of `mask` + 1 words, a power of two and no less than the depth of the
/// queue.
///
/// Both places are counted up from 0 where the queue was last [settled](FlitQueue::settle): how many flits there are is their
/// difference. Who writes changes one of them and who reads the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlitQueue {
    /// What has been taken off both places, a number of entries, which the pointers of the hardware follow from.
    settled: u64,
    oldest: u32,
    next: u32,
    /// Where the memory begins.
    memory: u32,
    /// Flits of the packet that is being read, and of the packet that is coming in, which are still to follow.
    pub remaining: u16,
    pub arriving: u16,
}

/// A flit that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pop {
    /// Its place in the flit memory.
    pub place: usize,
    /// Flits of the packet and in the queue, with this one.
    pub remaining: u16,
    pub available: u16,
}

impl Pop {
    /// So many flits of the packet or fewer were left to be read with this one, and they were all in the queue.
    #[inline]
    pub fn is_among_last(&self, most: u16) -> bool {
        (self.remaining <= most) & (self.remaining <= self.available)
    }
}

impl FlitQueue {
    /// An empty queue.
    pub const fn new(memory: u32) -> FlitQueue {
        FlitQueue { settled: 0, oldest: 0, next: 0, memory, remaining: 0, arriving: 0 }
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

    /// Flits in the queue.
    #[inline]
    pub fn count(&self) -> u16 {
        self.next.wrapping_sub(self.oldest) as u16
    }

    /// The place to write to.
    #[inline]
    pub fn push(&mut self, mask: u16) -> usize {
        let next = self.next;
        self.next = next.wrapping_add(1);
        self.memory as usize + (next & u32::from(mask)) as usize
    }

    /// Takes a flit of a packet that still needs one, from a queue that has one.
    #[inline]
    pub fn pop(&mut self, mask: u16) -> Pop {
        let (oldest, remaining) = (self.oldest, self.remaining);
        let available = self.count();
        self.oldest = oldest.wrapping_add(1);
        self.remaining = remaining - 1;
        Pop { place: self.memory as usize + (oldest & u32::from(mask)) as usize, remaining, available }
    }

    /// Turns both places back by whole rounds of the memory, and to its beginning if nothing is in it, wherever the pointers of
    /// the hardware are: queues that are short all the time stay in the processor's cache.
    #[inline]
    pub fn settle(&mut self, mask: u16) {
        let rounds = if self.oldest == self.next { self.oldest } else { self.oldest & !u32::from(mask) };
        self.oldest -= rounds;
        self.next = self.next.wrapping_sub(rounds);
        self.settled += u64::from(rounds);
    }

    /// The write pointer of the hardware, whose queue has `depth` entries.
    pub fn write(&self, depth: u16) -> u64 {
        pointer(self.settled + u64::from(self.next), depth)
    }

    /// Its read pointer.
    pub fn read(&self, depth: u16) -> u64 {
        pointer(self.settled + u64::from(self.oldest), depth)
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
    fn flits_come_out_in_order_and_are_counted_down() {
        let (depth, mask) = (5, 7);
        let (mut queue, mut memory, mut expected) = (FlitQueue::new(2), [0; 10], VecDeque::new());
        let (mut written, mut remaining) = (0, 0);
        for step in 0..1000u64 {
            if step * step % 17 < 9 && queue.count() < depth {
                memory[queue.push(mask)] = step;
                expected.push_back(step);
                written += 1;
            } else if queue.count() != 0 {
                if remaining == 0 {
                    remaining = 1 + step as u16 % 9;
                    queue.remaining = remaining;
                }
                let pop = queue.pop(mask);
                assert_eq!((pop.remaining, usize::from(pop.available)), (remaining, expected.len()));
                assert_eq!(Some(memory[pop.place]), expected.pop_front());
                remaining -= 1;
                if step % 3 == 0 {
                    queue.settle(mask);
                    assert!(queue.oldest <= u32::from(mask) && (queue.oldest == 0 || queue.count() != 0));
                }
            }
            assert_eq!((usize::from(queue.count()), queue.remaining), (expected.len(), remaining));
            assert_eq!((queue.write(depth), queue.read(depth)), (written % 5, (written - expected.len() as u64) % 5));
        }
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
