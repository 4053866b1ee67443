//! `gray_counter`: a counter that another clock may look at.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, flag};

/// A number of `bits` bits in Gray code.
pub fn gray_code(number: u16) -> u16 {
    number ^ number >> 1
}

/// The block; the public fields are its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrayCounter {
    bits: usize,
    pub count: u16,
    /// `count` in Gray code.
    pub gray: u16,
}

impl GrayCounter {
    /// Of `bits` bits, 2..=16, in its state after reset.
    pub fn new(bits: usize) -> Self {
        GrayCounter { bits, count: 0, gray: 0 }
    }

    /// The clock edge; with `step` it counts one more, and goes from the largest number to 0.
    pub fn clock(&mut self, step: bool) {
        let largest = u16::MAX >> (16 - self.bits);
        self.count = if !step {
            self.count
        } else if self.count == largest {
            0
        } else {
            self.count + 1
        };
        self.gray = gray_code(self.count);
    }
}

impl Registers for GrayCounter {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("count", self.bits), self.count);
        rows.one(count("gray", self.bits), self.gray);
    }
}

inputs! {
    /// What the counter sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct StepInputs {
        pub step: bool = flag("step"),
    }
}

impl Block for GrayCounter {
    type Inputs<'a> = StepInputs;

    fn outputs(&self, _: &StepInputs, rows: &mut RegisterRows) {
        self.list(rows);
    }

    fn edge(&mut self, rst: bool, seen: &StepInputs) {
        if rst { *self = Self::new(self.bits) } else { self.clock(seen.step) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_changes_one_bit_that_from_the_largest_number_to_0_too() {
        let mut counter = GrayCounter::new(4);
        let mut codes = vec![];
        for number in 0..16 {
            assert_eq!(counter.count, number);
            let before = counter.gray;
            codes.push(before);
            counter.clock(false);
            assert_eq!(counter.gray, before);
            counter.clock(true);
            assert_eq!((counter.gray ^ before).count_ones(), 1);
        }
        assert_eq!((counter.count, counter.gray), (0, 0));
        codes.sort_unstable();
        assert_eq!(codes, (0..16).collect::<Vec<_>>());
    }
}
