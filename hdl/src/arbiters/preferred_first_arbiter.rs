//! Round robin among n requests, preferred ones before the others: the search of POWAR's Algorithm 1.
//!
//! Policy:   the winner is the first preferred request at or after the pointer, cyclically; if there is none, the first request at
//!           or after the pointer, cyclically. One one-hot pointer serves both classes.
//! Method:   two searches at the same time, among all requests and among the preferred ones of them: neither waits for which class wins.
//! Latency:  none (combinational); the owner keeps the pointer.
//! Range:    n from 1 to 64.
//! Source:   POWAR Algorithm 1; docs/microarchitecture/arbiters.md.

use crate::arbiters::RoundRobinArbiter;
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
    /// The searches among all requests, and among the preferred ones.
    all: Settled<RoundRobinArbiter>,
    of_preferred: Settled<RoundRobinArbiter>,
    /// Requests that are preferred, and whether there are any.
    first: Vec<Signal<Local, Bit>>,
    any_preferred: Signal<Local, Bit>,
    n: Size,
    info: BlockInfo,
}

impl PreferredFirstArbiter {
    /// For `n` requests, 1..=64.
    pub fn new(n: usize) -> Self {
        build!(PreferredFirstArbiter {
            (any_preferred)
            [n => request, preferred, pointer, grant, first]
            all: RoundRobinArbiter::new(n).into(),
            of_preferred: RoundRobinArbiter::new(n).into(),
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

rtl_signals!(
    PreferredFirstArbiter,
    combinational,
    inputs(request, preferred, pointer),
    outputs(grant),
    registers(),
    children(),
);
