//! A switch for networks whose links save power: input-queued, virtual cut-through, with credit-based flow control and a power
//! mechanism.
//!
//! Use:      give it its `position` and `stage` in the network, connect the links and, if it is to be configured or watched, a
//!           master of AXI4-Lite. A link takes one flit a cycle; a sender needs a credit for each, and has as many as the
//!           virtual channel at the receiver has room for.
//! Latency:  8 cycles from head to head through an idle switch, and more if the output port has to wake. Packets of 5 flits and
//!           more follow each other without a gap; those that come on one virtual channel, of 6 and more. In a switch for
//!           short packets (one whose `short_packets` is not 0) those of 3 flits and more do, but for a cycle behind one of 5
//!           flits; with `next_routes` also those that come on one virtual channel.
//! Promise:  no flit that came in with a credit is lost, none is doubled, those of a packet stay together and in order; no flit
//!           leaves on a link in a phase that does not send.
//! Range:    2 to 64 ports, 1 to 8 virtual channels, buffers up to 4096 flits a port, flits of 32 to 512 bits.
//! Reset:    all buffers empty, all credits there; the power mechanism as configured.
//! Source:   POWAR sections 3 and 4.1; Kermani and Kleinrock 1979; docs/microarchitecture/switch.md.

use crate::allocation::Allocator;
use crate::block;
use crate::buffers::{HEADER_BITS, InputPort, WHOLE_HEADER_BITS};
use crate::links::{Crossbar, OutputPort};
use crate::mechanisms;
use crate::power::{Entry, PowerManager, if_seen};
use crate::registers::RegisterBus;
use crate::routing::{self, RouteRegister, RoutingTable, RoutingUnit, TableLoader};
use crate::rtl_block::RtlBlock;
use anyhow::{Context, Result};
use powar_config::routing::tables::TableRow;
use powar_config::{Config, Topology, registers};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub const SWITCH: &str = "powar_switch";

/// A switch for a configuration that has passed [`Config::check_switch`].
///
/// # Errors
/// There is no RTL of its mechanism or of its routing.
pub fn switch(config: &Config, topology: &dyn Topology) -> Result<Box<dyn RtlBlock>> {
    mechanisms::check(config)?;
    with_mechanism(mechanisms::of(config), config, topology)
}

/// The same with this power mechanism.
///
/// # Errors
/// There is no RTL of its routing.
pub fn with_mechanism(entry: &Entry, config: &Config, topology: &dyn Topology) -> Result<Box<dyn RtlBlock>> {
    Ok(match config.routing_sees().header {
        false => Box::new(PowarSwitch::<HEADER_BITS, { HEADER_BITS + 1 }>::new(entry, config, topology)?),
        true => Box::new(PowarSwitch::<WHOLE_HEADER_BITS, { WHOLE_HEADER_BITS + 1 }>::new(entry, config, topology)?),
    })
}

