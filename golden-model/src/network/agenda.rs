//! What is due when.

/// What is due in cycles that are near enough, in any order.
#[derive(Clone, Debug)]
pub(super) struct Calendar<T> {
    slots: Box<[Vec<T>]>,
    cycles: Cycles,
}

impl<T> Calendar<T> {
    /// Nothing is due; what is put in is due within so many cycles.
    pub fn new(delay: u64) -> Calendar<T> {
        let cycles = Cycles::new(delay);
        Calendar { slots: (0..=cycles.mask).map(|_| Vec::new()).collect(), cycles }
    }

    #[inline]
    pub fn push(&mut self, cycle: u64, what: T) {
        let slot = self.cycles.slot(cycle);
        self.slots[slot].push(what);
        self.cycles.mark(slot);
    }

    /// Takes what is due in a cycle, to be given back with [`Calendar::over`] for its memory.
    #[inline]
    pub fn take(&mut self, cycle: u64) -> Vec<T> {
        let slot = self.cycles.slot(cycle);
        self.cycles.clear(slot);
        std::mem::take(&mut self.slots[slot])
    }

    /// What was due in a cycle has been done.
    #[inline]
    pub fn over(&mut self, cycle: u64, mut done: Vec<T>) {
        done.clear();
        self.slots[self.cycles.slot(cycle)] = done;
    }

    /// The cycle, from a given one on, in which there is something due next; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self, from: u64) -> u64 {
        self.cycles.next(from)
    }
}

/// The cycles near enough, as slots of a ring: those in which something happens are marked.
#[derive(Clone, Debug)]
struct Cycles {
    /// Slots, a power of two and at least 64, less one.
    mask: u64,
    marked: Box<[u64]>,
}

impl Cycles {
    fn new(delay: u64) -> Cycles {
        let slots = (delay + 1).next_power_of_two().max(64);
        Cycles { mask: slots - 1, marked: vec![0; slots as usize / 64].into() }
    }

    #[inline]
    fn slot(&self, cycle: u64) -> usize {
        (cycle & self.mask) as usize
    }

    #[inline]
    fn mark(&mut self, slot: usize) {
        self.marked[slot >> 6] |= 1 << (slot & 63);
    }

    #[inline]
    fn clear(&mut self, slot: usize) {
        self.marked[slot >> 6] &= !(1 << (slot & 63));
    }

    /// The first marked cycle from a given one on; `u64::MAX` if there is none.
    #[inline]
    fn next(&self, from: u64) -> u64 {
        let slot = self.slot(from);
        if let [marked] = *self.marked {
            return match marked {
                0 => u64::MAX,
                _ => from + u64::from(marked.rotate_right(slot as u32).trailing_zeros()),
            };
        }
        // The slot's own word twice: its upper part first, its lower part last.
        let words = self.marked.len();
        (0..=words)
            .find_map(|i| {
                let word = (slot / 64 + i) % words;
                let part = match i {
                    0 => u64::MAX << (slot % 64),
                    _ if i == words => !(u64::MAX << (slot % 64)),
                    _ => u64::MAX,
                };
                let bits = self.marked[word] & part;
                let place = (word * 64 + bits.trailing_zeros() as usize) as u64;
                (bits != 0).then(|| from + (place.wrapping_sub(slot as u64) & self.mask))
            })
            .unwrap_or(u64::MAX)
    }
}

/// Who has something to do in which of the cycles that are near enough.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    /// Words of a slot, one bit a member.
    words: usize,
    bits: Box<[u64]>,
    cycles: Cycles,
}

impl Agenda {
    /// Nothing to do; what is put in is due within so many cycles.
    pub fn new(members: usize, delay: u64) -> Agenda {
        let (cycles, words) = (Cycles::new(delay), members.div_ceil(64));
        Agenda { words, bits: vec![0; (cycles.mask as usize + 1) * words].into(), cycles }
    }

    /// One has something to do in that cycle.
    #[inline]
    pub fn add(&mut self, cycle: u64, member: u32) {
        let slot = self.cycles.slot(cycle);
        self.bits[slot * self.words + (member >> 6) as usize] |= 1 << (member & 63);
        self.cycles.mark(slot);
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// Those with something to do in a cycle, 64 of them; it is done.
    #[inline]
    pub fn take(&mut self, cycle: u64, word: usize) -> u64 {
        std::mem::take(&mut self.bits[self.cycles.slot(cycle) * self.words + word])
    }

    /// That cycle is over, everything has been taken.
    #[inline]
    pub fn over(&mut self, cycle: u64) {
        self.cycles.clear(self.cycles.slot(cycle));
    }

    /// The cycle, from a given one on, in which there is the next thing to do; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self, from: u64) -> u64 {
        self.cycles.next(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_tells_what_is_due_next_however_long_it_is() {
        for (delay, members) in [(1, 1), (63, 65), (64, 3), (200, 64), (4097, 2)] {
            let (mut agenda, mut calendar) = (Agenda::new(members, delay), Calendar::new(delay));
            let last = members as u32 - 1;
            assert_eq!((agenda.next(5), calendar.next(5)), (u64::MAX, u64::MAX));
            for from in (0..3 * delay).step_by(37) {
                for later in [0, 1, delay / 2, delay] {
                    for cycle in [from + delay, from + later] {
                        agenda.add(cycle, last);
                        calendar.push(cycle, (cycle, later));
                    }
                    for cycle in if later == delay { vec![from + delay] } else { vec![from + later, from + delay] } {
                        assert_eq!((agenda.next(from), calendar.next(from)), (cycle, cycle), "delay {delay}");
                        assert_eq!(agenda.take(cycle, last as usize / 64), 1 << (last & 63));
                        agenda.over(cycle);
                        let due = calendar.take(cycle);
                        assert_eq!(due, vec![(cycle, later); if later == delay { 2 } else { 1 }]);
                        calendar.over(cycle, due);
                    }
                    assert_eq!((agenda.next(from), calendar.next(from)), (u64::MAX, u64::MAX));
                }
            }
        }
    }
}
