//! `gap_histogram`: how long one output port is not in use, and how often that has got to each threshold.

use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::perf_bound::THRESHOLDS;
use powar_config::signal::{choice, count, elapsed, flag};
use powar_config::{Habit, SignalSpec};

/// The longest gap that is told from a longer one.
const LONGEST: u32 = (1 << 24) - 1;

/// What the counter that is looked at says, to the two blocks that have it.
pub(super) const fn counter(name: &'static str) -> SignalSpec {
    count(name, 8)
}

/// The gaps of a port; the fields are its registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GapHistogram {
    /// Cycles of this gap before this one (24 bits).
    pub gap: u32,
    /// How often a gap got to 2^b cycles since the counter was looked at.
    pub counts: [u8; THRESHOLDS],
}

inputs! {
    /// What is seen of a port in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct GapInputs {
        /// A packet holds the port or is given it, or a flit sets out for it.
        pub in_use: bool = flag("in_use").habit(Habit::Tide),
        /// Bit b: counter b is looked at.
        pub look: u32 = choice("look", THRESHOLDS).habit(Habit::Rare),
    }
}

impl GapHistogram {
    /// In the state after reset.
    pub fn new() -> Self {
        GapHistogram::default()
    }

    /// Cycles of this gap with this one, if it is one.
    pub fn idle(&self) -> u32 {
        LONGEST.min(self.gap + 1)
    }

    /// The counter that is looked at.
    pub fn looked(&self, look: u32) -> u8 {
        let looked = self.counts.iter().enumerate().filter(|&(b, _)| is_set(look.into(), b));
        looked.map(|(_, &count)| count).sum()
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = GapHistogram::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GapInputs) {
        let idle = self.idle();
        let reached = if inputs.in_use || idle == self.gap { 0 } else { idle };
        for (b, count) in self.counts.iter_mut().enumerate() {
            let before = if is_set(inputs.look.into(), b) { 0 } else { *count };
            *count = before.saturating_add(u8::from(reached == 1 << b));
        }
        self.gap = if inputs.in_use { 0 } else { idle };
    }
}

impl Registers for GapHistogram {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(elapsed("gap", 24), self.gap);
        rows.many(counter("count"), self.counts);
    }
}

impl Block for GapHistogram {
    type Inputs<'a> = GapInputs;

    fn outputs(&self, seen: &GapInputs, rows: &mut RegisterRows) {
        rows.one(counter("looked"), self.looked(seen.look));
        rows.one(elapsed("idle", 24), self.idle());
    }

    fn edge(&mut self, rst: bool, seen: &GapInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gaps of these lengths, a cycle of use behind each.
    fn after(lengths: &[u32]) -> GapHistogram {
        let mut gaps = GapHistogram::new();
        for &length in lengths {
            for cycle in 0..=length {
                gaps.clock(&GapInputs { in_use: cycle == length, look: 0 });
            }
        }
        gaps
    }

    #[test]
    fn a_gap_is_counted_at_each_threshold_that_it_gets_to() {
        let gaps = after(&[1, 2, 3, 4, 7, 8, 100]);
        assert_eq!(gaps.counts[..8], [7, 6, 4, 2, 1, 1, 1, 0]);
        assert_eq!((gaps.gap, gaps.idle()), (0, 1));
        assert_eq!(gaps.looked(4), 4);
        assert_eq!(gaps.looked(0), 0);
    }

    #[test]
    fn a_gap_that_goes_on_is_counted_already() {
        let mut gaps = GapHistogram::new();
        for cycle in 1..=16u32 {
            gaps.clock(&GapInputs::default());
            let reached = gaps.counts.iter().map(|&count| u32::from(count)).sum::<u32>();
            assert_eq!((gaps.gap, reached), (cycle, cycle.ilog2() + 1));
        }
    }

    #[test]
    fn a_counter_that_is_looked_at_begins_anew_with_what_its_cycle_counts() {
        let mut gaps = GapHistogram { gap: 3, counts: [9; THRESHOLDS] };
        gaps.clock(&GapInputs { in_use: false, look: 1 << 2 });
        assert_eq!(gaps.counts[..4], [9, 9, 1, 9], "the fourth cycle");
        gaps.clock(&GapInputs { in_use: false, look: 1 << 3 });
        assert_eq!(gaps.counts[..4], [9, 9, 1, 0]);
    }

    #[test]
    fn counters_and_gaps_stop() {
        let mut gaps = GapHistogram { gap: 0, counts: [255; THRESHOLDS] };
        gaps.clock(&GapInputs::default());
        assert_eq!(gaps, GapHistogram { gap: 1, counts: [255; THRESHOLDS] });
        let mut longest = GapHistogram { gap: LONGEST, counts: [3; THRESHOLDS] };
        longest.clock(&GapInputs::default());
        assert_eq!(longest, GapHistogram { gap: LONGEST, counts: [3; THRESHOLDS] });
        assert_eq!(longest.idle(), LONGEST);
    }
}
