//! `synchroniser`: two flip-flops for a value of another clock.

use crate::lock_step::{Frames, Observed, declare};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, count};
use powar_config::{Role, SignalDecl};

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

impl Frames for Synchroniser {
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals = declare(Role::Input, [RST, count("value", self.bits)]);
        signals.extend(declare(Role::Output, [count("seen", self.bits)]));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        observed.put(self.second);
        RegisterRows::of(self).observe(observed);
        if inputs[0] == 1 { *self = Self::new(self.bits) } else { self.clock(inputs[1] as u16) }
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
