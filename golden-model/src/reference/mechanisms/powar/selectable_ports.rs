//! `selectable_ports`: how many ports of a group may be chosen (POWAR Algorithms 2 and 3).

use crate::bits::low_bits;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{count, flag, set};

/// The selectable ports of a group: always its lowest ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectablePorts {
    size: usize,
    /// How many there are, 1..=size. The vector follows from it.
    pub n_selectable: u8,
}

impl SelectablePorts {
    /// All of `size` ports selectable, the state after reset: a restart must never cost performance.
    pub fn new(size: usize) -> Self {
        SelectablePorts { size, n_selectable: size as u8 }
    }

    /// Bit i = port i of the group is selectable.
    pub fn selectable(&self) -> u64 {
        low_bits(self.n_selectable.into())
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = SelectablePorts::new(self.size);
    }

    /// The clock edge.
    pub fn clock(&mut self, check: bool, above: bool, below: bool) {
        if !check {
            return;
        }
        if above && usize::from(self.n_selectable) < self.size {
            self.n_selectable += 1;
        } else if below && self.n_selectable > 1 {
            self.n_selectable -= 1;
        }
    }
}

impl Registers for SelectablePorts {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(set("selectable", self.size), self.selectable());
        rows.one(count("n_selectable", 7), self.n_selectable);
    }
}

inputs! {
    /// What is seen in a cycle: the last one of a check period, and what the comparator says.
    #[derive(Clone, Copy, Debug)]
    pub struct SelectableInputs {
        pub check: bool = flag("check").habit(Habit::Rare),
        pub above: bool = flag("above"),
        pub below: bool = flag("below"),
    }
}

impl Block for SelectablePorts {
    type Inputs<'a> = SelectableInputs;

    fn outputs(&self, _: &SelectableInputs, rows: &mut RegisterRows) {
        self.list(rows);
    }

    fn edge(&mut self, rst: bool, seen: &SelectableInputs) {
        if rst { self.reset() } else { self.clock(seen.check, seen.above, seen.below) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_port_a_check_between_one_and_all() {
        let mut ports = SelectablePorts::new(3);
        assert_eq!((ports.selectable(), ports.n_selectable), (0b111, 3));
        let mut seen = Vec::new();
        for (above, below) in
            [(true, false), (false, true), (false, true), (false, true), (false, false), (true, false)]
        {
            ports.clock(true, above, below);
            seen.push(ports.selectable());
        }
        assert_eq!(seen, [0b111, 0b011, 0b001, 0b001, 0b001, 0b011]);
        ports.clock(false, true, false);
        assert_eq!(ports.n_selectable, 2, "nothing moves between checks");
        ports.reset();
        assert_eq!(ports.n_selectable, 3);
    }

    #[test]
    fn above_and_below_together_add_a_port_unless_none_is_left() {
        // Thresholds written by software may be in the wrong order.
        let mut ports = SelectablePorts { size: 2, n_selectable: 1 };
        ports.clock(true, true, true);
        assert_eq!(ports.n_selectable, 2);
        ports.clock(true, true, true);
        assert_eq!(ports.n_selectable, 1);
    }

    #[test]
    fn groups_of_one_and_64_ports() {
        let mut one = SelectablePorts::new(1);
        one.clock(true, false, true);
        assert_eq!(one.selectable(), 1);
        let mut many = SelectablePorts::new(64);
        assert_eq!(many.selectable(), u64::MAX);
        many.clock(true, false, true);
        assert_eq!((many.selectable(), many.n_selectable), (u64::MAX >> 1, 63));
    }
}
