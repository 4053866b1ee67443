//! Round robin among n requests, preferred ones before the others: the search of POWAR's Algorithm 1.
//!
//! Policy:   the winner is the first preferred request at or after the pointer, cyclically; if there is none, the first request at
//!           or after the pointer, cyclically. One one-hot pointer serves both classes.
//! Method:   as in round_robin_arbiter, {eligible, eligible} - pointer; eligible are the preferred requests, or all if there is none.
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
    /// {eligible, eligible} - pointer.
    search: Subtractor,
    /// Some request is preferred.
    any_preferred: Signal<Local, Bit>,
    /// Requests of the class that wins.
    eligible: Vec<Signal<Local, Bit>>,
    n: Size,
    info: BlockInfo,
}

impl PreferredFirstArbiter {
    /// For `n` requests, 1..=64.
    pub fn new(n: usize) -> Self {
        build!(PreferredFirstArbiter {
            (any_preferred)
            [n => request, preferred, pointer, grant, eligible]
            search: Subtractor::new(2 * n),
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
        }
        for i in 0..self.n.get() {
            self.eligible[i].next = self.request[i].val() & (self.preferred[i].val() | !self.any_preferred.val());
        }
        for i in 0..self.n.get() {
            self.search.a[i].next = self.eligible[i].val();
            self.search.a[i + self.n].next = self.eligible[i].val();
            self.search.b[i].next = self.pointer[i].val();
            self.search.b[i + self.n].next = false;
        }
        for i in 0..self.n.get() {
            self.grant[i].next =
                self.eligible[i].val() & !(self.search.difference[i].val() & self.search.difference[i + self.n].val());
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
