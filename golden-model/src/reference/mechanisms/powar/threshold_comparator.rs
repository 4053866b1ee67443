//! `threshold_comparator`: the flit counter against T_on and T_off (POWAR Algorithms 2 and 3).

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{count, flag};

/// The comparator of a group; the fields are its registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThresholdComparator {
    /// The thresholds that the limits are made of.
    pub on_step: u16,
    pub off_step: u16,
    /// The ports that they are made for.
    pub ports: u8,
    /// Flits a check period above which one more port is made selectable.
    pub on_limit: u32,
    /// Flits a check period below which one port less is selectable.
    pub off_limit: u32,
}

inputs! {
    /// What the comparator sees in a cycle, but for the flits; thresholds in flits per selectable port and check
    /// period.
    #[derive(Clone, Copy, Debug)]
    pub struct ThresholdInputs {
        pub n_selectable: u8 = count("n_selectable", 7),
        pub on_flits: u16 = count("on_flits", 16),
        pub off_flits: u16 = count("off_flits", 16),
    }
}

impl ThresholdComparator {
    /// A comparator in its state after reset.
    pub fn new() -> Self {
        ThresholdComparator::default()
    }

    /// The limits are made of the present thresholds.
    fn same(&self, inputs: &ThresholdInputs) -> bool {
        (self.on_step, self.off_step) == (inputs.on_flits, inputs.off_flits)
    }

    /// They are complete.
    fn settled(&self, inputs: &ThresholdInputs) -> bool {
        self.same(inputs) && self.ports == inputs.n_selectable
    }

    /// Whether more flits than the upper limit were forwarded; equality is not above.
    pub fn above(&self, count: u32, inputs: &ThresholdInputs) -> bool {
        self.settled(inputs) && count > self.on_limit
    }

    /// Whether fewer flits than the lower limit were forwarded; equality is not below.
    pub fn below(&self, count: u32, inputs: &ThresholdInputs) -> bool {
        self.settled(inputs) && count < self.off_limit
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = ThresholdComparator::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ThresholdInputs) {
        if !self.same(inputs) || self.ports > inputs.n_selectable {
            (self.ports, self.on_limit, self.off_limit) = (0, 0, 0);
        } else if self.ports < inputs.n_selectable {
            self.ports += 1;
            self.on_limit += u32::from(self.on_step);
            self.off_limit += u32::from(self.off_step);
        }
        (self.on_step, self.off_step) = (inputs.on_flits, inputs.off_flits);
    }
}

impl Registers for ThresholdComparator {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("on_step", 16), self.on_step);
        rows.one(count("off_step", 16), self.off_step);
        rows.one(count("ports", 7), self.ports);
        rows.one(count("on_limit", 24), self.on_limit);
        rows.one(count("off_limit", 24), self.off_limit);
    }
}

inputs! {
    /// All that the comparator sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct ComparatorInputs {
        pub count: u32 = count("count", 24).habit(Habit::Beside),
        pub thresholds: ThresholdInputs = (),
    }
}

impl Block for ThresholdComparator {
    type Inputs<'a> = ComparatorInputs;

    fn outputs(&self, seen: &ComparatorInputs, rows: &mut RegisterRows) {
        rows.one(flag("above"), self.above(seen.count, &seen.thresholds));
        rows.one(flag("below"), self.below(seen.count, &seen.thresholds));
    }

    fn edge(&mut self, rst: bool, seen: &ComparatorInputs) {
        if rst { self.reset() } else { self.clock(&seen.thresholds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: ThresholdInputs = ThresholdInputs { n_selectable: 3, on_flits: 100, off_flits: 50 };

    /// After as many cycles as it takes.
    fn settled(inputs: &ThresholdInputs) -> ThresholdComparator {
        let mut comparator = ThresholdComparator::new();
        (0..inputs.n_selectable + 1).for_each(|_| comparator.clock(inputs));
        comparator
    }

    #[test]
    fn a_count_at_a_limit_is_neither_above_nor_below() {
        let comparator = settled(&INPUTS);
        assert_eq!((comparator.on_limit, comparator.off_limit), (300, 150));
        assert!(!comparator.above(300, &INPUTS) && comparator.above(301, &INPUTS));
        assert!(!comparator.below(150, &INPUTS) && comparator.below(149, &INPUTS));
    }

    #[test]
    fn one_port_more_takes_a_cycle_and_one_less_begins_again() {
        let cycles = |comparator: &mut ThresholdComparator, inputs: &ThresholdInputs| {
            let mut cycles = 0;
            while !comparator.settled(inputs) {
                assert!(!comparator.above(u32::MAX, inputs) && !comparator.below(0, inputs), "not while it is made");
                comparator.clock(inputs);
                cycles += 1;
            }
            assert_eq!(comparator.on_limit, u32::from(inputs.n_selectable) * u32::from(inputs.on_flits));
            assert_eq!(comparator.off_limit, u32::from(inputs.n_selectable) * u32::from(inputs.off_flits));
            cycles
        };
        let mut comparator = settled(&INPUTS);
        assert_eq!(cycles(&mut comparator, &ThresholdInputs { n_selectable: 4, ..INPUTS }), 1);
        assert_eq!(cycles(&mut comparator, &ThresholdInputs { n_selectable: 3, ..INPUTS }), 4);
        assert_eq!(cycles(&mut comparator, &ThresholdInputs { on_flits: 99, ..INPUTS }), 4);
        assert_eq!(cycles(&mut comparator, &ThresholdInputs { on_flits: 99, off_flits: 7, ..INPUTS }), 4);
        assert_eq!(cycles(&mut comparator, &ThresholdInputs { on_flits: 99, off_flits: 7, ..INPUTS }), 0);
        comparator.reset();
        assert_eq!(comparator, ThresholdComparator::new());
    }

    #[test]
    fn limits_of_no_flits_are_settled_with_the_number_of_ports() {
        let nothing = ThresholdInputs { n_selectable: 2, on_flits: 0, off_flits: 0 };
        let comparator = settled(&nothing);
        assert!(comparator.above(1, &nothing) && !comparator.above(0, &nothing) && !comparator.below(0, &nothing));
    }

    #[test]
    fn the_largest_limits_fit() {
        let largest = ThresholdInputs { n_selectable: 127, on_flits: 65535, off_flits: 65535 };
        let comparator = settled(&largest);
        assert_eq!((comparator.on_limit, comparator.off_limit), (127 * 65535, 127 * 65535));
        assert!(comparator.on_limit < 1 << 24);
    }
}
