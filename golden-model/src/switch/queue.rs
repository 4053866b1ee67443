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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

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
