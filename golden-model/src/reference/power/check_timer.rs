//! `check_timer`: when the flit counters are compared with the thresholds.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Owner;
use powar_config::signal::{duration, elapsed, flag};

/// What belongs to the check timer of a mechanism.
pub(crate) const TIMER: Owner = Owner::Part("timer");

/// The check timer; the count is its register.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckTimer {
    /// Cycles of this period that have passed.
    pub count: u16,
}

impl CheckTimer {
    /// A timer in its state after reset.
    pub fn new() -> Self {
        CheckTimer::default()
    }

    /// Whether this is the last cycle of a check period of `period` cycles; 0 and 1 both check in every cycle.
    pub fn check(&self, period: u16) -> bool {
        u32::from(self.count) + 1 >= u32::from(period)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.count = 0;
    }

    /// The clock edge.
    pub fn clock(&mut self, period: u16) {
        self.count = if self.check(period) { 0 } else { self.count + 1 };
    }
}

impl Registers for CheckTimer {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(elapsed("count", 16), self.count);
    }
}

inputs! {
    /// What the timer sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct TimerInputs {
        /// Cycles.
        pub period: u16 = duration("period", 16),
    }
}

impl Block for CheckTimer {
    type Inputs<'a> = TimerInputs;

    fn outputs(&self, seen: &TimerInputs, rows: &mut RegisterRows) {
        rows.one(flag("check"), self.check(seen.period));
    }

    fn edge(&mut self, rst: bool, seen: &TimerInputs) {
        if rst { self.reset() } else { self.clock(seen.period) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(timer: &mut CheckTimer, period: u16, cycles: usize) -> Vec<bool> {
        (0..cycles)
            .map(|_| {
                let check = timer.check(period);
                timer.clock(period);
                check
            })
            .collect()
    }

    #[test]
    fn every_third_cycle() {
        let mut timer = CheckTimer::new();
        assert_eq!(checks(&mut timer, 3, 7), [false, false, true, false, false, true, false]);
        assert_eq!(timer.count, 1);
    }

    #[test]
    fn periods_of_0_and_1_check_in_every_cycle() {
        for period in [0, 1] {
            assert_eq!(checks(&mut CheckTimer::new(), period, 3), [true; 3]);
        }
    }

    #[test]
    fn a_shortened_period_that_has_passed_ends_at_once() {
        let mut timer = CheckTimer { count: 10 };
        assert_eq!(checks(&mut timer, 4, 4), [true, false, false, false]);
    }

    #[test]
    fn the_longest_period_and_a_full_count_do_not_wrap() {
        let mut timer = CheckTimer { count: 65533 };
        assert_eq!(checks(&mut timer, 65535, 2), [false, true]);
        assert_eq!(timer.count, 0);
        assert!(CheckTimer { count: 65535 }.check(65535));
    }
}
