//! `age_monitor`: whether flits stay in input buffers for too long (III-C, equation 3).

use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{count, flag, set};

/// The monitor; the fields are its registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgeMonitor {
    /// Prediction of the departures of a window, 24 bits.
    pub past_departures: u32,
    /// Quarters of the cycles that so many flits may take, 40 bits.
    pub allowed: u64,
    /// They took more.
    pub late: bool,
}

inputs! {
    /// What the monitor sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct AgeInputs {
        /// Last cycle of a window.
        pub check: bool = flag("check").habit(Habit::Rare),
        /// Flits read from input buffers in the window, 24 bits.
        pub departures: u32 = count("departures", 24),
        /// Of the predictor, 3 and 36 bits.
        pub stage: u8 = set("stage", 3),
        pub past_filled: u64 = count("past_filled", 36),
        /// Quarters of a cycle.
        pub age_limit: u16 = count("age_limit", 16),
    }
}

impl AgeMonitor {
    /// A monitor in its state after reset.
    pub fn new() -> Self {
        AgeMonitor::default()
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = AgeMonitor::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &AgeInputs) {
        let before = self.clone();
        let stage = |bit| is_set(inputs.stage.into(), bit);
        if inputs.check {
            self.past_departures = (3 * inputs.departures + before.past_departures) / 4;
        }
        if stage(0) {
            self.allowed = u64::from(inputs.age_limit) * u64::from(before.past_departures);
        }
        if stage(1) {
            self.late = 4 * inputs.past_filled > before.allowed;
        }
    }
}

impl Registers for AgeMonitor {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("past_departures", 24), self.past_departures);
        rows.one(count("allowed", 40), self.allowed);
        rows.one(flag("late"), self.late);
    }
}

impl Block for AgeMonitor {
    type Inputs<'a> = AgeInputs;

    fn outputs(&self, _: &AgeInputs, rows: &mut RegisterRows) {
        rows.one(flag("late"), self.late);
    }

    fn edge(&mut self, rst: bool, seen: &AgeInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether flits are late after a window with such a sum of fills and so many departures, of an age target of so many cycles; windows
    /// before it were like it.
    fn late(filled: u64, departures: u32, target: u16) -> bool {
        let mut monitor = AgeMonitor { past_departures: departures, ..AgeMonitor::new() };
        let seen = AgeInputs { past_filled: filled, departures, age_limit: 5 * target, ..AgeInputs::default() };
        monitor.clock(&AgeInputs { check: true, ..seen });
        monitor.clock(&AgeInputs { stage: 0b001, ..seen });
        monitor.clock(&AgeInputs { stage: 0b010, ..seen });
        monitor.late
    }

    #[test]
    fn flits_are_late_beyond_a_quarter_above_the_target() {
        // Age is filled / departures: 1.25 x 8 = 10 cycles.
        for (filled, departures, expected) in
            [(1000, 100, false), (1001, 100, true), (999, 100, false), (10, 1, false), (11, 1, true)]
        {
            assert_eq!(late(filled, departures, 8), expected, "{filled} / {departures}");
        }
        // 1.25 x 5 = 6.25 cycles: 25 of four flits.
        assert!(!late(25, 4, 5) && late(26, 4, 5));
    }

    #[test]
    fn windows_without_departures_are_late_if_flits_wait_in_them() {
        assert!(late(1, 0, 5));
        assert!(!late(0, 0, 5));
    }

    #[test]
    fn the_age_follows_the_last_windows() {
        let mut monitor = AgeMonitor::new();
        let seen = AgeInputs { past_filled: 700, age_limit: 4, ..AgeInputs::default() };
        let mut was_late = vec![];
        for departures in [1000, 1000, 0, 0, 0] {
            monitor.clock(&AgeInputs { check: true, departures, ..seen });
            monitor.clock(&AgeInputs { stage: 0b001, ..seen });
            monitor.clock(&AgeInputs { stage: 0b010, ..seen });
            monitor.clock(&AgeInputs { stage: 0b100, ..seen });
            was_late.push((monitor.past_departures, monitor.late));
        }
        assert_eq!(was_late, [(750, false), (937, false), (234, true), (58, true), (14, true)]);
        monitor.reset();
        assert_eq!(monitor, AgeMonitor::new());
    }

    #[test]
    fn the_largest_values_do_not_wrap() {
        assert!(!late(65_535 * (1 << 20), 1 << 22, 13_107));
        assert!(late(65_535 * (1 << 20) + 1, 1 << 22, 13_107));
        assert!(late((1 << 36) - 1, (1 << 24) - 1, 1));
    }
}
