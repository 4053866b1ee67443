//! Round robin among n requests.
//!
//! Policy:   the winner is the first request at or after the pointer, cyclically. The pointer is one-hot.
//! Method:   of more than four requests {request, request} - pointer borrows through every 0 from the pointer's place up to the first
//!           1, and clears it: the winner is the request whose bit is cleared in either half. The subtraction runs on the FPGA's carry
//!           chain. Of up to four each loses against those between the pointer and itself, which takes fewer levels and LUTs.
//! Latency:  none (combinational); the owner keeps the pointer.
//! Range:    n from 1 to 64.
//! Source:   docs/microarchitecture/arbiters.md.

use crate::block;
use crate::primitives::*;
use rust_hdl::prelude::*;

/// Requests of which each is looked at.
const FEW: usize = 4;

block! {
    pub struct RoundRobinArbiter("round_robin_arbiter", include_str!("round_robin_arbiter.rs"), combinational)
    /// For `n` requests, 1..=64.
    pub fn new(n: usize) -> Self {
        let few = n <= FEW;
    }
    inputs {
        request[n]: Bit,
        /// One-hot pointer: where the search starts.
        pointer[n]: Bit,
    }
    outputs {
        /// One-hot winner, 0 if there is no request.
        grant[n]: Bit,
    }
    others {
        /// {request, request} - pointer.
        search: Vec<Subtractor> = (0..usize::from(!few)).map(|_| Subtractor::new(2 * n)).collect(),
    }
    locals {
        /// {request, request} and {pointer, pointer}: places behind the last one go on at place 0.
        twice[if few { 2 * n } else { 0 }]: Bit,
        pointer_twice[if few { 2 * n } else { 0 }]: Bit,
        /// Bit i*N + d: the pointer is at one of the d places behind place i, so the request at the last of them comes before that of place i.
        ahead[if few { n * n } else { 0 }]: Bit,
        /// Bit i: some request comes before that of place i.
        beaten[if few { n } else { 0 }]: Bit,
    }
    sizes {
        n = n,
        /// N if each is looked at, else 0; 1 if they are subtracted from, else 0.
        looked_at = if few { n } else { 0 },
        subtracted = usize::from(!few),
        /// Requests beside one.
        others = n - 1,
    }
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.looked_at.get() {
            self.twice[i].next = self.request[i].val();
            self.twice[i + self.n].next = self.request[i].val();
            self.pointer_twice[i].next = self.pointer[i].val();
            self.pointer_twice[i + self.n].next = self.pointer[i].val();
        }
        for i in 0..self.looked_at.get() {
            self.ahead[i * self.n].next = false;
            for d in 1..self.n.get() {
                self.ahead[i * self.n + d].next =
                    self.ahead[i * self.n + d - 1].val() | self.pointer_twice[i + d].val();
            }
        }
        for i in 0..self.looked_at.get() {
            // The last place before this one comes first unless the pointer is here.
            self.beaten[i].next = self.twice[self.others + i].val() & !self.pointer[i].val();
            for d in 1..self.others.get() {
                self.beaten[i].next =
                    self.beaten[i].val() | (self.twice[i + d].val() & self.ahead[i * self.n + d].val());
            }
            self.grant[i].next = self.request[i].val() & !self.beaten[i].val();
        }
        for k in 0..self.subtracted.get() {
            for i in 0..self.n.get() {
                self.search[k].a[i].next = self.request[i].val();
                self.search[k].a[i + self.n].next = self.request[i].val();
                self.search[k].b[i].next = self.pointer[i].val();
                self.search[k].b[i + self.n].next = false;
            }
            for i in 0..self.n.get() {
                self.grant[i].next = self.request[i].val()
                    & !(self.search[k].difference[i].val() & self.search[k].difference[i + self.n].val());
            }
        }
    }
}
