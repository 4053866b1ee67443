//! Picks one of an input port's virtual channels (stage 2 of allocation).
//!
//! Policy:   round robin; the pointer moves past the virtual channel whose packet is accepted, which may have been picked some cycles
//!           before.
//! Latency:  none (combinational pick).
//! Range:    1 to 8 virtual channels; at most one is accepted in a cycle.
//! Reset:    pointer at virtual channel 0.
//! Source:   POWAR section 4.1 (round-robin arbiters at all allocator stages); docs/microarchitecture/arbiters.md.

use crate::arbiters::RoundRobinArbiter;
use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct VcArbiter {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The virtual channel has a packet that could be granted or dropped.
    pub request: Vec<Signal<In, Bit>>,
    /// The virtual channel whose packet is now granted a port or dropped, one-hot.
    pub accept: Vec<Signal<In, Bit>>,
    /// One-hot pick, 0 if there is no request.
    pub pick: Vec<Signal<Out, Bit>>,
    /// One-hot pointer: whose turn it is.
    pointer_r: BitRegister,
    arbiter: Settled<RoundRobinArbiter>,
    /// Some packet is accepted.
    accepted: Signal<Local, Bit>,
    /// Virtual channels.
    vcs: Size,
    info: BlockInfo,
}

impl VcArbiter {
    /// For `vcs` virtual channels, 1..=8.
    pub fn new(vcs: usize) -> Self {
        VcArbiter {
            clk: Default::default(),
            rst: Default::default(),
            request: vector(vcs),
            accept: vector(vcs),
            pick: vector(vcs),
            pointer_r: one_hot_register(vcs),
            arbiter: RoundRobinArbiter::new(vcs).into(),
            accepted: Default::default(),
            vcs: vcs.into(),
            info: BlockInfo::new("vc_arbiter", include_str!("vc_arbiter.rs")),
        }
    }
}

impl Logic for VcArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, pointer_r);
        self.accepted.next = false;
        for v in 0..self.vcs.get() {
            self.arbiter.request[v].next = self.request[v].val();
            self.arbiter.pointer[v].next = self.pointer_r.q[v].val();
            self.accepted.next = self.accepted.val() | self.accept[v].val();
        }
        for v in 0..self.vcs.get() {
            self.pick[v].next = self.arbiter.grant[v].val();
        }
        if self.accepted.val() {
            self.pointer_r.d[0].next = self.accept[self.vcs - 1].val();
            for v in 1..self.vcs.get() {
                self.pointer_r.d[v].next = self.accept[v - 1].val();
            }
        }
    }
}

rtl_signals!(
    VcArbiter,
    clocked,
    inputs(request, accept),
    outputs(pick),
    registers(pointer_r as "pointer"),
    children(),
);
