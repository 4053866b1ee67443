//! `port_arbiter`: one output port's round robin among the requesters that chose it.

use crate::bits::rotated_up;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::round_robin_arbiter::round_robin;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, flag, pointer, set};

/// One output port's arbiter; the pointer is its register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortArbiter {
    requesters: usize,
    /// One-hot pointer over the requesters.
    pub pointer: u64,
}

impl PortArbiter {
    /// An arbiter among `requesters` requesters in its state after reset.
    pub fn new(requesters: usize) -> Self {
        PortArbiter { requesters, pointer: 1 }
    }

    /// The one-hot requester that is given the port; 0 while the port is held or nobody wants it.
    pub fn grant(&self, request: u64, free: bool) -> u64 {
        if free { round_robin(request, self.pointer, self.requesters) } else { 0 }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.pointer = 1;
    }

    /// The clock edge.
    pub fn clock(&mut self, request: u64, free: bool) {
        let grant = self.grant(request, free);
        if grant != 0 {
            self.pointer = rotated_up(grant, self.requesters);
        }
    }
}

impl Registers for PortArbiter {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(pointer("pointer", self.requesters), self.pointer);
    }
}

inputs! {
    /// What the arbiter sees in a cycle: who asks for the port, one bit a requester, and whether it is free.
    #[derive(Clone, Copy, Debug)]
    pub struct ArbiterInputs of block: &PortArbiter {
        pub request: u64 = set("request", block.requesters),
        pub free: bool = flag("free"),
    }
}

impl Block for PortArbiter {
    type Inputs<'a> = ArbiterInputs;

    fn outputs(&self, seen: &ArbiterInputs, rows: &mut RegisterRows) {
        rows.one(choice("grant", self.requesters), self.grant(seen.request, seen.free));
    }

    fn edge(&mut self, rst: bool, seen: &ArbiterInputs) {
        if rst { self.reset() } else { self.clock(seen.request, seen.free) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requesters_take_turns_and_a_held_port_grants_nobody() {
        let mut arbiter = PortArbiter::new(3);
        let mut winners = Vec::new();
        for free in [true, true, false, true, true] {
            winners.push(arbiter.grant(0b111, free));
            arbiter.clock(0b111, free);
        }
        assert_eq!(winners, [0b001, 0b010, 0, 0b100, 0b001]);
    }

    #[test]
    fn a_lone_requester_is_granted_in_every_cycle() {
        let mut arbiter = PortArbiter::new(1);
        for _ in 0..3 {
            assert_eq!((arbiter.grant(1, true), arbiter.pointer), (1, 1));
            arbiter.clock(1, true);
        }
    }

    #[test]
    fn the_pointer_rests_while_nobody_asks() {
        let mut arbiter = PortArbiter::new(64);
        arbiter.clock(1 << 62, true);
        assert_eq!(arbiter.pointer, 1 << 63);
        arbiter.clock(0, true);
        assert_eq!(arbiter.pointer, 1 << 63);
        assert_eq!(arbiter.grant(1 << 63 | 1, true), 1 << 63);
        arbiter.clock(1 << 63, true);
        assert_eq!(arbiter.pointer, 1, "past the last requester is the first");
        arbiter.clock(1, true);
        assert_eq!(arbiter.pointer, 0b10);
        arbiter.reset();
        assert_eq!(arbiter.pointer, 1);
    }
}
