//! When windows end, and what is looked at behind that: the cycles in which it begins are noted down.

use crate::fast::frame::Frame;
use powar_config::mechanism::perf_bound::THRESHOLDS;

#[derive(Clone, Debug)]
pub(super) struct Windows {
    /// The cycle in which `count` was 0.
    since: u64,
    /// The last cycle of this window.
    end: u64,
    /// The cycle in which the shortest threshold was looked at, or is to be next.
    search: Option<u64>,
}

impl Windows {
    /// The state after reset in cycle `now`, with windows of so many cycles.
    pub fn new(now: u64, period: u32) -> Windows {
        let mut windows = Windows { since: now, end: 0, search: None };
        windows.plan_anew(now, period);
        windows
    }

    /// Windows take so many cycles from cycle `now` on.
    pub fn plan_anew(&mut self, now: u64, period: u32) {
        self.end = now.max(self.since + u64::from(period.max(1)) - 1);
    }

    /// The place of the threshold that is looked at in cycle `now`.
    pub fn looked_at(&self, now: u64) -> Option<usize> {
        let place = now.checked_sub(self.search?)? as usize;
        (place < THRESHOLDS).then_some(place)
    }

    /// Nothing is looked at in cycle `now`, nor was in the one before: thresholds are what they were.
    pub fn is_quiet(&self, now: u64) -> bool {
        self.search.is_none_or(|search| now > search + THRESHOLDS as u64)
    }

    /// The clock edge that ends cycle `now`.
    pub fn clock(&mut self, now: u64, period: u32) {
        if now >= self.end {
            (self.since, self.search) = (now + 1, Some(now + 1));
            self.plan_anew(now + 1, period);
        }
    }

    /// The first cycle from `now` on that has to be clocked.
    pub fn next_event(&self, now: u64) -> u64 {
        if self.is_quiet(now) { self.end } else { now }
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        let look = self.looked_at(now).map_or(0, |place| 1 << place);
        frame.put([look, now - self.since]);
    }
}
