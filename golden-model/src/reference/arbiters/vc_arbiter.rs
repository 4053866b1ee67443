//! `vc_arbiter`: stage 2 of allocation, the round robin among the virtual channels of an input port.

use crate::bits::rotated_up;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::round_robin;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{choice, pointer, set};

/// An input port's arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VcArbiter {
    vcs: usize,
    /// One-hot pointer; moves past the virtual channel whose packet is accepted.
    pub pointer: u64,
}

impl VcArbiter {
    /// An arbiter of so many virtual channels in its state after reset.
    pub fn new(vcs: usize) -> Self {
        VcArbiter { vcs, pointer: 1 }
    }

    /// The virtual channel picked among those that request, one-hot.
    pub fn pick(&self, request: u64) -> u64 {
        round_robin(request, self.pointer, self.vcs)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.pointer = 1;
    }

    /// The clock edge; `accept`: the virtual channel whose packet was picked before and is now accepted, one-hot; 0 = none.
    pub fn clock(&mut self, accept: u64) {
        if accept != 0 {
            self.pointer = rotated_up(accept, self.vcs);
        }
    }
}

impl Registers for VcArbiter {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(pointer("pointer", self.vcs), self.pointer);
    }
}

inputs! {
    /// What the arbiter sees in a cycle, one bit a virtual channel.
    #[derive(Clone, Copy, Debug)]
    pub struct VcArbiterInputs of block: &VcArbiter {
        pub request: u64 = set("request", block.vcs),
        pub accept: u64 = choice("accept", block.vcs).habit(Habit::Frequent),
    }
}

impl Block for VcArbiter {
    type Inputs<'a> = VcArbiterInputs;

    fn outputs(&self, seen: &VcArbiterInputs, rows: &mut RegisterRows) {
        rows.one(choice("pick", self.vcs), self.pick(seen.request));
    }

    fn edge(&mut self, rst: bool, seen: &VcArbiterInputs) {
        if rst { self.reset() } else { self.clock(seen.accept) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_moves_only_past_what_is_accepted() {
        let mut arbiter = VcArbiter::new(4);
        arbiter.clock(0);
        assert_eq!((arbiter.pick(0b1010), arbiter.pointer), (0b0010, 0b0001));
        arbiter.clock(0b0010);
        assert_eq!((arbiter.pick(0b1010), arbiter.pointer), (0b1000, 0b0100));
        arbiter.clock(0b1000);
        assert_eq!((arbiter.pick(0b1010), arbiter.pointer), (0b0010, 0b0001), "whoever is picked in the meantime");
        arbiter.clock(0b0010);
        arbiter.reset();
        assert_eq!(arbiter, VcArbiter::new(4));
    }
}
