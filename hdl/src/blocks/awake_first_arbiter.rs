//! Round robin among n requests, those of awake ports before those of sleeping ones: the search of POWAR's Algorithm 1.
//!
//! Policy:   the winner is the first request of an awake port at or after the pointer, cyclically; if no requesting port
//!           is awake, the first request at or after the pointer, cyclically. One pointer serves both classes. The
//!           pointer k is a thermometer code: bit i is 1 iff i >= k, for k = 1..n-1; all zeros for k = 0.
//! Latency:  none (combinational); the owner keeps the pointer and loads `after` where a grant is used.
//! Range:    n from 1 to 64.
//! Source:   POWAR Algorithm 1; docs/microarchitecture.md 3.2.

use super::vector;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct AwakeFirstArbiter {
    pub request: Vec<Signal<In, Bit>>,
    /// The port is awake: preferred.
    pub awake: Vec<Signal<In, Bit>>,
    /// Thermometer pointer.
    pub pointer: Vec<Signal<In, Bit>>,
    /// One-hot winner, 0 if there is no request.
    pub grant: Vec<Signal<Out, Bit>>,
    /// Thermometer pointer past the winner; 0 if there is no request.
    pub after: Vec<Signal<Out, Bit>>,
    /// Some requesting port is awake.
    any_awake: Signal<Local, Bit>,
    /// Some awake requesting port lies at or after the pointer.
    any_awake_ahead: Signal<Local, Bit>,
    /// Some requesting port lies at or after the pointer.
    any_ahead: Signal<Local, Bit>,
    /// The winner lies at or after the pointer.
    ahead: Signal<Local, Bit>,
    /// The requests to choose the first of.
    eligible: Vec<Signal<Local, Bit>>,
    /// Some eligible request lies below.
    lower: Vec<Signal<Local, Bit>>,
    n: Size,
    info: BlockInfo,
}

impl AwakeFirstArbiter {
    /// For `n` ports, 1..=64.
    pub fn new(n: usize) -> Self {
        AwakeFirstArbiter {
            request: vector(n),
            awake: vector(n),
            pointer: vector(n),
            grant: vector(n),
            after: vector(n),
            any_awake: Default::default(),
            any_awake_ahead: Default::default(),
            any_ahead: Default::default(),
            ahead: Default::default(),
            eligible: vector(n),
            lower: vector(n),
            n: n.into(),
            info: BlockInfo::new("awake_first_arbiter", include_str!("awake_first_arbiter.rs")),
        }
    }
}

impl Logic for AwakeFirstArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_awake.next = false;
        self.any_awake_ahead.next = false;
        self.any_ahead.next = false;
        for i in 0..self.n.get() {
            self.any_awake.next = self.any_awake.val() | (self.request[i].val() & self.awake[i].val());
            self.any_awake_ahead.next = self.any_awake_ahead.val()
                | (self.request[i].val() & self.awake[i].val() & self.pointer[i].val());
            self.any_ahead.next = self.any_ahead.val() | (self.request[i].val() & self.pointer[i].val());
        }
        self.ahead.next = self.any_awake_ahead.val() | (self.any_ahead.val() & !self.any_awake.val());
        for i in 0..self.n.get() {
            self.eligible[i].next = self.request[i].val()
                & (self.awake[i].val() | !self.any_awake.val())
                & (self.pointer[i].val() | !self.ahead.val());
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
    AwakeFirstArbiter,
    combinational,
    inputs(request, awake, pointer),
    outputs(grant, after),
    registers(),
    children(),
);
