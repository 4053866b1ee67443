//! What a routing unit says of the packet in one head register, one cycle later.
//!
//! Promise:  no port is asked for to which there is no turn; a packet that may only go to such ports is dropped.
//! Latency:  one cycle. The answer is taken afresh in every cycle while the packet waits; with `next_routes` once, when the packet is
//!           taken from the head register, and the route of the packet behind one that is accepted is shown in the same cycle.
//! Range:    2 to 64 ports, 1 to 8 virtual channels.
//! Reset:    no packet.
//! Source:   docs/microarchitecture/routing.md.

use crate::dff_setup;
use crate::power::if_seen;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct RouteRegister {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A packet is in the head register; with next routes: one leaves it.
    pub head_valid: Signal<In, Bit>,
    /// It must be dropped.
    pub malformed: Signal<In, Bit>,
    /// With next routes: flits of the packet in the head register.
    pub new_length: Vec<Signal<In, Bits<10>>>,
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
    /// With next routes: an answer can be taken; flits of the packet whose route is shown.
    pub has_place: Vec<Signal<Out, Bit>>,
    pub length: Vec<Signal<Out, Bits<10>>>,
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
    /// With next routes: flits of that packet; and the same of the one behind it.
    length_r: Vec<Register<Bits<10>>>,
    next_valid_r: Vec<Register<Bit>>,
    next_drop_r: Vec<Register<Bit>>,
    next_adaptive_r: Vec<BitRegister>,
    next_deterministic_r: Vec<BitRegister>,
    next_adaptive_vcs_r: Vec<BitRegister>,
    next_deterministic_vcs_r: Vec<BitRegister>,
    next_length_r: Vec<Register<Bits<10>>>,
    /// The packet whose route is shown waits on; so does the one behind it; one comes behind.
    waits: Vec<Signal<Local, Bit>>,
    next_waits: Vec<Signal<Local, Bit>>,
    follows: Vec<Signal<Local, Bit>>,
    /// The unit names ports to which there is no turn; others.
    astray: Signal<Local, Bit>,
    has_turn: Signal<Local, Bit>,
    /// A packet stays in the head register; it wants an output port.
    stays: Signal<Local, Bit>,
    wants: Signal<Local, Bit>,
    n: Size,
    vcs: Size,
    /// 1 with next routes, else 0.
    next_routes: Size,
    info: BlockInfo,
}

impl RouteRegister {
    /// For `n` ports, 2..=64, with `vcs` virtual channels each, 1..=8; with next routes or without.
    pub fn new(n: usize, vcs: usize, next_routes: bool) -> Self {
        let register = |bits| BitRegister::new(vec![false; bits]);
        let next = if_seen(next_routes, 1);
        let of_next = |bits| (0..next).map(|_| register(bits)).collect::<Vec<_>>();
        build!(RouteRegister {
            (clk, rst, head_valid, malformed, accept, routable, valid, drop, valid_r, drop_r, astray, has_turn, stays, wants)
            [n => turns, new_adaptive, new_deterministic, adaptive, deterministic]
            [vcs => new_adaptive_vcs, new_deterministic_vcs, adaptive_vcs, deterministic_vcs]
            [next => new_length, has_place, length, length_r, next_valid_r, next_drop_r, next_length_r, waits, next_waits, follows]
            adaptive_r: register(n),
            deterministic_r: register(n),
            adaptive_vcs_r: register(vcs),
            deterministic_vcs_r: register(vcs),
            next_adaptive_r: of_next(n),
            next_deterministic_r: of_next(n),
            next_adaptive_vcs_r: of_next(vcs),
            next_deterministic_vcs_r: of_next(vcs),
            n: n.into(),
            vcs: vcs.into(),
            next_routes: next.into(),
            info: BlockInfo::new("route_register", include_str!("route_register.rs")),
        })
    }
}

