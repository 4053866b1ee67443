//! `link_choice`: which links are to be on, by the load of the router (Design I).

use crate::bits::low_bits;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{flag, flags, set};
use powar_config::{Habit, Owner};

/// The choice of links; the public field is its register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkChoice {
    size: usize,
    /// Bit i: link i is to be on.
    pub active: u64,
}

inputs! {
    /// What it sees in a cycle; bit i of a vector is link i.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ChoiceInputs of block: &LinkChoice {
        /// The policy is one by load.
        pub by_load: bool = flag("by_load").habit(Habit::Held),
        /// The load is below the threshold for off, above that for on.
        pub below: bool = flag("below"),
        pub above: bool = flag("above").habit(Habit::Tide),
        /// The link may go off.
        pub may_sleep: u64 = flags("may_sleep", Owner::Port, block.size).habit(Habit::Held),
        /// A packet wants it, and it is off or comes on.
        pub woken: u64 = flags("woken", Owner::Port, block.size).habit(Habit::Drought),
    }
}

impl LinkChoice {
    /// Of so many links, 1..=64, in its state after reset.
    pub fn new(size: usize) -> Self {
        LinkChoice { size, active: low_bits(size) }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = LinkChoice::new(self.size);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ChoiceInputs) {
        let every = low_bits(self.size);
        if !inputs.by_load {
            self.active = every;
            return;
        }
        let off = inputs.may_sleep & !self.active & every;
        let on = inputs.may_sleep & self.active;
        let lowest_off = off & off.wrapping_neg();
        let highest_on = on.checked_ilog2().map_or(0, |place| 1 << place);
        let comes = if inputs.above { lowest_off } else { 0 };
        let goes = if inputs.below && !inputs.above { highest_on } else { 0 };
        self.active = every & (!inputs.may_sleep | inputs.woken | comes | self.active & !goes);
    }
}

impl Registers for LinkChoice {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(set("active", self.size), self.active);
    }
}

impl Block for LinkChoice {
    type Inputs<'a> = ChoiceInputs;

    fn outputs(&self, _: &ChoiceInputs, rows: &mut RegisterRows) {
        rows.one(set("active", self.size), self.active);
    }

    fn edge(&mut self, rst: bool, seen: &ChoiceInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: ChoiceInputs = ChoiceInputs { by_load: true, below: false, above: false, may_sleep: 0b1100, woken: 0 };

    /// The links that are to be on after each of some cycles.
    fn run(inputs: impl IntoIterator<Item = ChoiceInputs>) -> Vec<u64> {
        let mut choice = LinkChoice::new(4);
        let mut next = |inputs: ChoiceInputs| {
            choice.clock(&inputs);
            choice.active
        };
        inputs.into_iter().map(&mut next).collect()
    }

    #[test]
    fn one_link_at_a_time_the_highest_goes_and_the_lowest_comes() {
        let below = ChoiceInputs { below: true, ..QUIET };
        let above = ChoiceInputs { above: true, ..QUIET };
        let seen = run([QUIET, below, QUIET, below, below, above, QUIET, above, above]);
        assert_eq!(seen, [0b1111, 0b0111, 0b0111, 0b0011, 0b0011, 0b0111, 0b0111, 0b1111, 0b1111]);
        assert_eq!(run([below, ChoiceInputs { above: true, ..below }]), [0b0111, 0b1111], "on wins");
    }

    #[test]
    fn ever_on_links_and_those_that_a_packet_wants_are_on() {
        let below = ChoiceInputs { below: true, ..QUIET };
        let wanted = ChoiceInputs { woken: 0b1000, ..QUIET };
        assert_eq!(run([below, below, wanted]), [0b0111, 0b0011, 0b1011]);
        // Another graph: what may not go off comes back.
        let other = ChoiceInputs { may_sleep: 0b0001, ..below };
        assert_eq!(run([below, below, other, other]), [0b0111, 0b0011, 0b1110, 0b1110]);
        assert_eq!(run([ChoiceInputs { may_sleep: 0, ..below }]), [0b1111]);
    }

    #[test]
    fn all_are_on_under_other_policies() {
        let below = ChoiceInputs { below: true, ..QUIET };
        assert_eq!(run([below, below, ChoiceInputs { by_load: false, ..below }]), [0b0111, 0b0011, 0b1111]);
    }
}
