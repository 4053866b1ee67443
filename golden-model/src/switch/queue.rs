//! Queues in memories (section 5.3).

/// Where the entries of a queue are.
///
/// Entries lie in memory from its beginning on when the queue was last empty, wherever the pointers of the hardware are: queues
/// that are short all the time stay in the processor's cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    /// Entries since the reset, which the pointers follow from.
    pushed: u64,
    /// The place in memory behind the youngest entry.
    behind: u16,
    pub count: u16,
}

impl Queue {
    pub const EMPTY: Queue = Queue { pushed: 0, behind: 0, count: 0 };

    /// The place to write to, in a memory of `depth` words.
    #[inline]
    pub fn push(&mut self, depth: u16) -> usize {
        let place = if self.count == 0 { 0 } else { self.behind };
        self.behind = if place + 1 == depth { 0 } else { place + 1 };
        self.count += 1;
        self.pushed += 1;
        place.into()
    }

    /// The place to read from.
    #[inline]
    pub fn pop(&mut self, depth: u16) -> usize {
        let turned = if self.behind < self.count { depth } else { 0 };
        let place = self.behind + turned - self.count;
        self.count -= 1;
        place.into()
    }

    /// The write pointer of the hardware.
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
        let depth = 5;
        let (mut queue, mut memory, mut expected) = (Queue::EMPTY, [0; 5], VecDeque::new());
        let (mut write, mut read) = (0, 0);
        for step in 0..1000u64 {
            // Fills and empties in waves of all lengths.
            let fills = step * step % 17 < 9;
            if fills && queue.count < depth {
                memory[queue.push(depth)] = step;
                expected.push_back(step);
                write = (write + 1) % 5;
            } else if queue.count != 0 {
                assert_eq!(Some(memory[queue.pop(depth)]), expected.pop_front());
                read = (read + 1) % 5;
            }
            assert_eq!(usize::from(queue.count), expected.len());
            assert_eq!((queue.write(depth), queue.read(depth)), (write, read));
        }
    }
}