impl Logic for RouteRegister {
    #[allow(unused_variables, reason = "a loop of one turn or none is how a part is there or not")]
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid_r, drop_r, adaptive_r, deterministic_r, adaptive_vcs_r, deterministic_vcs_r);
        self.stays.next = self.head_valid.val() & !self.accept.val();
        for k in 0..self.next_routes.get() {
            self.stays.next = self.head_valid.val();
        }
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
        // With next routes: what waits on stays, what is behind an accepted packet moves up, and the answer goes to the first register that holds none.
        for k in 0..self.next_routes.get() {
            dff_setup!(
                self,
                clk,
                length_r[k],
                next_valid_r[k],
                next_drop_r[k],
                next_adaptive_r[k],
                next_deterministic_r[k],
                next_adaptive_vcs_r[k],
                next_deterministic_vcs_r[k],
                next_length_r[k]
            );
            self.waits[k].next = self.valid_r.q.val() & !self.accept.val();
            self.next_waits[k].next = self.next_valid_r[k].q.val() & !self.accept.val();
            self.follows[k].next = self.stays.val() & (self.waits[k].val() | self.next_valid_r[k].q.val());
            self.has_place[k].next = !(self.waits[k].val() & self.next_valid_r[k].q.val());
            self.length[k].next = self.length_r[k].q.val();
            self.length_r[k].d.next = self.new_length[k].val();
            if self.waits[k].val() {
                self.valid_r.d.next = self.valid_r.q.val();
                self.drop_r.d.next = self.drop_r.q.val();
                self.length_r[k].d.next = self.length_r[k].q.val();
                for p in 0..self.n.get() {
                    self.adaptive_r.d[p].next = self.adaptive_r.q[p].val();
                    self.deterministic_r.d[p].next = self.deterministic_r.q[p].val();
                }
                for w in 0..self.vcs.get() {
                    self.adaptive_vcs_r.d[w].next = self.adaptive_vcs_r.q[w].val();
                    self.deterministic_vcs_r.d[w].next = self.deterministic_vcs_r.q[w].val();
                }
            } else if self.next_valid_r[k].q.val() {
                self.valid_r.d.next = true;
                self.drop_r.d.next = self.next_drop_r[k].q.val();
                self.length_r[k].d.next = self.next_length_r[k].q.val();
                for p in 0..self.n.get() {
                    self.adaptive_r.d[p].next = self.next_adaptive_r[k].q[p].val();
                    self.deterministic_r.d[p].next = self.next_deterministic_r[k].q[p].val();
                }
                for w in 0..self.vcs.get() {
                    self.adaptive_vcs_r.d[w].next = self.next_adaptive_vcs_r[k].q[w].val();
                    self.deterministic_vcs_r.d[w].next = self.next_deterministic_vcs_r[k].q[w].val();
                }
            }
            self.next_valid_r[k].d.next = self.next_waits[k].val() | self.follows[k].val();
            if !self.next_waits[k].val() {
                self.next_drop_r[k].d.next = self.follows[k].val() & !self.wants.val();
                self.next_length_r[k].d.next = self.new_length[k].val();
                for p in 0..self.n.get() {
                    self.next_adaptive_r[k].d[p].next =
                        self.follows[k].val() & self.wants.val() & self.new_adaptive[p].val() & self.turns[p].val();
                    self.next_deterministic_r[k].d[p].next = self.follows[k].val()
                        & self.wants.val()
                        & self.new_deterministic[p].val()
                        & self.turns[p].val();
                }
                for w in 0..self.vcs.get() {
                    self.next_adaptive_vcs_r[k].d[w].next = self.new_adaptive_vcs[w].val();
                    self.next_deterministic_vcs_r[k].d[w].next = self.new_deterministic_vcs[w].val();
                }
            }
            // In the cycle in which a packet is accepted the one behind it is shown.
            if self.accept.val() {
                self.valid.next = self.next_valid_r[k].q.val();
                self.drop.next = self.next_drop_r[k].q.val();
                for p in 0..self.n.get() {
                    self.adaptive[p].next = self.next_adaptive_r[k].q[p].val();
                    self.deterministic[p].next = self.next_deterministic_r[k].q[p].val();
                }
                for w in 0..self.vcs.get() {
                    self.adaptive_vcs[w].next = self.next_adaptive_vcs_r[k].q[w].val();
                    self.deterministic_vcs[w].next = self.next_deterministic_vcs_r[k].q[w].val();
                }
            }
        }
    }
}

rtl_signals!(
    RouteRegister,
    clocked,
    inputs(
        head_valid,
        malformed,
        new_length,
        accept,
        turns,
        routable,
        new_adaptive,
        new_deterministic,
        new_adaptive_vcs,
        new_deterministic_vcs,
    ),
    outputs(has_place, length, valid, drop, adaptive, deterministic, adaptive_vcs, deterministic_vcs),
    registers(
        valid_r as "valid",
        drop_r as "drop",
        adaptive_r as "adaptive",
        deterministic_r as "deterministic",
        adaptive_vcs_r as "adaptive_vcs",
        deterministic_vcs_r as "deterministic_vcs",
        length_r as "length",
        next_valid_r as "next_valid",
        next_drop_r as "next_drop",
        next_adaptive_r as "next_adaptive",
        next_deterministic_r as "next_deterministic",
        next_adaptive_vcs_r as "next_adaptive_vcs",
        next_deterministic_vcs_r as "next_deterministic_vcs",
        next_length_r as "next_length",
    ),
    children(),
);
