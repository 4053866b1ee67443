//! `port_group`: Algorithms 2 and 3 for one group of ports: counter, comparator and selectable ports together.

use super::threshold_comparator::ThresholdInputs;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::mechanisms::powar::{SelectablePorts, ThresholdComparator};
use crate::reference::power::FlitCounter;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, flag, flags, set};
use powar_config::{Habit, Owner};

/// The k up-ports of a fat-tree switch (Algorithm 2) or the ports of an aggregated link (Algorithm 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortGroup {
    size: usize,
    pub flit_counter: FlitCounter,
    pub threshold_comparator: ThresholdComparator,
    pub selectable_ports: SelectablePorts,
}

impl PortGroup {
    /// A group of `size` ports in its state after reset.
    pub fn new(size: usize) -> Self {
        PortGroup {
            size,
            flit_counter: FlitCounter::new(size),
            threshold_comparator: ThresholdComparator::new(),
            selectable_ports: SelectablePorts::new(size),
        }
    }

    /// Ports in the group.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Bit i = port i of the group is selectable.
    pub fn selectable(&self) -> u64 {
        self.selectable_ports.selectable()
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = PortGroup::new(self.size);
    }

    /// The clock edge; bit i of `flit` = port i of the group forwards a flit; thresholds in flits per selectable port
    /// and check period.
    pub fn clock(&mut self, flit: u64, check: bool, on_flits: u16, off_flits: u16) {
        let thresholds = ThresholdInputs { n_selectable: self.selectable_ports.n_selectable, on_flits, off_flits };
        let above = self.threshold_comparator.above(self.flit_counter.count, &thresholds);
        let below = self.threshold_comparator.below(self.flit_counter.count, &thresholds);
        // Every child passes the edge with the values that the others had before it.
        self.threshold_comparator.clock(&thresholds);
        self.selectable_ports.clock(check, above, below);
        self.flit_counter.clock(flit, check);
    }
}

impl Registers for PortGroup {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("flit_counter.count", 24).known_as("flit_count"), self.flit_counter.count);
        let limits = &self.threshold_comparator;
        rows.one(count("threshold_comparator.on_step", 16).known_as("on_step"), limits.on_step);
        rows.one(count("threshold_comparator.off_step", 16).known_as("off_step"), limits.off_step);
        rows.one(count("threshold_comparator.ports", 7).known_as("limit_ports"), limits.ports);
        rows.one(count("threshold_comparator.on_limit", 24).known_as("on_limit"), limits.on_limit);
        rows.one(count("threshold_comparator.off_limit", 24).known_as("off_limit"), limits.off_limit);
        rows.one(set("selectable_ports.selectable", self.size).known_as("selectable"), self.selectable());
        rows.one(
            count("selectable_ports.n_selectable", 7).known_as("n_selectable"),
            self.selectable_ports.n_selectable,
        );
    }
}

inputs! {
    /// What a group sees in a cycle; thresholds in flits per selectable port and check period.
    #[derive(Clone, Copy, Debug)]
    pub struct GroupInputs of block: &PortGroup {
        pub flit: u64 = flags("flit", Owner::Port, block.size),
        pub check: bool = flag("check").habit(Habit::Rare),
        pub on_flits: u16 = count("on_flits", 16),
        pub off_flits: u16 = count("off_flits", 16),
    }
}

impl Block for PortGroup {
    type Inputs<'a> = GroupInputs;

    fn outputs(&self, _: &GroupInputs, rows: &mut RegisterRows) {
        rows.one(set("selectable", self.size), self.selectable());
    }

    fn edge(&mut self, rst: bool, seen: &GroupInputs) {
        if rst { self.reset() } else { self.clock(seen.flit, seen.check, seen.on_flits, seen.off_flits) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_group_comes_down_to_one_port_within_size_minus_1_periods() {
        let mut group = PortGroup::new(4);
        let mut seen = Vec::new();
        for cycle in 1..=18 {
            group.clock(0, cycle % 6 == 0, 10, 5);
            if cycle % 6 == 0 {
                seen.push(group.selectable());
            }
        }
        assert_eq!(seen, [0b0111, 0b0011, 0b0001]);
    }

    #[test]
    fn load_above_t_on_adds_a_port_and_load_between_the_thresholds_keeps_it() {
        let mut group = PortGroup::new(4);
        group.selectable_ports.n_selectable = 1;
        let mut period = |flits: usize| {
            for cycle in 0..9 {
                group.clock(u64::from(cycle < flits), false, 5, 2);
            }
            group.clock(0, true, 5, 2);
            group.selectable_ports.n_selectable
        };
        assert_eq!(period(5), 1, "5 flits are not more than 1 x 5");
        assert_eq!(period(6), 2);
        assert_eq!(period(4), 2, "4 flits are not less than 2 x 2");
        assert_eq!(period(3), 1);
    }

    #[test]
    fn checks_decide_nothing_while_the_limits_are_made() {
        let mut group = PortGroup::new(3);
        let mut left = vec![];
        for _ in 0..10 {
            group.clock(0b001, true, 4, 2);
            left.push(group.selectable_ports.n_selectable);
        }
        // Four cycles for three ports and new thresholds, three for two ports.
        assert_eq!(left, [3, 3, 3, 3, 2, 2, 2, 2, 1, 1]);
        assert_eq!(group.threshold_comparator.off_limit, 0);
        group.reset();
        assert_eq!(group, PortGroup::new(3));
    }
}
