//! `selectable_ports`: how many ports of a group may be chosen (POWAR Algorithms 2 and 3).

use crate::bits::low_bits;
use crate::lock_step::{Frames, Observed, input, output, register};
use powar_config::signal::{RST, count, flag, set};
use powar_config::{Habit, SignalDecl};

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

impl Frames for SelectablePorts {
    fn signals(&self) -> Vec<SignalDecl> {
        vec![
            input(RST),
            input(flag("check").habit(Habit::Rare)),
            input(flag("above")),
            input(flag("below")),
            output(set("selectable", self.size)),
            output(count("n_selectable", 7)),
            register(set("selectable", self.size)),
            register(count("n_selectable", 7)),
        ]
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        for _ in ["as outputs", "as registers"] {
            observed.put(self.selectable());
            observed.put(self.n_selectable);
        }
        if inputs[0] == 1 {
            self.reset();
        } else {
            self.clock(inputs[1] == 1, inputs[2] == 1, inputs[3] == 1);
        }
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
