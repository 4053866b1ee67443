//! Gives the packets at the heads of the input VCs to output ports, in three stages of one cycle each.
//!
//! Stages:   1. each input VC chooses an output port (POWAR Algorithm 1), among those that may be given to its packet;
//!           2. each input port picks one of its VCs; 3. each free output port takes one of the input ports that ask for it.
//! Use:      present a packet's route in its rows of `valid`, `drop`, `adaptive` and `deterministic`. From the cycle with `accept` on the
//!           VC holds the port that `grant` of its input port names, or the packet is being dropped.
//! Latency:  three cycles from the sets to `accept` when the port is free: choice, pick and grant are registered.
//! Promise:  no port is given to two packets, no packet is accepted twice, no input port has packets accepted in two cycles one after the
//!           other unless the second one is overdue: it has missed 63 chances; a packet for a port that is ready is picked only when its
//!           input port can read it at once, or when it is overdue; one for another port at any time.
//! Range:    2 to 64 ports, 1 to 8 VCs.
//! Reset:    no choice, pick or grant, no chance missed, all pointers at place 0.
//! Source:   POWAR section 4.1 and Algorithm 1; docs/microarchitecture/allocation.md.

use crate::allocation::Selector;
use crate::arbiters::{PortArbiter, VcArbiter};
use crate::power::if_seen;
use crate::{block, dff_setup};
use powar_config::{Config, Sees};
use rust_hdl::prelude::*;

