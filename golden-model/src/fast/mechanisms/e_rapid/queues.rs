//! How packets wait for boards: counted when it ends, or when a window does.

use crate::bits::{is_set, ones};
use crate::fast::frame::Frame;
use crate::reference::mechanisms::e_rapid::queue_monitor::MOST;

/// The queues to other boards; bit and element o - 1 are of the board o further.
#[derive(Clone, Debug)]
pub(super) struct Queues {
    boards: usize,
    /// Where packets wait since the cycle in `at`, in which the count was this.
    waits: u8,
    at: [u64; 7],
    count: [u16; 7],
    pub wait: [u16; 7],
    /// The sum of what windows that have ended counted.
    past: [u64; 7],
}

impl Queues {
    /// Of so many boards, in the state after reset, in cycle `now`.
    pub fn new(boards: usize, now: u64) -> Self {
        Queues { boards, waits: 0, at: [now; 7], count: [0; 7], wait: [0; 7], past: [0; 7] }
    }

    fn count(&self, queue: usize, now: u64) -> u16 {
        let waited = if is_set(self.waits.into(), queue) { now - self.at[queue] } else { 0 };
        (u64::from(self.count[queue]) + waited).min(MOST.into()) as u16
    }

    #[inline]
    fn settle(&mut self, queue: usize, now: u64) {
        (self.count[queue], self.at[queue]) = (self.count(queue, now), now);
    }

    /// From cycle `now` on packets wait for these boards.
    #[inline]
    pub fn wait_from(&mut self, now: u64, waits: u8) {
        for queue in ones((self.waits ^ waits).into()) {
            self.settle(queue, now);
        }
        self.waits = waits;
    }

    /// A window of a queue ends with cycle `now`.
    pub fn sample(&mut self, queue: usize, now: u64) {
        self.settle(queue, now);
        self.wait[queue] = self.count[queue];
        self.past[queue] += u64::from(self.count[queue]);
        self.count[queue] = 0;
    }

    /// Cycles before `now` that all windows have counted, the one under way too.
    pub fn waited(&self, queue: usize, now: u64) -> u64 {
        self.past[queue] + u64::from(self.count(queue, now))
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        frame.fill(self.boards - 1, |queue| self.count(queue, now).into());
        frame.fill(self.boards - 1, |queue| self.wait[queue].into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_waited_goes_on_from_window_to_window() {
        let mut queues = Queues::new(3, 100);
        // Packets wait for the first board in cycles 110 to 129 and from 150 on; a window ends with cycle 160.
        queues.wait_from(110, 0b01);
        queues.wait_from(130, 0b10);
        queues.wait_from(150, 0b01);
        assert_eq!((queues.waited(0, 155), queues.waited(1, 155)), (25, 20));
        queues.sample(0, 160);
        assert_eq!((queues.wait[0], queues.waited(0, 160)), (30, 30));
        assert_eq!((queues.waited(0, 170), queues.waited(1, 170)), (40, 20));
        queues.sample(0, 180);
        assert_eq!((queues.wait[0], queues.waited(0, 181)), (20, 51));
    }
}