block! {
    /// `H` and `E` as of [`InputPort`].
    pub struct PowarSwitch<const H: usize, const E: usize>(SWITCH, include_str!("switch.rs"), clocked)
    pub(crate) fn new(entry: &Entry, config: &Config, topology: &dyn Topology) -> Result<Self> {
        let (sees, errors) = (config.seen_by(entry.mechanism), registers::ERRORS.len());
        let (n, vcs, words) = (config.ports, config.switch.vcs, config.switch.flit_words());
        let (unit, routing_sees) = (routing::unit(config)?, config.routing_sees());
        let shows_occupancy = sees.buffers || routing_sees.occupancy;
        (unit.build)(config, topology).context("routing: is not for the topology")?;
    }
    inputs {
        /// Packed address of this switch.
        position: Bits<16>,
        /// Stage of this switch in a tree: 0 is the leaf stage.
        stage: Bits<4>,
        /// Links towards the switch: a flit comes in, and it is the head of its packet.
        in_valid[n]: Bit,
        in_head[n]: Bit,
        /// Its virtual channel.
        in_vc[n]: Bits<3>,
        /// Words of the flit: word w of port p is element p*W + w.
        in_flit[n * words]: Bits<32>,
        /// Phase of the sender's port, and its hint to the port at this end.
        in_phase[n]: Bits<3>,
        in_hint[n]: Bit,
        /// Links away from the switch: the receiver has taken a flit of this virtual channel out of its buffer.
        out_credit_valid[n]: Bit,
        out_credit_vc[n]: Bits<3>,
        /// Word of the control ring that comes in from the switch before, if the mechanism has a ring.
        ring_in[if_seen(sees.ring.is_some(), 1)]: Bits<42>,
        /// AXI4-Lite, see `register_bus`.
        s_axi_awvalid: Bit,
        s_axi_awaddr: Bits<16>,
        s_axi_wvalid: Bit,
        s_axi_wdata: Bits<32>,
        s_axi_wstrb: Bits<4>,
        s_axi_bready: Bit,
        s_axi_arvalid: Bit,
        s_axi_araddr: Bits<16>,
        s_axi_rready: Bit,
    }
    outputs {
        /// Links away from the switch: a flit leaves, and it is the head of its packet.
        out_valid[n]: Bit,
        out_head[n]: Bit,
        /// Its virtual channel at the receiver.
        out_vc[n]: Bits<3>,
        /// Words of the flit, as they came in.
        out_flit[n * words]: Bits<32>,
        /// Phase of the port, 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 4 Refreshing, 5 Draining, and its hint to the other end.
        out_phase[n]: Bits<3>,
        out_hint[n]: Bit,
        /// Links towards the switch: a flit of this virtual channel has left the buffer.
        in_credit_valid[n]: Bit,
        in_credit_vc[n]: Bits<3>,
        /// The output port is held by a packet.
        held[n]: Bit,
        /// It may be given to a packet.
        grantable[n]: Bit,
        /// It is taken before those that are not preferred.
        preferred[n]: Bit,
        /// It may send.
        ready[n]: Bit,
        /// Its phase, and its level: rate and voltage, or how deeply it sleeps.
        phase[n]: Bits<3>,
        level[n]: Bits<3>,
        /// Word of the control ring to the next switch.
        ring_out[if_seen(sees.ring.is_some(), 1)]: Bits<42>,
        s_axi_awready: Bit,
        s_axi_wready: Bit,
        s_axi_arready: Bit,
        s_axi_bvalid: Bit,
        s_axi_bresp: Bits<2>,
        s_axi_rvalid: Bit,
        s_axi_rresp: Bits<2>,
        s_axi_rdata: Bits<32>,
    }
    children {
        bus: RegisterBus = RegisterBus::new(config, entry.mechanism),
        power: PowerManager = PowerManager::new(entry, config, errors, config.switch.short_packets()),
        /// One per port.
        input_port[n]: InputPort<H, E> =
            InputPort::new(n, &config.switch, sees, routing_sees.table, config.next_routes()),
        /// One per virtual channel of each input port.
        routing[n * vcs]: Box<dyn RoutingUnit> = (unit.build)(config, topology).expect("a topology that it is for"),
        /// Likewise: what the unit said.
        route[n * vcs]: RouteRegister = RouteRegister::new(n, vcs, config.next_routes()),
        /// If the routing has a table: one for each of these, and what loads them.
        routing_table[if_seen(routing_sees.table, n * vcs)]: RoutingTable = RoutingTable::new(config),
        table_loader[if_seen(routing_sees.table, 1)]: TableLoader = TableLoader::new(config),
        /// One more if the mechanism looks rows up.
        lookup_table[if_seen(sees.routes.looks_up(), 1)]: RoutingTable = RoutingTable::new(config),
        allocator: Allocator = Allocator::new(config, sees),
        crossbar: Crossbar = Crossbar::new(n, config.near_ports(), words),
        /// One per port.
        output_port[n]: OutputPort = OutputPort::new(&config.switch, shows_occupancy, sees.wanted),
    }
    sizes {
        /// Ports.
        n = n,
        /// Near ports, the lowest; all others are far.
        near = config.near_ports(),
        /// Virtual channels of a port.
        vcs = vcs,
        /// Words of a flit.
        words = words,
        /// Kinds of error of a port.
        errors = errors,
        /// Signals of each kind that the mechanism may see: ports (1 for the place), or 0.
        sees_place = if_seen(sees.place, 1),
        sees_wanted = if_seen(sees.wanted, n),
        sees_buffers = if_seen(sees.buffers, n),
        sees_neighbours = if_seen(sees.neighbours, n),
        sees_ring = if_seen(sees.ring.is_some(), 1),
        /// Likewise of those that the routing units may see: 1 of each unit, or ports; or 0.
        routing_sees_header = if_seen(routing_sees.header, 1),
        routing_sees_input = if_seen(routing_sees.input, 1),
        routing_sees_serves = if_seen(routing_sees.serves, n),
        routing_sees_occupancy = if_seen(routing_sees.occupancy, n),
        /// Words of a row of the routing table, 1; or 0, 0.
        row_words = if_seen(routing_sees.table, TableRow::word_count(n, vcs)),
        has_table = if_seen(routing_sees.table, 1),
        /// Ports of which the routing sees whether they lead to nodes; the word of each, and its place there.
        routing_sees_to_node = if_seen(routing_sees.to_node, n),
        /// Ports in a switch for short packets, else 0; 1 in one with next routes.
        short_packets = if_seen(config.switch.short_packets(), n),
        next_routes = if_seen(config.next_routes(), 1),
    }
    tables {
        /// Words of the row that the mechanism looks up, and whether it does. Not sizes: those are told of in the Verilog of every switch.
        lookup_words = vec![sees.routes.row_words()],
        looks_up = vec![if_seen(sees.routes.looks_up(), 1)],
        node_word_of = (0..n).map(|port| port / 32).collect(),
        node_bit_of = (0..n).map(|port| port % 32).collect(),
    }
}

