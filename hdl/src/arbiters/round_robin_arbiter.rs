//! Round robin among n requests.
//!
//! Policy:   the winner is the first request at or after the pointer, cyclically. The pointer is one-hot.
//! Method:   of more than four requests {request, request} - pointer borrows through every 0 from the pointer's place up to the first
//!           1, and clears it: the winner is the request whose bit is cleared in either half. The subtraction runs on the FPGA's carry
//!           chain. Of up to four it is faster to look at those between the pointer and each request.
//! Latency:  none (combinational); the owner keeps the pointer.
//! Range:    n from 1 to 64.
//! Source:   docs/microarchitecture/arbiters.md.

use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

/// Requests that are looked at one by one.
const FEW: usize = 4;

#[derive(LogicBlock)]
pub struct RoundRobinArbiter {
    pub request: Vec<Signal<In, Bit>>,
    /// One-hot pointer: where the search starts.
    pub pointer: Vec<Signal<In, Bit>>,
    /// One-hot winner, 0 if there is no request.
    pub grant: Vec<Signal<Out, Bit>>,
    /// {request, request} - pointer.
    search: Vec<Subtractor>,
    /// Bit i*N + d: there is no request at the d places before place i, cyclically; and the pointer is before these.
    clear: Vec<Signal<Local, Bit>>,
    turn: Vec<Signal<Local, Bit>>,
    n: Size,
    /// N if requests are looked at one by one, else 0; 1 if they are subtracted from, else 0.
    looked_at: Size,
    subtracted: Size,
    info: BlockInfo,
}

impl RoundRobinArbiter {
    /// For `n` requests, 1..=64.
    pub fn new(n: usize) -> Self {
        RoundRobinArbiter {
            request: vector(n),
            pointer: vector(n),
            grant: vector(n),
            search: (0..usize::from(n > FEW)).map(|_| Subtractor::new(2 * n)).collect(),
            clear: vector(if n > FEW { 0 } else { n * n }),
            turn: vector(if n > FEW { 0 } else { n }),
            n: n.into(),
            looked_at: if n > FEW { 0 } else { n }.into(),
            subtracted: usize::from(n > FEW).into(),
            info: BlockInfo::new("round_robin_arbiter", include_str!("round_robin_arbiter.rs")),
        }
    }
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.looked_at.get() {
            self.clear[i * self.n].next = true;
            for d in 1..self.n.get() {
                self.clear[i * self.n + d].next =
                    self.clear[i * self.n + d - 1].val() & !self.request[(i + self.n - d) % self.n].val();
            }
        }
        for i in 0..self.looked_at.get() {
            self.turn[i].next = false;
            for d in 0..self.n.get() {
                self.turn[i].next = self.turn[i].val()
                    | (self.pointer[(i + self.n - d) % self.n].val() & self.clear[i * self.n + d].val());
            }
            self.grant[i].next = self.request[i].val() & self.turn[i].val();
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

rtl_signals!(RoundRobinArbiter, combinational, inputs(request, pointer), outputs(grant), registers(), children(),);