block! {
    pub struct Allocator("allocator", include_str!("allocator.rs"), clocked)
    /// For the ports of this configuration, 2..=64, with 1..=8 virtual channels each, and what the power mechanism sees of it.
    pub fn new(
        config: &Config,
        sees: Sees,
    ) -> Self {
        let (n, vcs, lowest) = (config.ports, config.switch.vcs, config.lowest_adaptive());
        let requesters = n * vcs;
    }
    inputs {
        /// The route of a packet of requester r = i*V + v (VC v of input port i) is shown; the packet is to be dropped.
        valid[requesters] / vcs: Bit,
        drop[requesters] / vcs: Bit,
        /// Candidate set P of each input VC: bit r*N + p is requester r, output port p.
        adaptive[requesters * n] / n: Bit,
        /// Deterministic set D, likewise. Both empty: no packet, or one to be dropped.
        deterministic[requesters * n] / n: Bit,
        /// Output VCs allowed where the port is chosen from P, and from D: bit r*V + w is requester r, output VC w.
        adaptive_vcs[requesters * vcs] / vcs: Bit,
        deterministic_vcs[requesters * vcs] / vcs: Bit,
        /// Bit r: the VC can hold a port two cycles from now.
        can_take[requesters] / vcs: Bit,
        /// Bit i: input port i can read a packet two cycles from now.
        can_read[n]: Bit,
        /// Bit w*N + p: output port p may be given to a packet on VC w.
        open[vcs * n] / n: Bit,
        /// Likewise: it has room for a packet on VC w, whether or not it may be given.
        room[if_seen(sees.wanted, vcs * n)] / n: Bit,
        /// Bit i: the output port is released in the cycle in which it is granted to the packet of input port i: in a switch for short packets.
        at_once[if_seen(config.switch.short_packets(), n)]: Bit,
        /// The output port is held by a packet.
        held[n]: Bit,
        /// It may send; if it is held it may for the next four cycles; it is taken before others.
        ready[n]: Bit,
        steady[n]: Bit,
        preferred[n]: Bit,
    }
    outputs {
        /// Bit r: the packet has been granted a port, or is dropped.
        accept[requesters] / vcs: Bit,
        /// Bit i*N + p: a packet of input port i has been granted output port p.
        grant[n * n] / n: Bit,
        /// Bit i: the packet that is accepted is dropped; its port was ready in the cycle before, and steady.
        grant_drop[n]: Bit,
        grant_ready[n]: Bit,
        grant_steady[n]: Bit,
        /// The output port is given to a packet in this cycle; `grant` shows it in the next.
        given[n]: Bit,
        /// Some packet could be given the output port, by its destination and the room in the next buffer.
        wanted[if_seen(sees.wanted, n)]: Bit,
        /// The output port has been given to a packet in the cycle before; bit p*V + w: output VC w is allowed to it.
        granted[n]: Bit,
        /// It is released in this cycle, in which it is granted.
        freed[if_seen(config.switch.short_packets(), n)]: Bit,
        allowed[n * vcs] / vcs: Bit,
    }
    registers {
        accept_r[n] = vec![false; vcs],
        grant_r[n] = vec![false; n],
        grant_drop_r = vec![false; n],
        grant_ready_r = vec![false; n],
        grant_steady_r = vec![false; n],
        /// Bit i: the choice of the granted port came from P; and the output VCs allowed to the packet that is accepted.
        grant_adaptive_r = vec![false; n],
        grant_vcs_r[n] = vec![false; vcs],
        /// Bit i: a packet of input port i is accepted in this cycle; so its last pick is stale.
        served_r = vec![false; n],
        stale_r = vec![false; n],
        /// Of each input port: the VC that was picked and whether its choice came from P; if the pick is not stale: whether the packet is to be
        /// dropped, and the port it asks for.
        picked_r[n] = vec![false; vcs],
        picked_drop_r = vec![false; n],
        picked_adaptive_r = vec![false; n],
        wish_r[n] = vec![false; n],
        /// Output ports that were ready in the cycle before.
        ready_before_r = vec![false; n],
        /// Chances that the packet of requester r has missed because its input port could not read, or had just picked another; at most 63.
        missed_r[requesters]: Bits<6>,
    }
    children {
        /// One per input VC.
        selector[requesters]: Selector = Selector::new(n, lowest, config.deterministic, config.next_routes()),
        /// One per input port.
        vc_arbiter[n]: VcArbiter = VcArbiter::new(vcs),
        /// One per output port.
        port_arbiter[n]: PortArbiter = PortArbiter::new(n),
    }
    locals {
        /// Bit r*N + p: output port p may be given to the packet when it chooses from P, and from D.
        adaptive_open[requesters * n]: Bit,
        deterministic_open[requesters * n]: Bit,
        /// Likewise: it has room.
        adaptive_room[if_seen(sees.wanted, requesters * n)]: Bit,
        deterministic_room[if_seen(sees.wanted, requesters * n)]: Bit,
        /// Bit i*N + p: input port i is given output port p.
        won[n * n]: Bit,
        /// Bit p: some input port asks for output port p; it is held or just being given away.
        asked[n]: Bit,
        taken[n]: Bit,
        /// Bit r: the packet has chosen a port that is not taken; the port it has chosen was ready in the cycle before.
        wants[requesters]: Bit,
        choice_ready[requesters]: Bit,
        /// Bit r: a packet waits that could be picked; its input port can read it; it could be picked for the port it has chosen.
        waits[requesters]: Bit,
        reads[requesters]: Bit,
        goes[requesters]: Bit,
        /// Bit r: the packet has missed so many chances that it doesn't wait for its input port; it misses one more in this cycle.
        overdue[requesters]: Bit,
        misses[requesters]: Bit,
        /// Bit r: the packet is picked, and not to be dropped.
        moved[requesters]: Bit,
        /// Bit i*N + p: the picked packet of input port i asks for output port p.
        next_wish[n * n]: Bit,
        /// Bit i: the picked packet is to be dropped; its choice came from P; it is overdue and was not picked in the cycle before.
        pick_drop[n]: Bit,
        pick_adaptive[n]: Bit,
        pick_overdue[n]: Bit,
        /// Bit i: input port i is given some output port; a packet of it is accepted in the next cycle, so that what it picks is stale.
        wins[n]: Bit,
        serves[n]: Bit,
        /// Bit r: the packet is accepted in the next cycle. Bit i*V + w: output VC w is allowed to that of input port i.
        serves_vc[requesters]: Bit,
        serves_vcs[n * vcs]: Bit,
        pick_stale[n]: Bit,
        /// The port it asks for is ready, and steady.
        wish_ready[n]: Bit,
        wish_steady[n]: Bit,
        /// `allowed` by VC: bit w*N + p.
        allowed_by_vc[vcs * n]: Bit,
    }
    sizes {
        /// Ports.
        n = n,
        /// VCs of a port.
        vcs = vcs,
        /// Input VCs.
        requesters = requesters,
        /// Ports, and input VCs, if the mechanism sees which ports are wanted; else 0.
        sees_wanted = if_seen(sees.wanted, n),
        wanting = if_seen(sees.wanted, requesters),
        /// Ports in a switch for short packets, else 0.
        sees_at_once = if_seen(config.switch.short_packets(), n),
    }
}

