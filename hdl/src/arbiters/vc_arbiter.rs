//! Picks one of an input port's virtual channels (stage 2 of allocation).
//!
//! Policy:   round robin; the pointer moves past the pick in every cycle in which the pick is accepted.
//! Latency:  none (combinational pick). A pick that is not accepted is made afresh in the next cycle, from the same place.
//! Range:    1 to 8 virtual channels. `accept` without a pick does nothing.
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
    /// The pick is granted or dropped in this cycle.
    pub accept: Signal<In, Bit>,
    /// One-hot pick, 0 if there is no request.
    pub pick: Vec<Signal<Out, Bit>>,
    /// One-hot pointer: whose turn it is.
    pointer_r: BitRegister,
    arbiter: Settled<RoundRobinArbiter>,
    /// Some virtual channel asks, so that there is a pick.
    picked: Signal<Local, Bit>,
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
            accept: Default::default(),
            pick: vector(vcs),
            pointer_r: one_hot_register(vcs),
            arbiter: RoundRobinArbiter::new(vcs).into(),
            picked: Default::default(),
            vcs: vcs.into(),
            info: BlockInfo::new("vc_arbiter", include_str!("vc_arbiter.rs")),
        }
    }
}

impl Logic for VcArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, pointer_r);
        self.picked.next = false;
        for v in 0..self.vcs.get() {
            self.arbiter.request[v].next = self.request[v].val();
            self.arbiter.pointer[v].next = self.pointer_r.q[v].val();
            self.picked.next = self.picked.val() | self.request[v].val();
        }
        for v in 0..self.vcs.get() {
            self.pick[v].next = self.arbiter.grant[v].val();
        }
        if self.accept.val() & self.picked.val() {
            self.pointer_r.d[0].next = self.arbiter.grant[self.vcs - 1].val();
            for v in 1..self.vcs.get() {
                self.pointer_r.d[v].next = self.arbiter.grant[v - 1].val();
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
