//! What a routing unit says of the packet in one head register, one cycle later.
//!
//! Promise:  no port is asked for to which there is no turn; a packet that may only go to such ports is dropped.
//! Latency:  one cycle. The answer is taken afresh in every cycle while the packet waits.
//! Range:    2 to 64 ports, 1 to 8 virtual channels.
//! Reset:    no packet.
//! Source:   docs/microarchitecture/routing.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct RouteRegister {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A packet is in the head register.
    pub head_valid: Signal<In, Bit>,
    /// It must be dropped.
    pub malformed: Signal<In, Bit>,
    /// It has been granted a port, or is dropped: it leaves the head register.
    pub accept: Signal<In, Bit>,
    /// The turns that there are from its input port, one bit an output port: constants of its place.
    pub turns: Vec<Signal<In, Bit>>,
    /// From the routing unit: its destination exists; the sets P and D; the output virtual channels allowed with each.
    pub routable: Signal<In, Bit>,
    pub new_adaptive: Vec<Signal<In, Bit>>,
    pub new_deterministic: Vec<Signal<In, Bit>>,
    pub new_adaptive_vcs: Vec<Signal<In, Bit>>,
    pub new_deterministic_vcs: Vec<Signal<In, Bit>>,
    /// The route of a packet is shown.
    pub valid: Signal<Out, Bit>,
    /// It is to be dropped.
    pub drop: Signal<Out, Bit>,
    /// P and D, empty if there is no packet or it is to be dropped.
    pub adaptive: Vec<Signal<Out, Bit>>,
    pub deterministic: Vec<Signal<Out, Bit>>,
    /// Output virtual channels allowed with each.
    pub adaptive_vcs: Vec<Signal<Out, Bit>>,
    pub deterministic_vcs: Vec<Signal<Out, Bit>>,
    valid_r: Register<Bit>,
    drop_r: Register<Bit>,
    adaptive_r: BitRegister,
    deterministic_r: BitRegister,
    adaptive_vcs_r: BitRegister,
    deterministic_vcs_r: BitRegister,
    /// The unit names ports to which there is no turn; others.
    astray: Signal<Local, Bit>,
    has_turn: Signal<Local, Bit>,
    /// A packet stays in the head register; it wants an output port.
    stays: Signal<Local, Bit>,
    wants: Signal<Local, Bit>,
    n: Size,
    vcs: Size,
    info: BlockInfo,
}

impl RouteRegister {
    /// For `n` ports, 2..=64, with `vcs` virtual channels each, 1..=8.
    pub fn new(n: usize, vcs: usize) -> Self {
        let register = |bits| BitRegister::new(vec![false; bits]);
        build!(RouteRegister {
            (clk, rst, head_valid, malformed, accept, routable, valid, drop, valid_r, drop_r, astray, has_turn, stays, wants)
            [n => turns, new_adaptive, new_deterministic, adaptive, deterministic]
            [vcs => new_adaptive_vcs, new_deterministic_vcs, adaptive_vcs, deterministic_vcs]
            adaptive_r: register(n),
            deterministic_r: register(n),
            adaptive_vcs_r: register(vcs),
            deterministic_vcs_r: register(vcs),
            n: n.into(),
            vcs: vcs.into(),
            info: BlockInfo::new("route_register", include_str!("route_register.rs")),
        })
    }
}

impl Logic for RouteRegister {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid_r, drop_r, adaptive_r, deterministic_r, adaptive_vcs_r, deterministic_vcs_r);
        self.stays.next = self.head_valid.val() & !self.accept.val();
        self.astray.next = false;
        self.has_turn.next = false;
        for p in 0..self.n.get() {
            self.astray.next = self.astray.val()
                | ((self.new_adaptive[p].val() | self.new_deterministic[p].val()) & !self.turns[p].val());
            self.has_turn.next = self.has_turn.val()
                | ((self.new_adaptive[p].val() | self.new_deterministic[p].val()) & self.turns[p].val());
        }
        self.wants.next =
            self.stays.val() & !self.malformed.val() & self.routable.val() & (self.has_turn.val() | !self.astray.val());
        self.valid_r.d.next = self.stays.val();
        self.drop_r.d.next = self.stays.val() & !self.wants.val();
        self.valid.next = self.valid_r.q.val();
        self.drop.next = self.drop_r.q.val();
        for p in 0..self.n.get() {
            self.adaptive_r.d[p].next = self.wants.val() & self.new_adaptive[p].val() & self.turns[p].val();
            self.deterministic_r.d[p].next = self.wants.val() & self.new_deterministic[p].val() & self.turns[p].val();
            self.adaptive[p].next = self.adaptive_r.q[p].val();
            self.deterministic[p].next = self.deterministic_r.q[p].val();
        }
        for w in 0..self.vcs.get() {
            self.adaptive_vcs_r.d[w].next = self.new_adaptive_vcs[w].val();
            self.deterministic_vcs_r.d[w].next = self.new_deterministic_vcs[w].val();
            self.adaptive_vcs[w].next = self.adaptive_vcs_r.q[w].val();
            self.deterministic_vcs[w].next = self.deterministic_vcs_r.q[w].val();
        }
    }
}

rtl_signals!(
    RouteRegister,
    clocked,
    inputs(
        head_valid,
        malformed,
        accept,
        turns,
        routable,
        new_adaptive,
        new_deterministic,
        new_adaptive_vcs,
        new_deterministic_vcs,
    ),
    outputs(valid, drop, adaptive, deterministic, adaptive_vcs, deterministic_vcs),
    registers(
        valid_r as "valid",
        drop_r as "drop",
        adaptive_r as "adaptive",
        deterministic_r as "deterministic",
        adaptive_vcs_r as "adaptive_vcs",
        deterministic_vcs_r as "deterministic_vcs",
    ),
    children(),
);