impl<const H: usize, const E: usize> Logic for PowarSwitch<H, E> {
    #[hdl_gen]
    fn update(&mut self) {
        // Configuration and status.
        self.bus.s_axi_awvalid.next = self.s_axi_awvalid.val();
        self.bus.s_axi_awaddr.next = self.s_axi_awaddr.val();
        self.bus.s_axi_wvalid.next = self.s_axi_wvalid.val();
        self.bus.s_axi_wdata.next = self.s_axi_wdata.val();
        self.bus.s_axi_wstrb.next = self.s_axi_wstrb.val();
        self.bus.s_axi_bready.next = self.s_axi_bready.val();
        self.bus.s_axi_arvalid.next = self.s_axi_arvalid.val();
        self.bus.s_axi_araddr.next = self.s_axi_araddr.val();
        self.bus.s_axi_rready.next = self.s_axi_rready.val();
        self.s_axi_awready.next = self.bus.s_axi_awready.val();
        self.s_axi_wready.next = self.bus.s_axi_wready.val();
        self.s_axi_arready.next = self.bus.s_axi_arready.val();
        self.s_axi_bvalid.next = self.bus.s_axi_bvalid.val();
        self.s_axi_bresp.next = self.bus.s_axi_bresp.val();
        self.s_axi_rvalid.next = self.bus.s_axi_rvalid.val();
        self.s_axi_rresp.next = self.bus.s_axi_rresp.val();
        self.s_axi_rdata.next = self.bus.s_axi_rdata.val();
        self.bus.read_done.next = self.power.read_done.val();
        self.bus.read_data.next = self.power.read_data.val();
        for k in 0..self.has_table.get() {
            // Of a word that is not its own, each owner answers 0.
            self.bus.read_data.next = self.power.read_data.val() | self.table_loader[k].read_data.val();
            self.table_loader[k].write_enable.next = self.bus.write_enable.val();
            self.table_loader[k].write_address.next = self.bus.write_address.val();
            self.table_loader[k].write_data.next = self.bus.write_data.val();
            self.table_loader[k].read_request.next = self.bus.read_request.val();
            self.table_loader[k].read_address.next = self.bus.read_address.val();
        }
        // The power of the output ports, and what the mechanism sees.
        self.power.write_enable.next = self.bus.write_enable.val();
        self.power.write_address.next = self.bus.write_address.val();
        self.power.write_data.next = self.bus.write_data.val();
        self.power.read_request.next = self.bus.read_request.val();
        self.power.read_address.next = self.bus.read_address.val();
        for p in 0..self.n.get() {
            self.power.given[p].next = self.allocator.given[p].val();
            self.power.departing[p].next = self.crossbar.departing[p].val();
            // The tail of a packet comes when the next one may hold the port already.
            self.power.released[p].next = self.crossbar.released[p].val() & !self.allocator.granted[p].val();
            self.power.error[p * self.errors].next = self.input_port[p].dropped_packet.val();
            self.power.error[p * self.errors + 1].next = self.input_port[p].framing_error.val();
            self.power.error[p * self.errors + 2].next = self.input_port[p].overflow_error.val();
            self.power.error[p * self.errors + 3].next = self.input_port[p].closed_link_flit.val();
            self.power.error[p * self.errors + 4].next = self.output_port[p].credit_error.val();
            self.held[p].next = self.power.held[p].val();
            self.grantable[p].next = self.power.grantable[p].val();
            self.preferred[p].next = self.power.preferred[p].val();
            self.ready[p].next = self.power.ready[p].val();
            self.phase[p].next = self.power.phase[p].val();
            self.level[p].next = self.power.level[p].val();
        }
        for p in 0..self.short_packets.get() {
            self.power.freed[p].next = self.allocator.freed[p].val();
            self.allocator.at_once[p].next = self.input_port[p].at_once[0].val();
            self.output_port[p].given[0].next = self.allocator.given[p].val();
        }
        for k in 0..self.sees_place.get() {
            self.power.position[k].next = self.position.val();
            self.power.stage[k].next = self.stage.val();
        }
        for p in 0..self.sees_wanted.get() {
            self.power.wanted[p].next = self.allocator.wanted[p].val();
        }
        for p in 0..self.sees_buffers.get() {
            self.power.arriving[p].next = self.in_valid[p].val();
            self.power.leaving[p].next = self.input_port[p].leaving[0].val();
            self.power.fill[p].next = self.input_port[p].fill[0].val();
            self.power.occupancy[p].next = self.output_port[p].occupancy[0].val();
        }
        for p in 0..self.sees_neighbours.get() {
            self.power.neighbour_phase[p].next = self.in_phase[p].val();
            self.power.hint_in[p].next = self.in_hint[p].val();
        }
        for k in 0..self.sees_ring.get() {
            self.power.ring_in[k].next = self.ring_in[k].val();
            self.ring_out[k].next = self.power.ring_out[k].val();
        }
        for k in 0..self.looks_up[0] {
            self.lookup_table[k].write.next = self.table_loader[k].write.val();
            self.lookup_table[k].write_row.next = self.table_loader[k].row.val();
            self.lookup_table[k].read.next = self.power.lookup[k].val();
            self.lookup_table[k].read_row.next = self.power.lookup_address[k].val();
        }
        for w in 0..self.lookup_words[0] {
            self.lookup_table[0].write_word[w].next = self.table_loader[0].word[w].val();
            self.power.lookup_row[w].next = self.lookup_table[0].row[w].val();
        }
        // Where the packets may go.
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.routing[i * self.vcs + v].position.next = self.position.val();
                self.routing[i * self.vcs + v].stage.next = self.stage.val();
                self.routing[i * self.vcs + v].destination.next = self.input_port[i].destination[v].val();
                for k in 0..self.routing_sees_header.get() {
                    self.routing[i * self.vcs + v].header[k].next = self.input_port[i].header[v].val();
                }
                for k in 0..self.routing_sees_input.get() {
                    self.routing[i * self.vcs + v].input_port[k].next = i.to_bits();
                    self.routing[i * self.vcs + v].input_vc[k].next = v.to_bits();
                }
                for p in 0..self.routing_sees_serves.get() {
                    self.routing[i * self.vcs + v].serves[p].next = self.power.serves[p].val();
                }
                for p in 0..self.routing_sees_occupancy.get() {
                    self.routing[i * self.vcs + v].occupancy[p].next = self.output_port[p].occupancy[0].val();
                }
                for k in 0..self.has_table.get() {
                    self.routing_table[i * self.vcs + v].write.next = self.table_loader[k].write.val();
                    self.routing_table[i * self.vcs + v].write_row.next = self.table_loader[k].row.val();
                    self.routing_table[i * self.vcs + v].read.next = self.input_port[i].loads[v].val();
                    self.routing_table[i * self.vcs + v].read_row.next = self.input_port[i].next_destination[v].val();
                }
                for w in 0..self.row_words.get() {
                    self.routing_table[i * self.vcs + v].write_word[w].next = self.table_loader[0].word[w].val();
                    self.routing[i * self.vcs + v].row[w].next = self.routing_table[i * self.vcs + v].row[w].val();
                }
                for p in 0..self.routing_sees_to_node.get() {
                    self.routing[i * self.vcs + v].to_node[p].next =
                        self.table_loader[0].node_ports[self.node_word_of[p]].val().get_bit(self.node_bit_of[p]);
                }
                self.route[i * self.vcs + v].head_valid.next = self.input_port[i].head_valid[v].val();
                for k in 0..self.next_routes.get() {
                    self.route[i * self.vcs + v].head_valid.next = self.input_port[i].taken[v].val();
                    self.route[i * self.vcs + v].new_length[k].next = self.input_port[i].length[v].val();
                    self.input_port[i].has_place[v].next = self.route[i * self.vcs + v].has_place[k].val();
                    self.input_port[i].accepted_length[v].next = self.route[i * self.vcs + v].length[k].val();
                }
                self.route[i * self.vcs + v].malformed.next = self.input_port[i].malformed[v].val();
                self.route[i * self.vcs + v].accept.next = self.allocator.accept[i * self.vcs + v].val();
                self.route[i * self.vcs + v].routable.next = self.routing[i * self.vcs + v].routable.val();
                for p in 0..self.n.get() {
                    self.route[i * self.vcs + v].new_adaptive[p].next =
                        self.routing[i * self.vcs + v].adaptive[p].val();
                    self.route[i * self.vcs + v].new_deterministic[p].next =
                        self.routing[i * self.vcs + v].deterministic[p].val();
                }
                for w in 0..self.vcs.get() {
                    self.route[i * self.vcs + v].new_adaptive_vcs[w].next =
                        self.routing[i * self.vcs + v].adaptive_vcs[w].val();
                    self.route[i * self.vcs + v].new_deterministic_vcs[w].next =
                        self.routing[i * self.vcs + v].deterministic_vcs[w].val();
                }
            }
        }
        // Turns: what comes in at a far port goes out at a near one.
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.route[i * self.vcs + v].turns[p].next = (i < self.near) | (p < self.near);
                }
            }
        }
        // Which of them goes where.
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.allocator.valid[i * self.vcs + v].next = self.route[i * self.vcs + v].valid.val();
                self.allocator.drop[i * self.vcs + v].next = self.route[i * self.vcs + v].drop.val();
                for p in 0..self.n.get() {
                    self.allocator.adaptive[(i * self.vcs + v) * self.n + p].next =
                        self.route[i * self.vcs + v].adaptive[p].val();
                    self.allocator.deterministic[(i * self.vcs + v) * self.n + p].next =
                        self.route[i * self.vcs + v].deterministic[p].val();
                }
                for w in 0..self.vcs.get() {
                    self.allocator.adaptive_vcs[(i * self.vcs + v) * self.vcs + w].next =
                        self.route[i * self.vcs + v].adaptive_vcs[w].val();
                    self.allocator.deterministic_vcs[(i * self.vcs + v) * self.vcs + w].next =
                        self.route[i * self.vcs + v].deterministic_vcs[w].val();
                }
            }
        }
        for p in 0..self.n.get() {
            self.allocator.can_read[p].next = self.input_port[p].can_read.val();
            self.allocator.held[p].next = self.power.held[p].val();
            self.allocator.ready[p].next = self.power.ready[p].val();
            self.allocator.steady[p].next = self.power.steady[p].val();
            self.allocator.preferred[p].next = self.output_port[p].prefer.val();
            for v in 0..self.vcs.get() {
                self.allocator.can_take[p * self.vcs + v].next = self.input_port[p].can_take[v].val();
            }
        }
        for w in 0..self.vcs.get() {
            for p in 0..self.n.get() {
                self.allocator.open[w * self.n + p].next = self.output_port[p].open[w].val();
            }
            for p in 0..self.sees_wanted.get() {
                self.allocator.room[w * self.n + p].next = self.output_port[p].room[w].val();
            }
        }
        // Input ports: buffers.
        for i in 0..self.n.get() {
            self.input_port[i].in_valid.next = self.in_valid[i].val();
            self.input_port[i].in_head.next = self.in_head[i].val();
            self.input_port[i].in_vc.next = self.in_vc[i].val();
            self.input_port[i].in_phase.next = self.in_phase[i].val();
            self.in_credit_valid[i].next = self.input_port[i].in_credit_valid.val();
            self.in_credit_vc[i].next = self.input_port[i].in_credit_vc.val();
            for w in 0..self.words.get() {
                self.input_port[i].in_flit[w].next = self.in_flit[i * self.words + w].val();
            }
            for p in 0..self.n.get() {
                self.input_port[i].ready[p].next = self.power.ready[p].val();
                self.input_port[i].steady[p].next = self.power.steady[p].val();
            }
            self.input_port[i].drop.next = self.allocator.grant_drop[i].val();
            self.input_port[i].grant_ready.next = self.allocator.grant_ready[i].val();
            self.input_port[i].grant_steady.next = self.allocator.grant_steady[i].val();
            for v in 0..self.vcs.get() {
                self.input_port[i].accept[v].next = self.allocator.accept[i * self.vcs + v].val();
            }
            for p in 0..self.n.get() {
                self.input_port[i].grant[p].next = self.allocator.grant[i * self.n + p].val();
            }
        }
        // From input ports to output ports.
        for i in 0..self.n.get() {
            self.crossbar.select_head[i].next = self.input_port[i].select_head.val();
            self.crossbar.select_release[i].next = self.input_port[i].select_release.val();
            for p in 0..self.n.get() {
                self.crossbar.select[i * self.n + p].next = self.input_port[i].select[p].val();
            }
            for w in 0..self.words.get() {
                self.crossbar.data[i * self.words + w].next = self.input_port[i].data[w].val();
            }
        }
        // Output ports: credits and links.
        for p in 0..self.n.get() {
            self.output_port[p].granted.next = self.allocator.granted[p].val();
            self.output_port[p].free_next.next = self.power.free_next[p].val();
            self.output_port[p].grantable.next = self.power.grantable[p].val();
            self.output_port[p].preferred.next = self.power.preferred[p].val();
            self.output_port[p].valid.next = self.crossbar.valid[p].val();
            self.output_port[p].head.next = self.crossbar.head[p].val();
            self.output_port[p].phase.next = self.power.phase[p].val();
            self.output_port[p].hint.next = self.power.hint[p].val();
            self.output_port[p].out_credit_valid.next = self.out_credit_valid[p].val();
            self.output_port[p].out_credit_vc.next = self.out_credit_vc[p].val();
            self.out_valid[p].next = self.output_port[p].out_valid.val();
            self.out_head[p].next = self.output_port[p].out_head.val();
            self.out_vc[p].next = self.output_port[p].out_vc.val();
            self.out_phase[p].next = self.output_port[p].out_phase.val();
            self.out_hint[p].next = self.output_port[p].out_hint.val();
            for w in 0..self.vcs.get() {
                self.output_port[p].allowed[w].next = self.allocator.allowed[p * self.vcs + w].val();
            }
            for w in 0..self.words.get() {
                self.output_port[p].flit[w].next = self.crossbar.flit[p * self.words + w].val();
                self.out_flit[p * self.words + w].next = self.output_port[p].out_flit[w].val();
            }
        }
    }
}
