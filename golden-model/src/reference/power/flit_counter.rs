//! `flit_counter`: the flits that a group forwarded since the last check (FC of POWAR Algorithms 2 and 3).

use crate::bits::MAX_24;
use crate::bits::low_bits;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, flag, flags};
use powar_config::{Habit, Owner};

/// The flit counter of a group; the count is its register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlitCounter {
    size: usize,
    /// Flits forwarded since the last check, modulo 2^24.
    pub count: u32,
}

impl FlitCounter {
    /// A counter for a group of `size` ports in its state after reset.
    pub fn new(size: usize) -> Self {
        FlitCounter { size, count: 0 }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.count = 0;
    }

    /// The clock edge; bit i of `flit` = port i of the group forwards a flit in this cycle.
    pub fn clock(&mut self, flit: u64, check: bool) {
        let kept = if check { 0 } else { self.count };
        self.count = (kept + (flit & low_bits(self.size)).count_ones()) & MAX_24;
    }
}

impl Registers for FlitCounter {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("count", 24), self.count);
    }
}

inputs! {
    /// What the counter sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct FlitInputs of block: &FlitCounter {
        pub flit: u64 = flags("flit", Owner::Port, block.size),
        pub check: bool = flag("check").habit(Habit::Rare),
    }
}

impl Block for FlitCounter {
    type Inputs<'a> = FlitInputs;

    fn outputs(&self, _: &FlitInputs, rows: &mut RegisterRows) {
        self.list(rows);
    }

    fn edge(&mut self, rst: bool, seen: &FlitInputs) {
        if rst { self.reset() } else { self.clock(seen.flit, seen.check) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flit_of_the_check_cycle_counts_for_the_next_period() {
        let mut counter = FlitCounter::new(3);
        counter.clock(0b101, false);
        counter.clock(0b111, false);
        assert_eq!(counter.count, 5);
        counter.clock(0b010, true);
        assert_eq!(counter.count, 1);
        counter.clock(0, true);
        assert_eq!(counter.count, 0);
    }

    #[test]
    fn sixty_four_ports_and_the_wrap_at_24_bits() {
        let mut counter = FlitCounter::new(64);
        counter.clock(u64::MAX, false);
        assert_eq!(counter.count, 64);
        counter.count = MAX_24;
        counter.clock(0b11, false);
        assert_eq!(counter.count, 1);
        counter.reset();
        assert_eq!(counter.count, 0);
    }
}
