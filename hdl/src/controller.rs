//! The power brain for a switch that somebody else builds: gives output ports to requesters, as a power mechanism says.
//!
//! Use:      present a requester's candidate ports in its row of `adaptive` and `deterministic` and hold them until its row of
//!           `grant` is not 0; from the next cycle on the packet holds the port. It may send in every cycle with `transmit`,
//!           marking its flits with `flit_valid` and the last with `flit_tail`, which frees the port.
//! Latency:  request to grant two cycles when a port is grantable; grant to `transmit` one cycle when the port is ready, else
//!           until it has woken.
//! Promise:  no port is given to two requesters, no requester gets two ports.
//! Range:    2 to 64 ports, 1 to 64 requesters.
//! Words:    those of the mechanism, counters and status can be written and read while the switch runs; a
//!           `read_request` is answered by `read_done` and `read_data`, a counter within two cycles more than there are counters. The map is docs/registers.md, byte addresses / 4, without the words of the bus and of errors.
//! Reset:    no port is held, the mechanism as configured.
//! Source:   POWAR section 4.1 and Algorithm 1; docs/microarchitecture/controller.md.

use crate::allocation::Selector;
use crate::arbiters::PortArbiter;
use crate::block;
use crate::mechanisms;
use crate::power::{Entry, PowerManager, if_seen};
use powar_config::Config;
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub const CONTROLLER: &str = "power_controller";

block! {
    pub struct PowerController("power_controller", include_str!("controller.rs"), clocked)
    /// The same with this power mechanism.
    pub fn with_mechanism(entry: &Entry, config: &Config) -> Self {
        let (n, r, sees) = (config.ports, config.requesters(), config.seen_by(entry.mechanism));
    }
    inputs {
        /// Candidate set P of each requester: bit r*N + p is requester r, port p.
        adaptive[r * n] / n: Bit,
        /// Deterministic set D of each requester, likewise.
        deterministic[r * n] / n: Bit,
        /// Packed address of this switch.
        position[if_seen(sees.place, 1)]: Bits<16>,
        /// Stage of this switch in a tree: 0 is the leaf stage.
        stage[if_seen(sees.place, 1)]: Bits<4>,
        /// A flit comes in at the port; one is read from its buffer.
        arriving[if_seen(sees.buffers, n)]: Bit,
        leaving[if_seen(sees.buffers, n)]: Bit,
        /// Flits in the input buffer of the port.
        fill[if_seen(sees.buffers, n)]: Bits<13>,
        /// Flits in the next buffer and on the way there and back.
        occupancy[if_seen(sees.buffers, n)]: Bits<13>,
        /// Phase of the port at the other end of the link, and its hint bit.
        neighbour_phase[if_seen(sees.neighbours, n)]: Bits<3>,
        hint_in[if_seen(sees.neighbours, n)]: Bit,
        /// Word of the control ring that comes in.
        ring_in[if_seen(sees.ring.is_some(), 1)]: Bits<42>,
        /// The row of the routing table that the mechanism has asked for last, if it looks rows up.
        lookup_row[sees.routes.row_words()]: Bits<32>,
        /// A flit leaves on the port in this cycle.
        flit_valid[n]: Bit,
        /// That flit is its packet's tail.
        flit_tail[n]: Bit,
        /// Write `write_data` to the word at `write_address`, byte address / 4, at the end of this cycle.
        write_enable: Bit,
        write_address: Bits<10>,
        write_data: Bits<32>,
        /// A word is asked for; the next one not before it has come.
        read_request: Bit,
        /// Its byte address / 4, from the request to the answer.
        read_address: Bits<14>,
    }
    outputs {
        /// Bit r*N + p: requester r is given port p.
        grant[r * n] / n: Bit,
        /// The port is held and ready: its packet may send.
        transmit[n]: Bit,
        /// The port is held by a packet.
        held[n]: Bit,
        /// The port may be given to a packet.
        grantable[n]: Bit,
        /// The port is taken before those that are not preferred.
        preferred[n]: Bit,
        /// The port may send.
        ready[n]: Bit,
        /// To the other end of the link.
        hint[n]: Bit,
        /// Phase of the port: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 4 Refreshing, 5 Draining.
        phase[n]: Bits<3>,
        /// Rate and voltage of the port.
        level[n]: Bits<3>,
        /// Word of the control ring to the next switch.
        ring_out[if_seen(sees.ring.is_some(), 1)]: Bits<42>,
        /// It asks for the row of this packed address.
        lookup[if_seen(sees.routes.looks_up(), 1)]: Bit,
        lookup_address[if_seen(sees.routes.looks_up(), 1)]: Bits<16>,
        /// The answer is there in this cycle.
        read_done: Bit,
        /// The word that was asked for, until the next one comes.
        read_data: Bits<32>,
    }
    children {
        power: PowerManager = PowerManager::new(entry, config, 0, false),
        /// One per requester.
        selector[r]: Selector = Selector::new(n, 0, config.deterministic, false),
        /// One per port.
        arbiter[n]: PortArbiter = PortArbiter::new(r),
    }
    locals {
        /// The port is given to a requester in this cycle.
        given[n]: Bit,
        /// It is grantable and not held.
        open[n]: Bit,
        /// The requester is given a port in this cycle.
        accepted[r]: Bit,
        /// Some requester could be given the port.
        wanted[if_seen(sees.wanted, n)]: Bit,
    }
    sizes {
        /// Ports.
        n = n,
        /// Requesters.
        requesters = r,
        /// Signals of each kind that the mechanism may see: ports (1 for the place), or 0.
        sees_place = if_seen(sees.place, 1),
        sees_wanted = if_seen(sees.wanted, n),
        sees_buffers = if_seen(sees.buffers, n),
        sees_neighbours = if_seen(sees.neighbours, n),
        sees_ring = if_seen(sees.ring.is_some(), 1),
    }
    tables {
        /// Words of the row that it looks up, and whether it does. Not sizes: those are told of in the Verilog of every switch.
        lookup_words = vec![sees.routes.row_words()],
        looks_up = vec![if_seen(sees.routes.looks_up(), 1)],
    }
}

