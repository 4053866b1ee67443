//! Round robin among n requests, preferred ones before the others: the search of POWAR's Algorithm 1.
//!
//! Policy:   the winner is the first preferred request at or after the pointer, cyclically; if there is none, the first request at
//!           or after the pointer, cyclically. One one-hot pointer serves both classes.
//! Method:   as in round_robin_arbiter, {request, request} - pointer for the preferred requests and for all of them side by side;
//!           each request takes the result of its own class, and the others count only where no preferred one is made.
//! Latency:  none (combinational); the owner keeps the pointer.
//! Range:    n from 1 to 64.
//! Source:   POWAR Algorithm 1; docs/microarchitecture/arbiters.md.

use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PreferredFirstArbiter {
    pub request: Vec<Signal<In, Bit>>,
    /// The class of each.
    pub preferred: Vec<Signal<In, Bit>>,
    /// One-hot pointer: where the search starts.
    pub pointer: Vec<Signal<In, Bit>>,
    /// One-hot winner, 0 if there is no request.
    pub grant: Vec<Signal<Out, Bit>>,
    /// {preferred requests, preferred requests} - pointer.
    search_preferred: Subtractor,
    /// {request, request} - pointer.
    search_all: Subtractor,
    /// Some request is preferred.
    any_preferred: Signal<Local, Bit>,
    /// Requests of the class that wins.
    eligible: Vec<Signal<Local, Bit>>,
    /// The lower and the upper half of the difference of each request's own class.
    first_turn: Vec<Signal<Local, Bit>>,
    second_turn: Vec<Signal<Local, Bit>>,
    n: Size,
    info: BlockInfo,
}

impl PreferredFirstArbiter {
    /// For `n` requests, 1..=64.
    pub fn new(n: usize) -> Self {
        build!(PreferredFirstArbiter {
            (any_preferred)
            [n => request, preferred, pointer, grant, eligible, first_turn, second_turn]
            search_preferred: Subtractor::new(2 * n),
            search_all: Subtractor::new(2 * n),
            n: n.into(),
            info: BlockInfo::new("preferred_first_arbiter", include_str!("preferred_first_arbiter.rs")),
        })
    }
}

impl Logic for PreferredFirstArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_preferred.next = false;
        for i in 0..self.n.get() {
            self.any_preferred.next = self.any_preferred.val() | (self.request[i].val() & self.preferred[i].val());
            self.search_preferred.a[i].next = self.request[i].val() & self.preferred[i].val();
            self.search_preferred.a[i + self.n].next = self.request[i].val() & self.preferred[i].val();
            self.search_preferred.b[i].next = self.pointer[i].val();
            self.search_preferred.b[i + self.n].next = false;
            self.search_all.a[i].next = self.request[i].val();
            self.search_all.a[i + self.n].next = self.request[i].val();
            self.search_all.b[i].next = self.pointer[i].val();
            self.search_all.b[i + self.n].next = false;
        }
        for i in 0..self.n.get() {
            self.eligible[i].next = self.request[i].val() & (self.preferred[i].val() | !self.any_preferred.val());
            self.first_turn[i].next = (self.preferred[i].val() & self.search_preferred.difference[i].val())
                | (!self.preferred[i].val() & self.search_all.difference[i].val());
            self.second_turn[i].next = (self.preferred[i].val() & self.search_preferred.difference[i + self.n].val())
                | (!self.preferred[i].val() & self.search_all.difference[i + self.n].val());
            self.grant[i].next = self.eligible[i].val() & !(self.first_turn[i].val() & self.second_turn[i].val());
        }
    }
}

rtl_signals!(
    PreferredFirstArbiter,
    combinational,
    inputs(request, preferred, pointer),
    outputs(grant),
    registers(),
    children(),
);
