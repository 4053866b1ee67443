//! Round robin among n requests, those of awake ports before those of sleeping ones: the search of POWAR's Algorithm 1.
//!
//! Policy:   the winner is the first request of an awake port at or after the pointer, cyclically; if no requesting port
//!           is awake, the first request at or after the pointer, cyclically. One one-hot pointer serves both classes.
//! Method:   as in round_robin_arbiter, {request, request} - pointer for the awake requests and for all of them side by side; each
//!           port takes the result of its own class, and a sleeping port counts only where no awake one asks.
//! Latency:  none (combinational); the owner keeps the pointer.
//! Range:    n from 1 to 64.
//! Source:   POWAR Algorithm 1; docs/microarchitecture.md 3.2.

use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct AwakeFirstArbiter {
    pub request: Vec<Signal<In, Bit>>,
    /// The port is awake: preferred.
    pub awake: Vec<Signal<In, Bit>>,
    /// One-hot pointer: where the search starts.
    pub pointer: Vec<Signal<In, Bit>>,
    /// One-hot winner, 0 if there is no request.
    pub grant: Vec<Signal<Out, Bit>>,
    /// {awake requests, awake requests} - pointer.
    search_awake: Subtractor,
    /// {request, request} - pointer.
    search_all: Subtractor,
    /// Some requesting port is awake.
    any_awake: Signal<Local, Bit>,
    /// Requests of the class that wins.
    eligible: Vec<Signal<Local, Bit>>,
    /// The lower and the upper half of the difference of each port's own class.
    first_turn: Vec<Signal<Local, Bit>>,
    second_turn: Vec<Signal<Local, Bit>>,
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
            search_awake: Subtractor::new(2 * n),
            search_all: Subtractor::new(2 * n),
            any_awake: Default::default(),
            eligible: vector(n),
            first_turn: vector(n),
            second_turn: vector(n),
            n: n.into(),
            info: BlockInfo::new("awake_first_arbiter", include_str!("awake_first_arbiter.rs")),
        }
    }
}

impl Logic for AwakeFirstArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_awake.next = false;
        for i in 0..self.n.get() {
            self.any_awake.next = self.any_awake.val() | (self.request[i].val() & self.awake[i].val());
            self.search_awake.a[i].next = self.request[i].val() & self.awake[i].val();
            self.search_awake.a[i + self.n].next = self.request[i].val() & self.awake[i].val();
            self.search_awake.b[i].next = self.pointer[i].val();
            self.search_awake.b[i + self.n].next = false;
            self.search_all.a[i].next = self.request[i].val();
            self.search_all.a[i + self.n].next = self.request[i].val();
            self.search_all.b[i].next = self.pointer[i].val();
            self.search_all.b[i + self.n].next = false;
        }
        for i in 0..self.n.get() {
            self.eligible[i].next = self.request[i].val() & (self.awake[i].val() | !self.any_awake.val());
            self.first_turn[i].next = (self.awake[i].val() & self.search_awake.difference[i].val())
                | (!self.awake[i].val() & self.search_all.difference[i].val());
            self.second_turn[i].next = (self.awake[i].val() & self.search_awake.difference[i + self.n].val())
                | (!self.awake[i].val() & self.search_all.difference[i + self.n].val());
            self.grant[i].next = self.eligible[i].val() & !(self.first_turn[i].val() & self.second_turn[i].val());
        }
    }
}

rtl_signals!(
    AwakeFirstArbiter,
    combinational,
    inputs(request, awake, pointer),
    outputs(grant),
    registers(),
    children(),
);
