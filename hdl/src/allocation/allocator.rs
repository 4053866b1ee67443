//! Gives the packets at the heads of the input VCs to output ports, in three stages.
//!
//! Stages:   1. each input VC chooses an output port (POWAR Algorithm 1), among those with room on a VC that the routing allows;
//!           2. each input port picks one of its VCs; 3. each free output port takes one of the input ports that ask for it.
//! Use:      present a packet's sets in its rows of `adaptive` and `deterministic`, with `can_take` once its VC can hold a port; from
//!           the cycle after `accept` on the VC holds the port that `grant` names, or has dropped the packet.
//! Latency:  two cycles from the sets to `grant` when the port is free: the choice is registered, stages 2 and 3 are combinational.
//! Promise:  no port is given to two packets, no input port is granted two; a packet for a port that is ready is picked only when its
//!           input port can read it at once, or when it has missed 63 chances; one for another port at any time.
//! Range:    2 to 64 ports, 1 to 8 VCs.
//! Reset:    no choice, no chance missed, all pointers at place 0.
//! Source:   POWAR section 4.1 and Algorithm 1; docs/microarchitecture/allocation.md.

use crate::allocation::Selector;
use crate::arbiters::{PortArbiter, VcArbiter};
use crate::dff_setup;
use crate::power::if_seen;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::{Deterministic, Sees};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Allocator {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Candidate set P of each input VC: bit r*N + p is requester r = i*V + v (VC v of input port i), output port p.
    pub adaptive: Vec<Signal<In, Bit>>,
    /// Deterministic set D, likewise. Both empty: no packet.
    pub deterministic: Vec<Signal<In, Bit>>,
    /// Output VCs allowed where the port is chosen from P, and from D: bit r*V + w is requester r, output VC w.
    pub adaptive_vcs: Vec<Signal<In, Bit>>,
    pub deterministic_vcs: Vec<Signal<In, Bit>>,
    /// Bit r: the packet is to be dropped; its VC can hold a port.
    pub drop: Vec<Signal<In, Bit>>,
    pub can_take: Vec<Signal<In, Bit>>,
    /// Bit i: input port i can read a packet that is granted now from the next cycle on.
    pub can_read: Vec<Signal<In, Bit>>,
    /// Bit w*N + p: output port p has room for a packet on VC w.
    pub room: Vec<Signal<In, Bit>>,
    /// The output port is held by a packet.
    pub held: Vec<Signal<In, Bit>>,
    /// It may be given to a packet; it is taken before others; it may send.
    pub grantable: Vec<Signal<In, Bit>>,
    pub preferred: Vec<Signal<In, Bit>>,
    pub ready: Vec<Signal<In, Bit>>,
    /// Bit r*N + p: the packet of requester r is granted output port p.
    pub grant: Vec<Signal<Out, Bit>>,
    /// Bit r: the packet is granted a port or dropped.
    pub accept: Vec<Signal<Out, Bit>>,
    /// The output port is given to a packet in this cycle.
    pub given: Vec<Signal<Out, Bit>>,
    /// Some packet could be given the output port, by its destination and the room in the next buffer.
    pub wanted: Vec<Signal<Out, Bit>>,
    /// Bit p*V + w: and output VC w is allowed to it.
    pub allowed: Vec<Signal<Out, Bit>>,
    /// Chances that the packet of requester r has missed because its input port could not read; at most 63.
    missed_r: Vec<Register<Bits<6>>>,
    /// One per input VC.
    selector: Vec<Settled<Selector>>,
    /// One per input port.
    vc_arbiter: Vec<Settled<VcArbiter>>,
    /// One per output port.
    port_arbiter: Vec<Settled<PortArbiter>>,
    /// Bit r*N + p: output port p has room on a VC that the packet is allowed when it chooses from P, and from D.
    adaptive_room: Vec<Signal<Local, Bit>>,
    deterministic_room: Vec<Signal<Local, Bit>>,
    /// Bit r*N + p: the packet has chosen port p, which has not just been given to another packet.
    wants: Vec<Signal<Local, Bit>>,
    /// Bit r: the packet wants a port; that port is ready.
    chosen: Vec<Signal<Local, Bit>>,
    chosen_ready: Vec<Signal<Local, Bit>>,
    /// Bit r: input port i can read a packet from the next cycle on.
    vc_can_read: Vec<Signal<Local, Bit>>,
    /// Bit r: the packet has missed so many chances that it doesn't wait for its input port; it misses one more in this cycle.
    urgent: Vec<Signal<Local, Bit>>,
    misses: Vec<Signal<Local, Bit>>,
    /// Bit r: the packet is picked, and not to be dropped.
    moved: Vec<Signal<Local, Bit>>,
    /// Bit i*N + p: input port i asks for output port p; it is given it.
    wish: Vec<Signal<Local, Bit>>,
    won: Vec<Signal<Local, Bit>>,
    /// Bit i: input port i is given some output port.
    served: Vec<Signal<Local, Bit>>,
    /// Bit i: a packet of input port i is granted or dropped.
    passed: Vec<Signal<Local, Bit>>,
    /// Bit i*V + w: output VC w is allowed to the packet that is picked at input port i.
    picked_vcs: Vec<Signal<Local, Bit>>,
    /// `allowed` by VC: bit w*N + p.
    allowed_by_vc: Vec<Signal<Local, Bit>>,
    /// Ports.
    n: Size,
    /// VCs of a port.
    vcs: Size,
    /// Input VCs.
    requesters: Size,
    /// Ports, if the mechanism sees which are wanted; else 0.
    sees_wanted: Size,
    info: BlockInfo,
}

