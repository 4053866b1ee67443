//! Gives one output port to one of the requesters that chose it (stage 3 of allocation).
//!
//! Policy:   round robin; the pointer moves past the winner in every cycle with a grant.
//! Latency:  none (combinational grant).
//! Range:    1 to 64 requesters. No grant while the port is held.
//! Reset:    pointer at requester 0.
//! Source:   POWAR section 4.1 (round-robin arbiters at all allocator stages); docs/microarchitecture/arbiters.md.

use crate::arbiters::RoundRobinArbiter;
use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PortArbiter {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Requester r's choice is this port.
    pub request: Vec<Signal<In, Bit>>,
    /// The port is not held by a packet.
    pub free: Signal<In, Bit>,
    /// One-hot winner.
    pub grant: Vec<Signal<Out, Bit>>,
    /// One-hot pointer: whose turn it is.
    pointer_r: BitRegister,
    arbiter: Settled<RoundRobinArbiter>,
    /// A grant is made in this cycle.
    granted: Signal<Local, Bit>,
    requesters: Size,
    info: BlockInfo,
}

impl PortArbiter {
    /// For `r` requesters, 1..=64.
    pub fn new(r: usize) -> Self {
        PortArbiter {
            clk: Default::default(),
            rst: Default::default(),
            request: vector(r),
            free: Default::default(),
            grant: vector(r),
            pointer_r: one_hot_register(r),
            arbiter: RoundRobinArbiter::new(r).into(),
            granted: Default::default(),
            requesters: r.into(),
            info: BlockInfo::new("port_arbiter", include_str!("port_arbiter.rs")),
        }
    }
}

impl Logic for PortArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, pointer_r);
        self.granted.next = false;
        for i in 0..self.requesters.get() {
            self.arbiter.request[i].next = self.request[i].val();
            self.arbiter.pointer[i].next = self.pointer_r.q[i].val();
            self.granted.next = self.granted.val() | (self.request[i].val() & self.free.val());
        }
        for i in 0..self.requesters.get() {
            self.grant[i].next = self.arbiter.grant[i].val() & self.free.val();
        }
        if self.granted.val() {
            self.pointer_r.d[0].next = self.arbiter.grant[self.requesters - 1].val();
            for i in 1..self.requesters.get() {
                self.pointer_r.d[i].next = self.arbiter.grant[i - 1].val();
            }
        }
    }
}

rtl_signals!(
    PortArbiter,
    clocked,
    inputs(request, free),
    outputs(grant),
    registers(pointer_r as "pointer"),
    children(),
);
