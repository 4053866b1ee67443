//! Round robin among n requests, preferred ones before the others: the search of POWAR's Algorithm 1.
//!
//! Policy:   the winner is the first preferred request at or after the pointer, cyclically; if there is none, the first request at
//!           or after the pointer, cyclically. One one-hot pointer serves both classes.
//! Method:   two searches at the same time, among all requests and among the preferred ones of them: neither waits for which class wins.
//! Latency:  none (combinational); the owner keeps the pointer.
//! Range:    n from 1 to 64.
//! Source:   POWAR Algorithm 1; docs/microarchitecture/arbiters.md.

use crate::arbiters::RoundRobinArbiter;
use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct PreferredFirstArbiter(
        "preferred_first_arbiter",
        include_str!("preferred_first_arbiter.rs"),
        combinational
    )
    /// For `n` requests, 1..=64.
    pub fn new(n: usize) -> Self {}
    inputs {
        request[n]: Bit,
        /// The class of each.
        preferred[n]: Bit,
        /// One-hot pointer: where the search starts.
        pointer[n]: Bit,
    }
    outputs {
        /// One-hot winner, 0 if there is no request.
        grant[n]: Bit,
    }
    children {
        /// The searches among all requests, and among the preferred ones.
        all: RoundRobinArbiter = RoundRobinArbiter::new(n),
        of_preferred: RoundRobinArbiter = RoundRobinArbiter::new(n),
    }
    locals {
        /// Requests that are preferred, and whether there are any.
        first[n]: Bit,
        any_preferred: Bit,
    }
    sizes { n = n }
}

impl Logic for PreferredFirstArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_preferred.next = false;
        for i in 0..self.n.get() {
            self.first[i].next = self.request[i].val() & self.preferred[i].val();
            self.any_preferred.next = self.any_preferred.val() | self.first[i].val();
        }
        for i in 0..self.n.get() {
            self.all.request[i].next = self.request[i].val();
            self.all.pointer[i].next = self.pointer[i].val();
            self.of_preferred.request[i].next = self.first[i].val();
            self.of_preferred.pointer[i].next = self.pointer[i].val();
        }
        for i in 0..self.n.get() {
            self.grant[i].next =
                self.of_preferred.grant[i].val() | (self.all.grant[i].val() & !self.any_preferred.val());
        }
    }
}
