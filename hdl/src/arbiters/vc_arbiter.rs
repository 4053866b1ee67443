//! Picks one of an input port's virtual channels (stage 2 of allocation).
//!
//! Policy:   round robin; the pointer moves past the virtual channel whose packet is accepted, which may have been picked some cycles
//!           before.
//! Latency:  none (combinational pick).
//! Range:    1 to 8 virtual channels; at most one is accepted in a cycle.
//! Reset:    pointer at virtual channel 0.
//! Source:   POWAR section 4.1 (round-robin arbiters at all allocator stages); docs/microarchitecture/arbiters.md.

use crate::arbiters::RoundRobinArbiter;
use crate::block;
use crate::primitives::*;
use rust_hdl::prelude::*;

block! {
    pub struct VcArbiter("vc_arbiter", include_str!("vc_arbiter.rs"), clocked)
    /// For `vcs` virtual channels, 1..=8.
    pub fn new(vcs: usize) -> Self {}
    inputs {
        /// The virtual channel has a packet that could be granted or dropped.
        request[vcs]: Bit,
        /// The virtual channel whose packet is now granted a port or dropped, one-hot.
        accept[vcs]: Bit,
    }
    outputs {
        /// One-hot pick, 0 if there is no request.
        pick[vcs]: Bit,
    }
    registers {
        /// One-hot pointer: whose turn it is.
        pointer_r = first_of(vcs),
    }
    children { arbiter: RoundRobinArbiter = RoundRobinArbiter::new(vcs) }
    locals {
        /// Some packet is accepted.
        accepted: Bit,
    }
    sizes {
        /// Virtual channels.
        vcs = vcs,
    }
}

impl Logic for VcArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.accepted.next = false;
        for v in 0..self.vcs.get() {
            self.arbiter.request[v].next = self.request[v].val();
            self.arbiter.pointer[v].next = self.pointer_r.q[v].val();
            self.accepted.next = self.accepted.val() | self.accept[v].val();
        }
        for v in 0..self.vcs.get() {
            self.pick[v].next = self.arbiter.grant[v].val();
        }
        if self.accepted.val() {
            self.pointer_r.d[0].next = self.accept[self.vcs - 1].val();
            for v in 1..self.vcs.get() {
                self.pointer_r.d[v].next = self.accept[v - 1].val();
            }
        }
    }
}
