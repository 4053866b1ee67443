//! `synchroniser`: two flip-flops for a value of another clock.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::count;

/// The block; the public fields are its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synchroniser {
    bits: usize,
    pub first: u16,
    pub second: u16,
}

impl Synchroniser {
    /// Of `bits` bits, 1..=16, in its state after reset.
    pub fn new(bits: usize) -> Self {
        Synchroniser { bits, first: 0, second: 0 }
    }

    /// The clock edge.
    pub fn clock(&mut self, value: u16) {
        self.second = self.first;
        self.first = value;
    }
}

impl Registers for Synchroniser {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("first", self.bits), self.first);
        rows.one(count("second", self.bits), self.second);
    }
}

inputs! {
    /// What the block sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct ValueInputs of block: &Synchroniser {
        pub value: u16 = count("value", block.bits),
    }
}

impl Block for Synchroniser {
    type Inputs<'a> = ValueInputs;

    fn outputs(&self, _: &ValueInputs, rows: &mut RegisterRows) {
        rows.one(count("seen", self.bits), self.second);
    }

    fn edge(&mut self, rst: bool, seen: &ValueInputs) {
        if rst { *self = Self::new(self.bits) } else { self.clock(seen.value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_seen_after_two_edges() {
        let mut block = Synchroniser::new(3);
        let seen: Vec<u16> = [5, 4, 6, 0]
            .into_iter()
            .map(|value| {
                block.clock(value);
                block.second
            })
            .collect();
        assert_eq!(seen, [0, 5, 4, 6]);
    }
}