impl PowerController {
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        Self::with_mechanism(mechanisms::of(config), config)
    }
}

impl Logic for PowerController {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: every requester chooses a port.
        for p in 0..self.n.get() {
            self.open[p].next = self.power.grantable[p].val() & !self.power.held[p].val();
        }
        for r in 0..self.requesters.get() {
            for p in 0..self.n.get() {
                self.selector[r].adaptive[p].next = self.adaptive[r * self.n + p].val() & self.open[p].val();
                self.selector[r].deterministic[p].next = self.deterministic[r * self.n + p].val() & self.open[p].val();
                self.selector[r].preferred[p].next = self.power.preferred[p].val();
                self.selector[r].granted[p].next = self.selector[r].choice[p].val();
            }
        }
        // Stage 3: every port that is not held takes one of the requesters that chose it.
        for p in 0..self.n.get() {
            self.arbiter[p].free.next = !self.power.held[p].val();
            for r in 0..self.requesters.get() {
                self.arbiter[p].request[r].next = self.selector[r].choice[p].val();
            }
        }
        for p in 0..self.n.get() {
            self.given[p].next = false;
        }
        for r in 0..self.requesters.get() {
            for p in 0..self.n.get() {
                self.grant[r * self.n + p].next = self.arbiter[p].grant[r].val();
            }
        }
        for p in 0..self.n.get() {
            for r in 0..self.requesters.get() {
                self.given[p].next = self.given[p].val() | self.arbiter[p].grant[r].val();
            }
        }
        for r in 0..self.requesters.get() {
            self.accepted[r].next = false;
            for p in 0..self.n.get() {
                self.accepted[r].next = self.accepted[r].val() | self.grant[r * self.n + p].val();
            }
            self.selector[r].accept.next = self.accepted[r].val();
            self.selector[r].granted_adaptive.next = self.selector[r].choice_adaptive.val();
        }
        // Ports: held from the grant to the tail flit, and what the mechanism says of them.
        self.power.write_enable.next = self.write_enable.val();
        self.power.write_address.next = self.write_address.val();
        self.power.write_data.next = self.write_data.val();
        self.power.read_address.next = self.read_address.val();
        self.power.read_request.next = self.read_request.val();
        self.read_done.next = self.power.read_done.val();
        self.read_data.next = self.power.read_data.val();
        for p in 0..self.n.get() {
            self.power.given[p].next = self.given[p].val();
            self.power.departing[p].next = self.flit_valid[p].val();
            self.power.released[p].next = self.flit_tail[p].val();
            self.transmit[p].next = self.power.held[p].val() & self.power.ready[p].val();
            self.held[p].next = self.power.held[p].val();
            self.grantable[p].next = self.power.grantable[p].val();
            self.preferred[p].next = self.power.preferred[p].val();
            self.ready[p].next = self.power.ready[p].val();
            self.hint[p].next = self.power.hint[p].val();
            self.phase[p].next = self.power.phase[p].val();
            self.level[p].next = self.power.level[p].val();
        }
        for k in 0..self.sees_place.get() {
            self.power.position[k].next = self.position[k].val();
            self.power.stage[k].next = self.stage[k].val();
        }
        for p in 0..self.sees_wanted.get() {
            self.wanted[p].next = false;
            for r in 0..self.requesters.get() {
                self.wanted[p].next = self.wanted[p].val()
                    | self.adaptive[r * self.n + p].val()
                    | self.deterministic[r * self.n + p].val();
            }
            self.power.wanted[p].next = self.wanted[p].val();
        }
        for p in 0..self.sees_buffers.get() {
            self.power.arriving[p].next = self.arriving[p].val();
            self.power.leaving[p].next = self.leaving[p].val();
            self.power.fill[p].next = self.fill[p].val();
            self.power.occupancy[p].next = self.occupancy[p].val();
        }
        for p in 0..self.sees_neighbours.get() {
            self.power.neighbour_phase[p].next = self.neighbour_phase[p].val();
            self.power.hint_in[p].next = self.hint_in[p].val();
        }
        for k in 0..self.sees_ring.get() {
            self.power.ring_in[k].next = self.ring_in[k].val();
            self.ring_out[k].next = self.power.ring_out[k].val();
        }
        for w in 0..self.lookup_words[0] {
            self.power.lookup_row[w].next = self.lookup_row[w].val();
        }
        for k in 0..self.looks_up[0] {
            self.lookup[k].next = self.power.lookup[k].val();
            self.lookup_address[k].next = self.power.lookup_address[k].val();
        }
    }
}
