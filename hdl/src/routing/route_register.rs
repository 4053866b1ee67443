//! What a routing unit says of the packet in one head register, one cycle later.
//!
//! Promise:  no port is asked for to which there is no turn; a packet that may only go to such ports is dropped.
//! Latency:  one cycle. The answer is taken afresh in every cycle while the packet waits; with `next_routes` once, when the packet is
//!           taken from the head register, and the route of the packet behind one that is accepted is shown in the same cycle.
//! Range:    2 to 64 ports, 1 to 8 virtual channels.
//! Reset:    no packet.
//! Source:   docs/microarchitecture/routing.md.

use crate::power::if_seen;
use crate::{block, dff_setup};
use rust_hdl::prelude::*;

block! {
    pub struct RouteRegister("route_register", include_str!("route_register.rs"), clocked)
    /// For `n` ports, 2..=64, with `vcs` virtual channels each, 1..=8; with next routes or without.
    pub fn new(n: usize, vcs: usize, next_routes: bool) -> Self {
        let next = if_seen(next_routes, 1);
    }
    inputs {
        /// A packet is in the head register; with next routes: one leaves it.
        head_valid: Bit,
        /// It must be dropped.
        malformed: Bit,
        /// With next routes: flits of the packet in the head register.
        new_length[next]: Bits<10>,
        /// It has been granted a port, or is dropped: it leaves the head register.
        accept: Bit,
        /// The turns that there are from its input port, one bit an output port: constants of its place.
        turns[n]: Bit,
        /// From the routing unit: its destination exists; the sets P and D; the output virtual channels allowed with each.
        routable: Bit,
        new_adaptive[n]: Bit,
        new_deterministic[n]: Bit,
        new_adaptive_vcs[vcs]: Bit,
        new_deterministic_vcs[vcs]: Bit,
    }
    outputs {
        /// With next routes: an answer can be taken; flits of the packet whose route is shown.
        has_place[next]: Bit,
        length[next]: Bits<10>,
        /// The route of a packet is shown.
        valid: Bit,
        /// It is to be dropped.
        drop: Bit,
        /// P and D, empty if there is no packet or it is to be dropped.
        adaptive[n]: Bit,
        deterministic[n]: Bit,
        /// Output virtual channels allowed with each.
        adaptive_vcs[vcs]: Bit,
        deterministic_vcs[vcs]: Bit,
    }
    registers {
        valid_r: Bit,
        drop_r: Bit,
        adaptive_r = vec![false; n],
        deterministic_r = vec![false; n],
        adaptive_vcs_r = vec![false; vcs],
        deterministic_vcs_r = vec![false; vcs],
        /// With next routes: flits of that packet; and the same of the one behind it.
        length_r[next]: Bits<10>,
        next_valid_r[next]: Bit,
        next_drop_r[next]: Bit,
        next_adaptive_r[next] = vec![false; n],
        next_deterministic_r[next] = vec![false; n],
        next_adaptive_vcs_r[next] = vec![false; vcs],
        next_deterministic_vcs_r[next] = vec![false; vcs],
        next_length_r[next]: Bits<10>,
    }
    locals {
        /// The packet whose route is shown waits on; so does the one behind it; one comes behind.
        waits[next]: Bit,
        next_waits[next]: Bit,
        follows[next]: Bit,
        /// The unit names ports to which there is no turn; others.
        astray: Bit,
        has_turn: Bit,
        /// A packet stays in the head register; it wants an output port.
        stays: Bit,
        wants: Bit,
    }
    sizes {
        n = n,
        vcs = vcs,
        /// 1 with next routes, else 0.
        next_routes = next,
    }
}

impl Logic for RouteRegister {
    #[allow(unused_variables, reason = "a loop of one turn or none is how a part is there or not")]
    #[hdl_gen]
    fn update(&mut self) {
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