impl Logic for Allocator {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: every packet chooses a port, of those that may be given to it.
        for r in 0..self.requesters.get() {
            for p in 0..self.n.get() {
                self.adaptive_open[r * self.n + p].next = false;
            }
            for w in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.adaptive_open[r * self.n + p].next = self.adaptive_open[r * self.n + p].val()
                        | (self.open[w * self.n + p].val() & self.adaptive_vcs[r * self.vcs + w].val());
                }
            }
        }
        for r in 0..self.requesters.get() {
            for p in 0..self.n.get() {
                self.deterministic_open[r * self.n + p].next = false;
            }
            for w in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.deterministic_open[r * self.n + p].next = self.deterministic_open[r * self.n + p].val()
                        | (self.open[w * self.n + p].val() & self.deterministic_vcs[r * self.vcs + w].val());
                }
            }
        }
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.selector[i * self.vcs + v].accept.next = self.accept_r[i].q[v].val();
                self.selector[i * self.vcs + v].granted_adaptive.next = self.grant_adaptive_r.q[i].val();
                for p in 0..self.n.get() {
                    self.selector[i * self.vcs + v].adaptive[p].next = self.adaptive[(i * self.vcs + v) * self.n + p]
                        .val()
                        & self.adaptive_open[(i * self.vcs + v) * self.n + p].val();
                    self.selector[i * self.vcs + v].deterministic[p].next =
                        self.deterministic[(i * self.vcs + v) * self.n + p].val()
                            & self.deterministic_open[(i * self.vcs + v) * self.n + p].val();
                    self.selector[i * self.vcs + v].preferred[p].next = self.preferred[p].val();
                    self.selector[i * self.vcs + v].granted[p].next = self.grant_r[i].q[p].val();
                }
            }
        }
        // What the mechanism sees of it.
        for r in 0..self.wanting.get() {
            for p in 0..self.n.get() {
                self.adaptive_room[r * self.n + p].next = false;
                self.deterministic_room[r * self.n + p].next = false;
            }
            for w in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.adaptive_room[r * self.n + p].next = self.adaptive_room[r * self.n + p].val()
                        | (self.room[w * self.n + p].val() & self.adaptive_vcs[r * self.vcs + w].val());
                }
            }
            for w in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.deterministic_room[r * self.n + p].next = self.deterministic_room[r * self.n + p].val()
                        | (self.room[w * self.n + p].val() & self.deterministic_vcs[r * self.vcs + w].val());
                }
            }
        }
        for p in 0..self.sees_wanted.get() {
            self.wanted[p].next = false;
            for r in 0..self.wanting.get() {
                self.wanted[p].next = self.wanted[p].val()
                    | (self.adaptive[r * self.n + p].val() & self.adaptive_room[r * self.n + p].val())
                    | (self.deterministic[r * self.n + p].val() & self.deterministic_room[r * self.n + p].val());
            }
        }
        // Stage 3, which decides whether a pick of this cycle is stale: every free output port takes one of the input ports.
        for p in 0..self.n.get() {
            self.asked[p].next = false;
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.asked[p].next = self.asked[p].val() | self.wish_r[i].q[p].val();
            }
        }
        for p in 0..self.n.get() {
            self.port_arbiter[p].free.next = !self.held[p].val();
            for i in 0..self.n.get() {
                self.port_arbiter[p].request[i].next = self.wish_r[i].q[p].val();
            }
            self.given[p].next = !self.held[p].val() & self.asked[p].val();
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.won[i * self.n + p].next = self.port_arbiter[p].grant[i].val();
            }
        }
        for i in 0..self.n.get() {
            self.wins[i].next = false;
            self.wish_ready[i].next = false;
            self.wish_steady[i].next = false;
            for p in 0..self.n.get() {
                self.wins[i].next = self.wins[i].val() | self.won[i * self.n + p].val();
                self.wish_ready[i].next = self.wish_ready[i].val() | (self.wish_r[i].q[p].val() & self.ready[p].val());
                self.wish_steady[i].next =
                    self.wish_steady[i].val() | (self.wish_r[i].q[p].val() & self.steady[p].val());
            }
        }
        for i in 0..self.n.get() {
            self.serves[i].next = self.picked_drop_r.q[i].val() | self.wins[i].val();
        }
        // Stage 2: every input port picks one of its VCs. Of the ports that others ask for in this cycle each is given away.
        for p in 0..self.n.get() {
            self.taken[p].next = self.held[p].val() | self.asked[p].val();
        }
        for r in 0..self.requesters.get() {
            self.wants[r].next = false;
            self.choice_ready[r].next = false;
            for p in 0..self.n.get() {
                self.wants[r].next = self.wants[r].val() | (self.selector[r].choice[p].val() & !self.taken[p].val());
                self.choice_ready[r].next =
                    self.choice_ready[r].val() | (self.selector[r].choice[p].val() & self.ready_before_r.q[p].val());
            }
        }
        for r in 0..self.requesters.get() {
            self.overdue[r].next = self.missed_r[r].q.val().all();
        }
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.waits[i * self.vcs + v].next = self.valid[i * self.vcs + v].val()
                    & self.can_take[i * self.vcs + v].val()
                    & !self.accept_r[i].q[v].val();
                self.reads[i * self.vcs + v].next = self.can_read[i].val() & !self.served_r.q[i].val();
            }
            for v in 0..self.vcs.get() {
                self.goes[i * self.vcs + v].next = self.waits[i * self.vcs + v].val()
                    & (self.reads[i * self.vcs + v].val()
                        | !self.choice_ready[i * self.vcs + v].val()
                        | self.overdue[i * self.vcs + v].val());
            }
            for v in 0..self.vcs.get() {
                self.vc_arbiter[i].accept[v].next = self.accept_r[i].q[v].val();
                self.vc_arbiter[i].request[v].next = (self.waits[i * self.vcs + v].val()
                    & self.drop[i * self.vcs + v].val())
                    | (self.wants[i * self.vcs + v].val() & self.goes[i * self.vcs + v].val());
            }
            for v in 0..self.vcs.get() {
                self.moved[i * self.vcs + v].next =
                    self.vc_arbiter[i].pick[v].val() & !self.drop[i * self.vcs + v].val();
            }
        }
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.misses[i * self.vcs + v].next = ((self.waits[i * self.vcs + v].val()
                    & self.wants[i * self.vcs + v].val()
                    & self.choice_ready[i * self.vcs + v].val()
                    & !self.reads[i * self.vcs + v].val())
                    | (self.stale_r.q[i].val() & self.picked_r[i].q[v].val()))
                    & !self.overdue[i * self.vcs + v].val();
            }
        }
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                dff_setup!(self, clk, missed_r[i * self.vcs + v]);
                if self.accept_r[i].q[v].val() {
                    self.missed_r[i * self.vcs + v].d.next = 0.into();
                } else if self.misses[i * self.vcs + v].val() {
                    self.missed_r[i * self.vcs + v].d.next = self.missed_r[i * self.vcs + v].q.val() + 1;
                }
            }
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.next_wish[i * self.n + p].next = false;
            }
            for v in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.next_wish[i * self.n + p].next = self.next_wish[i * self.n + p].val()
                        | (self.selector[i * self.vcs + v].choice[p].val() & self.moved[i * self.vcs + v].val());
                }
            }
        }
        for i in 0..self.n.get() {
            self.pick_drop[i].next = false;
            self.pick_adaptive[i].next = false;
            self.pick_overdue[i].next = false;
            for v in 0..self.vcs.get() {
                self.pick_drop[i].next =
                    self.pick_drop[i].val() | (self.vc_arbiter[i].pick[v].val() & self.drop[i * self.vcs + v].val());
                self.pick_adaptive[i].next = self.pick_adaptive[i].val()
                    | (self.moved[i * self.vcs + v].val() & self.selector[i * self.vcs + v].choice_adaptive.val());
                self.pick_overdue[i].next = self.pick_overdue[i].val()
                    | (self.moved[i * self.vcs + v].val()
                        & !self.picked_r[i].q[v].val()
                        & self.overdue[i * self.vcs + v].val());
            }
        }
        // What a port picks in the cycle before one of its packets is accepted counts for nothing, unless it is overdue.
        for i in 0..self.n.get() {
            self.pick_stale[i].next = self.serves[i].val() & !self.pick_overdue[i].val();
        }
        for i in 0..self.n.get() {
            self.served_r.d[i].next = self.serves[i].val();
            self.stale_r.d[i].next = self.pick_stale[i].val();
            self.picked_drop_r.d[i].next = self.pick_drop[i].val() & !self.serves[i].val();
            self.picked_adaptive_r.d[i].next = self.pick_adaptive[i].val();
            for v in 0..self.vcs.get() {
                self.picked_r[i].d[v].next = self.vc_arbiter[i].pick[v].val();
            }
            for p in 0..self.n.get() {
                self.wish_r[i].d[p].next = self.next_wish[i * self.n + p].val() & !self.pick_stale[i].val();
            }
        }
        // Stage 3: what came of it, for the input ports. A packet's route is shown until it is accepted.
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.serves_vc[i * self.vcs + v].next = self.picked_r[i].q[v].val() & self.serves[i].val();
            }
            for w in 0..self.vcs.get() {
                self.serves_vcs[i * self.vcs + w].next = false;
            }
            for v in 0..self.vcs.get() {
                if self.serves_vc[i * self.vcs + v].val() {
                    if self.picked_adaptive_r.q[i].val() {
                        for w in 0..self.vcs.get() {
                            self.serves_vcs[i * self.vcs + w].next = self.serves_vcs[i * self.vcs + w].val()
                                | self.adaptive_vcs[(i * self.vcs + v) * self.vcs + w].val();
                        }
                    } else {
                        for w in 0..self.vcs.get() {
                            self.serves_vcs[i * self.vcs + w].next = self.serves_vcs[i * self.vcs + w].val()
                                | self.deterministic_vcs[(i * self.vcs + v) * self.vcs + w].val();
                        }
                    }
                }
            }
        }
        for p in 0..self.n.get() {
            self.ready_before_r.d[p].next = self.ready[p].val();
        }
        for i in 0..self.n.get() {
            self.grant_drop_r.d[i].next = self.picked_drop_r.q[i].val();
            self.grant_adaptive_r.d[i].next = self.picked_adaptive_r.q[i].val();
            self.grant_ready_r.d[i].next = self.wish_ready[i].val();
            self.grant_steady_r.d[i].next = self.wish_steady[i].val();
            for v in 0..self.vcs.get() {
                self.accept_r[i].d[v].next = self.serves_vc[i * self.vcs + v].val();
                self.grant_vcs_r[i].d[v].next = self.serves_vcs[i * self.vcs + v].val();
            }
            for p in 0..self.n.get() {
                self.grant_r[i].d[p].next = self.won[i * self.n + p].val();
            }
        }
        for i in 0..self.n.get() {
            self.grant_drop[i].next = self.grant_drop_r.q[i].val();
            self.grant_ready[i].next = self.grant_ready_r.q[i].val();
            self.grant_steady[i].next = self.grant_steady_r.q[i].val();
            for v in 0..self.vcs.get() {
                self.accept[i * self.vcs + v].next = self.accept_r[i].q[v].val();
            }
            for p in 0..self.n.get() {
                self.grant[i * self.n + p].next = self.grant_r[i].q[p].val();
            }
        }
        // And for the output ports.
        for p in 0..self.n.get() {
            self.granted[p].next = false;
        }
        for k in 0..self.requesters.get() {
            self.allowed_by_vc[k].next = false;
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.granted[p].next = self.granted[p].val() | self.grant_r[i].q[p].val();
            }
            for w in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.allowed_by_vc[w * self.n + p].next = self.allowed_by_vc[w * self.n + p].val()
                        | (self.grant_r[i].q[p].val() & self.grant_vcs_r[i].q[w].val());
                }
            }
        }
        for p in 0..self.sees_at_once.get() {
            self.freed[p].next = false;
        }
        for i in 0..self.sees_at_once.get() {
            for p in 0..self.n.get() {
                self.freed[p].next = self.freed[p].val() | (self.grant_r[i].q[p].val() & self.at_once[i].val());
            }
        }
        for p in 0..self.n.get() {
            for w in 0..self.vcs.get() {
                self.allowed[p * self.vcs + w].next = self.allowed_by_vc[w * self.n + p].val();
            }
        }
    }
}
