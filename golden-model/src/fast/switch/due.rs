//! What becomes due in the cycles that are near: a time wheel.

/// Cycles that can be planned for: those from the next one on, so many less one.
pub(super) const CYCLES: u64 = 64;

/// What is due in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Duties {
    /// Input ports at which the last flit of a run is read.
    pub stops: u64,
    /// Input ports whose packet is sure to have been read two cycles later at the latest.
    pub ends: u64,
    /// Output ports that are released with the flit that is read for them.
    pub released: u64,
}

/// The wheel: a slot for every cycle.
#[derive(Clone, Debug)]
pub(super) struct Due {
    slots: Box<[Duties; CYCLES as usize]>,
    /// Slots in which there is something.
    marked: u64,
}

impl Due {
    /// Nothing is due.
    pub fn new() -> Due {
        Due { slots: Box::new([Duties::default(); CYCLES as usize]), marked: 0 }
    }

    pub fn clear(&mut self) {
        (*self.slots, self.marked) = ([Duties::default(); CYCLES as usize], 0);
    }

    /// What is due in a cycle, to be added to: one of the [`CYCLES`] from the first on that has not been taken.
    #[inline]
    pub fn at(&mut self, cycle: u64) -> &mut Duties {
        self.marked |= 1 << (cycle % CYCLES);
        &mut self.slots[(cycle % CYCLES) as usize]
    }

    /// Takes what is due in a cycle; nothing was due before it.
    #[inline]
    pub fn take(&mut self, cycle: u64) -> Duties {
        let slot = cycle % CYCLES;
        if self.marked >> slot & 1 == 0 {
            return Duties::default();
        }
        self.marked &= !(1 << slot);
        std::mem::take(&mut self.slots[slot as usize])
    }

    /// The next cycle, from the first on that has not been taken, in which something is due; `u64::MAX`: there is none.
    #[inline]
    pub fn next(&self, from: u64) -> u64 {
        match self.marked {
            0 => u64::MAX,
            marked => from + u64::from(marked.rotate_right((from % CYCLES) as u32).trailing_zeros()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_due_is_taken_once_in_its_cycle() {
        let mut due = Due::new();
        for from in (0..1000).step_by(37) {
            assert_eq!(due.next(from), u64::MAX);
            due.at(from + 63).stops |= 1;
            due.at(from).released |= 2;
            due.at(from + 5).ends |= 4;
            due.at(from + 63).stops |= 8;
            let cycles: Vec<u64> = (0..3)
                .map(|_| {
                    let next = due.next(from);
                    let duties = due.take(next);
                    assert_ne!(duties, Duties::default());
                    assert_eq!(due.take(next), Duties::default());
                    assert_eq!(duties.stops, if next == from + 63 { 9 } else { 0 });
                    next - from
                })
                .collect();
            assert_eq!(cycles, [0, 5, 63]);
        }
    }
}
