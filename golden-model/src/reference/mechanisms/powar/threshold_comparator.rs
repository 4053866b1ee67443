//! `threshold_comparator`: the flit counter against T_on and T_off (POWAR Algorithms 2 and 3).

use crate::bits::MAX_24;
use crate::lock_step::{Block, Observed, input, output, register};
use powar_config::signal::{RST, count, flag};
use powar_config::{Habit, SignalDecl};

/// The comparator of a group; the fields are its registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThresholdComparator {
    /// Flits a check period above which one more port is made selectable.
    pub on_limit: u32,
    /// Flits a check period below which one port less is selectable.
    pub off_limit: u32,
}

impl ThresholdComparator {
    /// A comparator in its state after reset.
    pub fn new() -> Self {
        ThresholdComparator::default()
    }

    /// Whether more flits than the upper limit were forwarded; equality is not above.
    pub fn above(&self, count: u32) -> bool {
        count > self.on_limit
    }

    /// Whether fewer flits than the lower limit were forwarded; equality is not below.
    pub fn below(&self, count: u32) -> bool {
        count < self.off_limit
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = ThresholdComparator::new();
    }

    /// The clock edge; thresholds in flits per selectable port and check period.
    pub fn clock(&mut self, n_selectable: u8, on_flits: u16, off_flits: u16) {
        self.on_limit = (u32::from(n_selectable) * u32::from(on_flits)) & MAX_24;
        self.off_limit = (u32::from(n_selectable) * u32::from(off_flits)) & MAX_24;
    }
}

impl Block for ThresholdComparator {
    fn signals(&self) -> Vec<SignalDecl> {
        vec![
            input(RST),
            input(count("count", 24).habit(Habit::Beside)),
            input(count("n_selectable", 7)),
            input(count("on_flits", 16)),
            input(count("off_flits", 16)),
            output(flag("above")),
            output(flag("below")),
            register(count("on_limit", 24)),
            register(count("off_limit", 24)),
        ]
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let count = inputs[1] as u32;
        observed.put(self.above(count));
        observed.put(self.below(count));
        observed.put(self.on_limit);
        observed.put(self.off_limit);
        if inputs[0] == 1 {
            self.reset();
        } else {
            self.clock(inputs[2] as u8, inputs[3] as u16, inputs[4] as u16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_at_a_limit_is_neither_above_nor_below() {
        let mut comparator = ThresholdComparator::new();
        comparator.clock(3, 100, 50);
        assert_eq!((comparator.on_limit, comparator.off_limit), (300, 150));
        assert!(!comparator.above(300) && comparator.above(301));
        assert!(!comparator.below(150) && comparator.below(149));
    }

    #[test]
    fn limits_are_those_of_the_cycle_before() {
        let mut comparator = ThresholdComparator::new();
        assert!(comparator.above(1) && !comparator.above(0) && !comparator.below(0), "both limits are 0 after reset");
        comparator.clock(1, 2, 1);
        comparator.clock(2, 2, 1);
        assert_eq!((comparator.on_limit, comparator.off_limit), (4, 2));
        comparator.reset();
        assert_eq!(comparator, ThresholdComparator::new());
    }

    #[test]
    fn products_are_taken_modulo_2_to_the_24() {
        let mut comparator = ThresholdComparator::new();
        comparator.clock(64, 65535, 65535);
        assert_eq!(comparator.on_limit, 64 * 65535);
        comparator.clock(127, 65535, 0);
        assert_eq!(comparator.on_limit, 127 * 65535, "even the largest 7-bit number of ports fits");
    }
}
