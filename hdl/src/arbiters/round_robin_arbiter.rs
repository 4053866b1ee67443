//! Round robin among n requests.
//!
//! Policy:   the winner is the first request at or after the pointer, cyclically. The pointer is one-hot.
//! Method:   {request, request} - pointer borrows through every 0 from the pointer's place up to the first 1, and clears it: the
//!           winner is the request whose bit is cleared in either half. The subtraction runs on the FPGA's carry chain.
//! Latency:  none (combinational); the owner keeps the pointer.
//! Range:    n from 1 to 64.
//! Source:   docs/microarchitecture/arbiters.md.

use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct RoundRobinArbiter {
    pub request: Vec<Signal<In, Bit>>,
    /// One-hot pointer: where the search starts.
    pub pointer: Vec<Signal<In, Bit>>,
    /// One-hot winner, 0 if there is no request.
    pub grant: Vec<Signal<Out, Bit>>,
    /// {request, request} - pointer.
    search: Subtractor,
    n: Size,
    info: BlockInfo,
}

impl RoundRobinArbiter {
    /// For `n` requests, 1..=64.
    pub fn new(n: usize) -> Self {
        RoundRobinArbiter {
            request: vector(n),
            pointer: vector(n),
            grant: vector(n),
            search: Subtractor::new(2 * n),
            n: n.into(),
            info: BlockInfo::new("round_robin_arbiter", include_str!("round_robin_arbiter.rs")),
        }
    }
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.n.get() {
            self.search.a[i].next = self.request[i].val();
            self.search.a[i + self.n].next = self.request[i].val();
            self.search.b[i].next = self.pointer[i].val();
            self.search.b[i + self.n].next = false;
        }
        for i in 0..self.n.get() {
            self.grant[i].next =
                self.request[i].val() & !(self.search.difference[i].val() & self.search.difference[i + self.n].val());
        }
    }
}

rtl_signals!(RoundRobinArbiter, combinational, inputs(request, pointer), outputs(grant), registers(), children(),);