impl Allocator {
    /// For `n` ports, 2..=64, with `vcs` virtual channels each, 1..=8.
    pub fn new(n: usize, vcs: usize, deterministic: Deterministic, sees: Sees) -> Self {
        let requesters = n * vcs;
        build!(Allocator {
            (clk, rst)
            [requesters * n => adaptive, deterministic, grant, adaptive_room, deterministic_room, wants]
            [requesters * vcs => adaptive_vcs, deterministic_vcs]
            [requesters => drop, can_take, accept, chosen, chosen_ready, vc_can_read, urgent, misses, moved]
            [n => can_read, held, grantable, preferred, ready, given, served, passed]
            [vcs * n => room, allowed_by_vc]
            [if_seen(sees.wanted, n) => wanted]
            [n * vcs => allowed, picked_vcs]
            [n * n => wish, won]
            missed_r: (0..requesters).map(|_| Register::new(0.into())).collect(),
            selector: (0..requesters).map(|_| Selector::new(n, deterministic).into()).collect(),
            vc_arbiter: (0..n).map(|_| VcArbiter::new(vcs).into()).collect(),
            port_arbiter: (0..n).map(|_| PortArbiter::new(n).into()).collect(),
            n: n.into(),
            vcs: vcs.into(),
            requesters: requesters.into(),
            sees_wanted: if_seen(sees.wanted, n).into(),
            info: BlockInfo::new("allocator", include_str!("allocator.rs")),
        })
    }
}

