//! Which output port a hint wakes: one hint a cycle is taken of all ports, routed as a packet is, and given the port that a packet would take.
//!
//! Policy:   ports take turns. Of the ports that the routing allows and that may be given, the lowest preferred one, else the lowest; of P
//!           before D.
//! Latency:  a hint that is taken in cycle t is routed in t+1, its port is chosen in t+2, and `wake` shows it in t+3. With a routing by table
//!           `lookup` asks in t for the row of `lookup_address`, and `lookup_row` has to be that in t+1.
//! Range:    2 to 64 ports; any routing. To the routing unit all buffers are empty and the virtual channel is 0.
//! Reset:    nothing is under way, it is the turn of port 0.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use crate::arbiters::{PortArbiter, PreferredFirstArbiter};
use crate::block;
use crate::power::if_seen;
use crate::routing::{self, RoutingUnit};
use powar_config::Config;
use powar_config::mechanism::wake_hints::MECHANISM;
use rust_hdl::prelude::*;

block! {
    pub struct HintChoice("hint_choice", include_str!("hint_choice.rs"), clocked)
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let (n, sees, routes) = (config.ports, config.routing_sees(), config.seen_by(&MECHANISM).routes);
        let checked = "the mechanism is for switches with a routing of which there is RTL";
        let (unit, topology) = (routing::unit(config).expect(checked), config.check_switch().expect(checked));
    }
    inputs {
        /// Packed address of this switch.
        position: Bits<16>,
        /// Stage of this switch in a tree: 0 is the leaf stage.
        stage: Bits<4>,
        /// A hint waits at the port.
        waiting[n]: Bit,
        /// Packed address of its destination.
        destination[n]: Bits<16>,
        /// Of the output ports: it may be given to a packet, is taken before others, is to be counted on.
        grantable[n]: Bit,
        preferred[n]: Bit,
        serves[n]: Bit,
        /// The row of the routing table that was asked for in the cycle before, if the routing sees one.
        lookup_row[routes.row_words()]: Bits<32>,
    }
    outputs {
        /// The hint that is taken in this cycle, one-hot.
        take[n]: Bit,
        /// The port that a hint has chosen, one-hot.
        wake[n]: Bit,
        /// That hint's address.
        address: Bits<16>,
        /// The row of this address is asked for: that of the hint that is taken.
        lookup[if_seen(routes.looks_up(), 1)]: Bit,
        lookup_address[if_seen(routes.looks_up(), 1)]: Bits<16>,
    }
    registers {
        wake_r = vec![false; n],
        address_r: Bits<16>,
        /// Address and port of the hint that was taken in the cycle before, and whether there was one.
        taken_address_r: Bits<16>,
        taken_port_r: Bits<6>,
        taken_r: Bit,
        /// Where it may go, a cycle later, and its address then.
        adaptive_r = vec![false; n],
        deterministic_r = vec![false; n],
        routed_address_r: Bits<16>,
    }
    children {
        turn: PortArbiter = PortArbiter::new(n),
        routing: Box<dyn RoutingUnit> = (unit.build)(config, topology).expect(checked),
        pick: PreferredFirstArbiter = PreferredFirstArbiter::new(n),
    }
    locals {
        /// A hint is taken; its address and port.
        any_taken: Bit,
        address_now: Bits<16>,
        port_now: Bits<6>,
        /// Ports of P that may be given, and whether there are any.
        open_adaptive[n]: Bit,
        any_adaptive: Bit,
    }
    sizes {
        /// Ports.
        n = n,
        /// Signals of each kind that the routing unit sees, or 0.
        routing_sees_header = if_seen(sees.header, 1),
        routing_sees_input = if_seen(sees.input, 1),
        routing_sees_serves = if_seen(sees.serves, n),
        routing_sees_occupancy = if_seen(sees.occupancy, n),
    }
    tables {
        /// Words of a row of the routing table, and whether there is one; ports of which the unit is told whether they lead to nodes. Not sizes: those are
        /// told of in the Verilog of every switch.
        row_words = vec![routes.row_words()],
        has_table = vec![if_seen(routes.looks_up(), 1)],
        routing_sees_to_node = vec![if_seen(sees.to_node, n)],
    }
}

impl Logic for HintChoice {
    #[hdl_gen]
    fn update(&mut self) {
        // Whose hint is taken.
        self.turn.free.next = true;
        for p in 0..self.n.get() {
            self.turn.request[p].next = self.waiting[p].val();
        }
        self.any_taken.next = false;
        self.address_now.next = 0.into();
        self.port_now.next = 0.into();
        for p in 0..self.n.get() {
            self.take[p].next = self.turn.grant[p].val();
            self.any_taken.next = self.any_taken.val() | self.turn.grant[p].val();
            if self.turn.grant[p].val() {
                self.address_now.next = self.address_now.val() | self.destination[p].val();
                self.port_now.next = self.port_now.val() | p.to_bits();
            }
        }
        self.taken_r.d.next = self.any_taken.val();
        self.taken_address_r.d.next = self.address_now.val();
        self.taken_port_r.d.next = self.port_now.val();
        for k in 0..self.has_table[0] {
            self.lookup[k].next = self.any_taken.val();
            self.lookup_address[k].next = self.address_now.val();
        }
        // Where it may go.
        self.routing.position.next = self.position.val();
        self.routing.stage.next = self.stage.val();
        self.routing.destination.next = self.taken_address_r.q.val();
        for k in 0..self.routing_sees_header.get() {
            self.routing.header[k].next = bit_cast::<32, 16>(self.taken_address_r.q.val());
        }
        for k in 0..self.routing_sees_input.get() {
            self.routing.input_port[k].next = self.taken_port_r.q.val();
            self.routing.input_vc[k].next = 0.into();
        }
        for p in 0..self.routing_sees_serves.get() {
            self.routing.serves[p].next = self.serves[p].val();
        }
        for p in 0..self.routing_sees_occupancy.get() {
            self.routing.occupancy[p].next = 0.into();
        }
        for w in 0..self.row_words[0] {
            self.routing.row[w].next = self.lookup_row[w].val();
        }
        // It matters only where buffers fill.
        for p in 0..self.routing_sees_to_node[0] {
            self.routing.to_node[p].next = false;
        }
        for p in 0..self.n.get() {
            self.adaptive_r.d[p].next = self.routing.adaptive[p].val() & self.taken_r.q.val();
            self.deterministic_r.d[p].next = self.routing.deterministic[p].val() & self.taken_r.q.val();
        }
        self.routed_address_r.d.next = self.taken_address_r.q.val();
        // Which port it wakes: that of a packet which found all pointers at port 0.
        self.any_adaptive.next = false;
        for p in 0..self.n.get() {
            self.open_adaptive[p].next = self.adaptive_r.q[p].val() & self.grantable[p].val();
            self.any_adaptive.next = self.any_adaptive.val() | self.open_adaptive[p].val();
        }
        for p in 0..self.n.get() {
            self.pick.request[p].next = self.open_adaptive[p].val()
                | (self.deterministic_r.q[p].val() & self.grantable[p].val() & !self.any_adaptive.val());
            self.pick.preferred[p].next = self.preferred[p].val();
        }
        self.pick.pointer[0].next = true;
        for p in 1..self.n.get() {
            self.pick.pointer[p].next = false;
        }
        for p in 0..self.n.get() {
            self.wake_r.d[p].next = self.pick.grant[p].val();
            self.wake[p].next = self.wake_r.q[p].val();
        }
        self.address_r.d.next = self.routed_address_r.q.val();
        self.address.next = self.address_r.q.val();
    }
}
