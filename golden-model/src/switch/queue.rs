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
        self.pushed % u64::from(depth)
    }

    /// Its read pointer.
    pub fn read(&self, depth: u16) -> u64 {
        (self.pushed - u64::from(self.count)) % u64::from(depth)
    }
}

/// The flits of a virtual channel, and how many of them its packet still needs.
///
/// What changes with every flit is in one word, so that it is one addition: 15:0 flits of the packet that is being read that have
/// not been read yet, 31:16 flits in the queue, 63:32 the place of the oldest, modulo the size of the memory.
///
/// Entries lie in memory from its beginning on when the queue was last [rewound](FlitQueue::rewind).
#[derive(Clone, Copy, Debug)]
pub(super) struct FlitQueue {
    word: u64,
    /// Entries since the reset, which the pointers of the hardware follow from.
    pushed: u64,
}

/// A flit that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pop {
    pub place: usize,
    /// Flits of the packet and in the queue, with this one.
    pub remaining: u16,
    pub available: u16,
    /// It is the last of the packet or of the queue.
    pub is_last: bool,
}

const ONE_FLIT: u64 = 1 << 16;
const NEXT_PLACE: u64 = 1 << 32;

impl FlitQueue {
    pub const EMPTY: FlitQueue = FlitQueue { word: 0, pushed: 0 };

    /// Flits in the queue.
    #[inline]
    pub fn count(&self) -> u16 {
        (self.word >> 16) as u16
    }

    /// Flits of the packet that have not been read.
    #[inline]
    pub fn remaining(&self) -> u16 {
        self.word as u16
    }

    /// A packet of so many flits begins to be read.
    #[inline]
    pub fn begin(&mut self, length: u16) {
        self.word = self.word & !0xffff | u64::from(length);
    }

    /// The place to write to, in a memory of `mask` + 1 words: a power of two, and no less than the depth of the queue.
    #[inline]
    pub fn push(&mut self, mask: u16) -> usize {
        // What is above the count is masked out, because a memory has 2^16 words at most.
        let place = ((self.word >> 32) + (self.word >> 16)) as usize & usize::from(mask);
        self.word += ONE_FLIT;
        self.pushed += 1;
        place
    }

    /// Takes a flit of a packet that still needs one, from a queue that has one.
    #[inline]
    pub fn pop(&mut self, mask: u16) -> Pop {
        let (before, after) = (self.word, self.word.wrapping_add(NEXT_PLACE - ONE_FLIT - 1));
        self.word = after;
        Pop {
            place: (before >> 32) as usize & usize::from(mask),
            remaining: before as u16,
            available: (before >> 16) as u16,
            is_last: (after as u16 == 0) | (after as u32 >> 16 == 0),
        }
    }

    /// Goes back to the beginning of the memory if nothing is in it, wherever the pointers of the hardware are: queues that are
    /// short all the time stay in the processor's cache.
    #[inline]
    pub fn rewind(&mut self) {
        if self.count() == 0 {
            self.word &= 0xffff;
        }
    }

    /// The write pointer of the hardware, whose queue has `depth` entries.
    pub fn write(&self, depth: u16) -> u64 {
        self.pushed % u64::from(depth)
    }

    /// Its read pointer.
    pub fn read(&self, depth: u16) -> u64 {
        (self.pushed - u64::from(self.count())) % u64::from(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    #[test]
    fn flits_come_out_in_order_and_are_counted_down() {
        let (depth, mask) = (5, 7);
        let (mut queue, mut memory, mut expected) = (FlitQueue::EMPTY, [0; 8], VecDeque::new());
        // The place passes the end of its bits in the test.
        queue.word = 0xffff_fff0 << 32;
        let (mut written, mut remaining) = (0, 0);
        for step in 0..1000u64 {
            if step * step % 17 < 9 && queue.count() < depth {
                memory[queue.push(mask)] = step;
                expected.push_back(step);
                written += 1;
            } else if queue.count() != 0 {
                if remaining == 0 {
                    remaining = 1 + step as u16 % 9;
                    queue.begin(remaining);
                }
                let pop = queue.pop(mask);
                assert_eq!((pop.remaining, usize::from(pop.available)), (remaining, expected.len()));
                assert_eq!(Some(memory[pop.place]), expected.pop_front());
                remaining -= 1;
                assert_eq!(pop.is_last, remaining == 0 || expected.is_empty());
                if step > 500 {
                    queue.rewind();
                }
            }
            assert_eq!((usize::from(queue.count()), queue.remaining()), (expected.len(), remaining));
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
