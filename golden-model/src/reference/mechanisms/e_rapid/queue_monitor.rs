//! `queue_monitor`: for how much of a window packets wait for a board (Buffer_util).

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{count, flag};

/// Largest count of 12 bits.
pub(crate) const MOST: u16 = (1 << 12) - 1;

/// The monitor; the fields are its registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueMonitor {
    /// Cycles of this window in which packets waited, 12 bits.
    pub count: u16,
    /// Those of the last window, 12 bits.
    pub waited: u16,
}

impl QueueMonitor {
    /// A monitor in its state after reset.
    pub fn new() -> Self {
        QueueMonitor::default()
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = QueueMonitor::new();
    }

    /// The clock edge. `waits`: a packet wants the board, and no link to it is free; `sample`: the window ends.
    pub fn clock(&mut self, waits: bool, sample: bool) {
        if sample {
            self.waited = self.count;
        }
        self.count = (if sample { 0 } else { self.count } + u16::from(waits)).min(MOST);
    }
}

impl Registers for QueueMonitor {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("count", 12), self.count);
        rows.one(count("waited", 12), self.waited);
    }
}

inputs! {
    /// What the monitor sees in a cycle: packets wait; LinkRequest passes.
    #[derive(Clone, Copy, Debug)]
    pub struct QueueInputs {
        pub waits: bool = flag("waits"),
        pub sample: bool = flag("sample").habit(Habit::Rare),
    }
}

impl Block for QueueMonitor {
    type Inputs<'a> = QueueInputs;

    fn outputs(&self, _: &QueueInputs, rows: &mut RegisterRows) {
        rows.one(count("waited", 12), self.waited);
    }

    fn edge(&mut self, rst: bool, seen: &QueueInputs) {
        if rst { self.reset() } else { self.clock(seen.waits, seen.sample) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cycle_of_a_sample_counts_for_the_next_window() {
        let mut queue = QueueMonitor::new();
        for waits in [true, false, true] {
            queue.clock(waits, false);
        }
        queue.clock(true, true);
        assert_eq!(queue, QueueMonitor { count: 1, waited: 2 });
        queue.clock(false, true);
        assert_eq!(queue, QueueMonitor { count: 0, waited: 1 });
        queue.reset();
        assert_eq!(queue, QueueMonitor::new());
    }

    #[test]
    fn counts_end_at_12_bits() {
        let mut queue = QueueMonitor::new();
        (0..4095).for_each(|_| queue.clock(true, false));
        assert_eq!(queue.count, 4095);
        queue.clock(true, false);
        assert_eq!(queue.count, 4095);
        queue.clock(true, true);
        assert_eq!(queue, QueueMonitor { count: 1, waited: 4095 });
    }
}