impl Logic for Allocator {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: every packet chooses a port, of those with room for it.
        for r in 0..self.requesters.get() {
            for p in 0..self.n.get() {
                self.adaptive_room[r * self.n + p].next = false;
            }
            for w in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.adaptive_room[r * self.n + p].next = self.adaptive_room[r * self.n + p].val()
                        | (self.room[w * self.n + p].val() & self.adaptive_vcs[r * self.vcs + w].val());
                }
            }
        }
        for r in 0..self.requesters.get() {
            for p in 0..self.n.get() {
                self.deterministic_room[r * self.n + p].next = false;
            }
            for w in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.deterministic_room[r * self.n + p].next = self.deterministic_room[r * self.n + p].val()
                        | (self.room[w * self.n + p].val() & self.deterministic_vcs[r * self.vcs + w].val());
                }
            }
        }
        for r in 0..self.requesters.get() {
            self.selector[r].clk.next = self.clk.val();
            self.selector[r].rst.next = self.rst.val();
            for p in 0..self.n.get() {
                self.selector[r].adaptive[p].next =
                    self.adaptive[r * self.n + p].val() & self.adaptive_room[r * self.n + p].val();
                self.selector[r].deterministic[p].next =
                    self.deterministic[r * self.n + p].val() & self.deterministic_room[r * self.n + p].val();
                self.selector[r].grantable[p].next = self.grantable[p].val();
                self.selector[r].preferred[p].next = self.preferred[p].val();
            }
        }
        for p in 0..self.sees_wanted.get() {
            self.wanted[p].next = false;
            for r in 0..self.requesters.get() {
                self.wanted[p].next = self.wanted[p].val()
                    | (self.adaptive[r * self.n + p].val() & self.adaptive_room[r * self.n + p].val())
                    | (self.deterministic[r * self.n + p].val() & self.deterministic_room[r * self.n + p].val());
            }
        }
        // Stage 2: every input port picks one of its VCs.
        for r in 0..self.requesters.get() {
            for p in 0..self.n.get() {
                self.wants[r * self.n + p].next = self.selector[r].choice[p].val() & !self.held[p].val();
            }
        }
        for r in 0..self.requesters.get() {
            self.chosen[r].next = false;
            self.chosen_ready[r].next = false;
            for p in 0..self.n.get() {
                self.chosen[r].next = self.chosen[r].val() | self.wants[r * self.n + p].val();
                self.chosen_ready[r].next =
                    self.chosen_ready[r].val() | (self.wants[r * self.n + p].val() & self.ready[p].val());
            }
        }
        for r in 0..self.requesters.get() {
            self.urgent[r].next = self.missed_r[r].q.val().all();
        }
        for i in 0..self.n.get() {
            self.vc_arbiter[i].clk.next = self.clk.val();
            self.vc_arbiter[i].rst.next = self.rst.val();
            for v in 0..self.vcs.get() {
                self.vc_can_read[i * self.vcs + v].next = self.can_read[i].val();
            }
            for v in 0..self.vcs.get() {
                self.vc_arbiter[i].request[v].next = self.can_take[i * self.vcs + v].val()
                    & (self.drop[i * self.vcs + v].val()
                        | (self.chosen[i * self.vcs + v].val()
                            & (self.vc_can_read[i * self.vcs + v].val()
                                | !self.chosen_ready[i * self.vcs + v].val()
                                | self.urgent[i * self.vcs + v].val())));
            }
            for v in 0..self.vcs.get() {
                self.moved[i * self.vcs + v].next =
                    self.vc_arbiter[i].pick[v].val() & !self.drop[i * self.vcs + v].val();
            }
        }
        // Stage 3: every free output port takes one of the input ports.
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.wish[i * self.n + p].next = false;
            }
            for v in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.wish[i * self.n + p].next = self.wish[i * self.n + p].val()
                        | (self.wants[(i * self.vcs + v) * self.n + p].val() & self.moved[i * self.vcs + v].val());
                }
            }
        }
        for p in 0..self.n.get() {
            self.port_arbiter[p].clk.next = self.clk.val();
            self.port_arbiter[p].rst.next = self.rst.val();
            self.port_arbiter[p].free.next = !self.held[p].val();
            for i in 0..self.n.get() {
                self.port_arbiter[p].request[i].next = self.wish[i * self.n + p].val();
            }
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.won[i * self.n + p].next = self.port_arbiter[p].grant[i].val();
            }
        }
        // What came of it, for the input ports.
        for i in 0..self.n.get() {
            self.served[i].next = false;
            for p in 0..self.n.get() {
                self.served[i].next = self.served[i].val() | self.won[i * self.n + p].val();
            }
        }
        for i in 0..self.n.get() {
            self.passed[i].next = false;
            for v in 0..self.vcs.get() {
                self.accept[i * self.vcs + v].next =
                    self.vc_arbiter[i].pick[v].val() & (self.drop[i * self.vcs + v].val() | self.served[i].val());
            }
            for v in 0..self.vcs.get() {
                self.passed[i].next = self.passed[i].val() | self.accept[i * self.vcs + v].val();
            }
            self.vc_arbiter[i].accept.next = self.passed[i].val();
            for v in 0..self.vcs.get() {
                self.selector[i * self.vcs + v].accept.next = self.accept[i * self.vcs + v].val();
            }
        }
        for r in 0..self.requesters.get() {
            self.misses[r].next = self.can_take[r].val()
                & self.chosen_ready[r].val()
                & !self.vc_can_read[r].val()
                & !self.urgent[r].val();
        }
        for r in 0..self.requesters.get() {
            dff_setup!(self, clk, missed_r[r]);
            if self.accept[r].val() {
                self.missed_r[r].d.next = 0.into();
            } else if self.misses[r].val() {
                self.missed_r[r].d.next = self.missed_r[r].q.val() + 1;
            }
        }
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.grant[(i * self.vcs + v) * self.n + p].next =
                        self.won[i * self.n + p].val() & self.moved[i * self.vcs + v].val();
                }
            }
        }
        // And for the output ports.
        for p in 0..self.n.get() {
            self.given[p].next = false;
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.given[p].next = self.given[p].val() | self.won[i * self.n + p].val();
            }
        }
        for i in 0..self.n.get() {
            for w in 0..self.vcs.get() {
                self.picked_vcs[i * self.vcs + w].next = false;
            }
            for v in 0..self.vcs.get() {
                if self.moved[i * self.vcs + v].val() {
                    if self.selector[i * self.vcs + v].choice_adaptive.val() {
                        for w in 0..self.vcs.get() {
                            self.picked_vcs[i * self.vcs + w].next = self.picked_vcs[i * self.vcs + w].val()
                                | self.adaptive_vcs[(i * self.vcs + v) * self.vcs + w].val();
                        }
                    } else {
                        for w in 0..self.vcs.get() {
                            self.picked_vcs[i * self.vcs + w].next = self.picked_vcs[i * self.vcs + w].val()
                                | self.deterministic_vcs[(i * self.vcs + v) * self.vcs + w].val();
                        }
                    }
                }
            }
        }
        for k in 0..self.requesters.get() {
            self.allowed_by_vc[k].next = false;
        }
        for i in 0..self.n.get() {
            for w in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.allowed_by_vc[w * self.n + p].next = self.allowed_by_vc[w * self.n + p].val()
                        | (self.won[i * self.n + p].val() & self.picked_vcs[i * self.vcs + w].val());
                }
            }
        }
        for p in 0..self.n.get() {
            for w in 0..self.vcs.get() {
                self.allowed[p * self.vcs + w].next = self.allowed_by_vc[w * self.n + p].val();
            }
        }
    }
}

rtl_signals!(
    Allocator,
    clocked,
    inputs(
        adaptive / n,
        deterministic / n,
        adaptive_vcs / vcs,
        deterministic_vcs / vcs,
        drop / vcs,
        can_take / vcs,
        can_read,
        room / n,
        held,
        grantable,
        preferred,
        ready,
    ),
    outputs(grant / n, accept / vcs, given, wanted, allowed / vcs),
    registers(missed_r as "missed"),
    children(selector, vc_arbiter, port_arbiter),
);
