//! `idle_threshold`: how long one output port has to be idle before it may fall asleep.

use super::gap_histogram::counter;
use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::mechanism::perf_bound::THRESHOLDS;
use powar_config::signal::{choice, count, duration, elapsed, flag};

/// The longest threshold, cycles.
const LONGEST: u32 = 1 << (THRESHOLDS - 1);

/// The threshold of a port; the fields are its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleThreshold {
    /// Cycles, a power of two (24 bits).
    pub threshold: u32,
    /// Counters are being looked at, and none was few enough.
    pub seeks: bool,
}

inputs! {
    /// What a port's threshold sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ThresholdInputs {
        /// Bit b: counter b is looked at.
        pub look: u32 = choice("look", THRESHOLDS),
        /// That counter.
        pub count: u8 = counter("count").habit(Habit::Beside),
        /// Cycles of this gap with this one.
        pub idle: u32 = elapsed("idle", 24).habit(Habit::Beside),
        /// Sleeps that a window may cost.
        pub allowed: u8 = count("allowed", 8),
    }
}

impl Default for IdleThreshold {
    fn default() -> Self {
        IdleThreshold::new()
    }
}

impl IdleThreshold {
    /// In the state after reset.
    pub fn new() -> Self {
        IdleThreshold { threshold: LONGEST, seeks: false }
    }

    /// The gap has got to the threshold.
    pub fn may_sleep(&self, idle: u32) -> bool {
        idle >= self.threshold
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = IdleThreshold::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ThresholdInputs) {
        let &ThresholdInputs { look, count, allowed, .. } = inputs;
        let first = is_set(look.into(), 0);
        let open = first || self.seeks;
        let nothing = first && count == 0;
        let enough = count <= allowed || is_set(look.into(), THRESHOLDS - 1);
        let take = open && !nothing && look != 0 && enough;
        if take {
            self.threshold = look;
        }
        self.seeks = open && !nothing && !take;
    }
}

impl Registers for IdleThreshold {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(duration("threshold", 24), self.threshold);
        rows.one(flag("seeks"), self.seeks);
    }
}

impl Block for IdleThreshold {
    type Inputs<'a> = ThresholdInputs;

    fn outputs(&self, seen: &ThresholdInputs, rows: &mut RegisterRows) {
        rows.one(flag("may_sleep"), self.may_sleep(seen.idle));
    }

    fn edge(&mut self, rst: bool, seen: &ThresholdInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The threshold after a search through these counters, and 0 behind them; before it was 64 cycles.
    fn found(counts: &[u8], allowed: u8) -> u32 {
        let mut threshold = IdleThreshold { threshold: 64, seeks: false };
        for b in 0..THRESHOLDS {
            let count = counts.get(b).copied().unwrap_or(0);
            threshold.clock(&ThresholdInputs { look: 1 << b, count, idle: 0, allowed });
        }
        assert!(!threshold.seeks);
        threshold.threshold
    }

    #[test]
    fn the_shortest_threshold_that_costs_no_more_than_is_allowed_is_taken() {
        let counts = [9, 9, 7, 3, 2, 2, 1];
        assert_eq!([9, 8, 7, 2, 1, 0].map(|allowed| found(&counts, allowed)), [1, 4, 4, 16, 64, 128]);
        // Gaps over the end of a window may leave a longer threshold with more.
        assert_eq!(found(&[5, 1, 2, 2], 1), 2);
    }

    #[test]
    fn a_window_without_a_gap_leaves_the_threshold_as_it_is() {
        assert_eq!(found(&[], 0), 64);
        assert_eq!(found(&[0, 0, 0, 1], 3), 64, "a gap that began in the window before");
    }

    #[test]
    fn without_a_threshold_that_is_cheap_enough_the_longest_is_taken() {
        assert_eq!(found(&[255; THRESHOLDS], 254), LONGEST);
        assert_eq!(found(&[255; THRESHOLDS], 255), 1, "255 sets no limit");
    }

    #[test]
    fn a_search_that_is_begun_anew_forgets_the_one_before() {
        let mut threshold = IdleThreshold::new();
        let look = |look, count| ThresholdInputs { look, count, idle: 0, allowed: 1 };
        threshold.clock(&look(1, 5));
        assert!(threshold.seeks);
        threshold.clock(&look(0, 0));
        assert_eq!(threshold, IdleThreshold { threshold: LONGEST, seeks: true }, "nothing comes");
        threshold.clock(&look(1, 0));
        assert_eq!(threshold, IdleThreshold::new());
        threshold.clock(&look(1, 1));
        assert_eq!(threshold, IdleThreshold { threshold: 1, seeks: false });
        assert!(threshold.may_sleep(1) && !IdleThreshold::new().may_sleep(LONGEST - 1));
    }
}
