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
}

impl Queues {
    /// Of so many boards, in the state after reset, in cycle `now`.
    pub fn new(boards: usize, now: u64) -> Self {
        Queues { boards, waits: 0, at: [now; 7], count: [0; 7], wait: [0; 7] }
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
        self.count[queue] = 0;
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        frame.fill(self.boards - 1, |queue| self.count(queue, now).into());
        frame.fill(self.boards - 1, |queue| self.wait[queue].into());
    }
}
