//! Round robin among n requests.
//!
//! Policy:   the winner is the first request at or after the pointer, cyclically. The pointer is one-hot.
//! Method:   of more than four requests {request, request} - pointer borrows through every 0 from the pointer's place up to the first
//!           1, and clears it: the winner is the request whose bit is cleared in either half. The subtraction runs on the FPGA's carry
//!           chain. Up to four are looked at one by one, which takes fewer levels: the lowest from the pointer's place on wins, or
//!           the lowest of all if there is none.
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
    /// Place i is the pointer's or behind it; there is a request.
    turn: Vec<Signal<Local, Bit>>,
    early: Vec<Signal<Local, Bit>>,
    /// Below place i there is no such request; none at all.
    no_early: Vec<Signal<Local, Bit>>,
    none: Vec<Signal<Local, Bit>>,
    n: Size,
    /// N if requests are looked at one by one, else 0.
    looked_at: Size,
    /// 1 if they are, else 0; 1 if they are subtracted from, else 0.
    few: Size,
    subtracted: Size,
    info: BlockInfo,
}

impl RoundRobinArbiter {
    /// For `n` requests, 1..=64.
    pub fn new(n: usize) -> Self {
        let few = n <= FEW;
        RoundRobinArbiter {
            request: vector(n),
            pointer: vector(n),
            grant: vector(n),
            search: (0..usize::from(!few)).map(|_| Subtractor::new(2 * n)).collect(),
            turn: vector(if few { n } else { 0 }),
            early: vector(if few { n } else { 0 }),
            no_early: vector(if few { n + 1 } else { 0 }),
            none: vector(if few { n + 1 } else { 0 }),
            n: n.into(),
            looked_at: if few { n } else { 0 }.into(),
            few: usize::from(few).into(),
            subtracted: usize::from(!few).into(),
            info: BlockInfo::new("round_robin_arbiter", include_str!("round_robin_arbiter.rs")),
        }
    }
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.looked_at.get() {
            self.turn[i].next = self.pointer[i].val();
        }
        for i in 1..self.looked_at.get() {
            self.turn[i].next = self.pointer[i].val() | self.turn[i - 1].val();
        }
        for i in 0..self.looked_at.get() {
            self.early[i].next = self.request[i].val() & self.turn[i].val();
        }
        for k in 0..self.few.get() {
            self.no_early[k].next = true;
            self.none[k].next = true;
        }
        for i in 0..self.looked_at.get() {
            self.no_early[i + 1].next = self.no_early[i].val() & !self.early[i].val();
            self.none[i + 1].next = self.none[i].val() & !self.request[i].val();
        }
        for i in 0..self.looked_at.get() {
            self.grant[i].next = (self.early[i].val() & self.no_early[i].val())
                | (self.request[i].val() & self.none[i].val() & self.no_early[self.n.get()].val());
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
