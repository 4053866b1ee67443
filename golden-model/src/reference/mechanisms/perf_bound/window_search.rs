//! `window_search`: when windows end, and which counters of all ports are looked at behind that.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::SignalSpec;
use powar_config::mechanism::perf_bound::THRESHOLDS;
use powar_config::signal::{choice, duration, elapsed};

/// Which counters are looked at; of the whole mechanism, as what waves show of it.
pub(super) const LOOK: SignalSpec = choice("look", THRESHOLDS);

/// The timer; the fields are its registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowSearch {
    /// Bit b: counter b of each port is looked at in this cycle (24 bits).
    pub look: u32,
    /// Cycles of this window that have passed (24 bits).
    pub count: u32,
}

inputs! {
    /// What the timer sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SearchInputs {
        /// Cycles of a window.
        pub period: u32 = duration("period", 24),
    }
}

impl WindowSearch {
    /// In the state after reset.
    pub fn new() -> Self {
        WindowSearch::default()
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = WindowSearch::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, period: u32) {
        let check = self.count + 1 >= period;
        self.count = if check { 0 } else { self.count + 1 };
        self.look = if check { 1 } else { 2 * self.look % (1 << THRESHOLDS) };
    }
}

impl Registers for WindowSearch {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(LOOK, self.look);
        rows.one(elapsed("count", 24), self.count);
    }
}

impl Block for WindowSearch {
    type Inputs<'a> = SearchInputs;

    fn outputs(&self, _: &SearchInputs, rows: &mut RegisterRows) {
        rows.one(LOOK, self.look);
    }

    fn edge(&mut self, rst: bool, seen: &SearchInputs) {
        if rst { self.reset() } else { self.clock(seen.period) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is looked at in so many cycles with this period.
    fn looks(period: u32, cycles: usize) -> Vec<u32> {
        let mut search = WindowSearch::new();
        let mut next = || {
            let look = search.look;
            search.clock(period);
            look
        };
        (0..cycles).map(|_| next()).collect()
    }

    #[test]
    fn each_counter_is_looked_at_once_a_window() {
        let looks = looks(40, 120);
        assert!(looks[..40].iter().all(|&look| look == 0), "the first window");
        for window in 1..3 {
            for (cycle, &look) in looks[40 * window..][..40].iter().enumerate() {
                assert_eq!(look, if cycle < 24 { 1 << cycle } else { 0 }, "{window}, {cycle}");
            }
        }
    }

    #[test]
    fn a_short_period_begins_the_search_anew() {
        assert_eq!(looks(3, 9), [0, 0, 0, 1, 2, 4, 1, 2, 4]);
        assert_eq!(looks(1, 4), [0, 1, 1, 1]);
        assert_eq!(looks(0, 4), [0, 1, 1, 1]);
    }

    #[test]
    fn the_longest_period_does_not_wrap() {
        let mut search = WindowSearch { look: 0, count: (1 << 24) - 2 };
        search.clock((1 << 24) - 1);
        assert_eq!(search, WindowSearch { look: 1, count: 0 });
    }
}
