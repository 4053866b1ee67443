//! Round robin among n requests.
//!
//! Policy:   the winner is the first request at or after the pointer, cyclically. The pointer k is a thermometer code:
//!           bit i is 1 iff i >= k, for k = 1..n-1; all zeros for k = 0.
//! Latency:  none (combinational); the owner keeps the pointer and loads `after` where a grant is used.
//! Range:    n from 1 to 64.
//! Source:   docs/microarchitecture.md 3.1.

use super::vector;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct RoundRobinArbiter {
    pub request: Vec<Signal<In, Bit>>,
    /// Thermometer pointer.
    pub pointer: Vec<Signal<In, Bit>>,
    /// One-hot winner, 0 if there is no request.
    pub grant: Vec<Signal<Out, Bit>>,
    /// Thermometer pointer past the winner; 0 if there is no request.
    pub after: Vec<Signal<Out, Bit>>,
    /// Some request lies at or after the pointer.
    any_ahead: Signal<Local, Bit>,
    /// The requests to choose the first of.
    eligible: Vec<Signal<Local, Bit>>,
    /// Some eligible request lies below.
    lower: Vec<Signal<Local, Bit>>,
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
            after: vector(n),
            any_ahead: Default::default(),
            eligible: vector(n),
            lower: vector(n),
            n: n.into(),
            info: BlockInfo::new("round_robin_arbiter", include_str!("round_robin_arbiter.rs")),
        }
    }
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_ahead.next = false;
        for i in 0..self.n.get() {
            self.any_ahead.next = self.any_ahead.val() | (self.request[i].val() & self.pointer[i].val());
        }
        for i in 0..self.n.get() {
            self.eligible[i].next = self.request[i].val() & (self.pointer[i].val() | !self.any_ahead.val());
        }
        self.lower[0].next = false;
        for i in 1..self.n.get() {
            self.lower[i].next = self.lower[i - 1].val() | self.eligible[i - 1].val();
        }
        for i in 0..self.n.get() {
            self.grant[i].next = self.eligible[i].val() & !self.lower[i].val();
            self.after[i].next = self.lower[i].val();
        }
    }
}

rtl_signals!(
    RoundRobinArbiter,
    combinational,
    inputs(request, pointer),
    outputs(grant, after),
    registers(),
    children(),
);
