//! Gives one output port to one of the requesters that chose it (stage 3 of allocation).
//!
//! Policy:   round robin; the pointer moves past the winner in every cycle with a grant.
//! Latency:  none (combinational grant).
//! Range:    1 to 64 requesters. No grant while the port is held.
//! Reset:    pointer at requester 0.
//! Source:   POWAR section 4.1 (round-robin arbiters at all allocator stages); docs/microarchitecture/arbiters.md.

use crate::arbiters::RoundRobinArbiter;
use crate::block;
use crate::primitives::*;
use rust_hdl::prelude::*;

block! {
    pub struct PortArbiter("port_arbiter", include_str!("port_arbiter.rs"), clocked)
    /// For `r` requesters, 1..=64.
    pub fn new(r: usize) -> Self {}
    inputs {
        /// Requester r's choice is this port.
        request[r]: Bit,
        /// The port is not held by a packet.
        free: Bit,
    }
    outputs {
        /// One-hot winner.
        grant[r]: Bit,
    }
    registers {
        /// One-hot pointer: whose turn it is.
        pointer_r = first_of(r),
    }
    children { arbiter: RoundRobinArbiter = RoundRobinArbiter::new(r) }
    locals {
        /// A grant is made in this cycle.
        granted: Bit,
    }
    sizes { requesters = r }
}

impl Logic for PortArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.granted.next = false;
        for i in 0..self.requesters.get() {
            self.arbiter.request[i].next = self.request[i].val();
            self.arbiter.pointer[i].next = self.pointer_r.q[i].val();
            self.granted.next = self.granted.val() | (self.request[i].val() & self.free.val());
        }
        for i in 0..self.requesters.get() {
            self.grant[i].next = self.arbiter.grant[i].val() & self.free.val();
        }
        if self.granted.val() {
            self.pointer_r.d[0].next = self.arbiter.grant[self.requesters - 1].val();
            for i in 1..self.requesters.get() {
                self.pointer_r.d[i].next = self.arbiter.grant[i - 1].val();
            }
        }
    }
}
