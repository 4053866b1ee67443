//! What switch and controller have of power: the ports that are held, the power mechanism, and the counters of every port.
//!
//! Use:      `given` holds a port from the next cycle on, until `released` comes with a flit. A held port sends while it is `ready`.
//! Words:    the mechanism's words and `clear_counters` below byte address 0x1000, counters and status of the ports above; 0 elsewhere. A
//!           written `clear_counters` lasts one cycle.
//! Reads:    `read_request` asks for the word at `read_address`, which stays until `read_done` comes with `read_data`: one cycle later for
//!           words below 0x1000, two for a status, two from a counter's turn on, which comes once in as many cycles as there are counters.
//!           The value is that of the cycle of the request, or of the one before the turn.
//! Range:    2 to 64 ports. A port may be given in the cycle in which it is released: it stays held.
//! Reset:    no port is held, counters 0, the mechanism as it says.
//! Source:   docs/microarchitecture/power.md.

use crate::block;
use crate::power::counter_slots::slot_bits;
use crate::power::mechanism::{Entry, PowerMechanism, if_seen};
use crate::power::{CounterSlots, HeldPorts, PortCounters};
use powar_config::{Config, Mechanism, registers};
use rust_hdl::prelude::*;

/// Ports of a group, whose words are chosen from at once: a multiplexer of eight is made of few and wide LUTs on any FPGA.
const GROUP: usize = 8;

/// Lowest bit of a part of the status.
fn status_bit(mechanism: &Mechanism, part: &str) -> usize {
    let words = registers::port_words(mechanism);
    let status = words.last().expect("the status of a port");
    status.fields.iter().find(|field| field.name == part).expect("a part of the status").low as usize
}

block! {
    pub struct PowerManager("power_manager", include_str!("power_manager.rs"), clocked)
    /// For a checked configuration, with this mechanism and so many kinds of error of a port; of a switch for short packets or another.
    pub fn new(
        entry: &Entry,
        config: &Config,
        errors: usize,
        short_packets: bool,
    ) -> Self {
        let (n, mechanism) = (config.ports, entry.mechanism);
        let sees = config.seen_by(mechanism);
        let port_counters = || PortCounters::new(mechanism.residency, errors);
        let counters = port_counters().counters();
        let clear =
            registers::SWITCH.iter().find(|word| word.name == "clear_counters").expect("a word of every switch");
        let word = |byte_address: u16| usize::from(byte_address / registers::WORD_BYTES);
        let places = word(registers::port_stride(mechanism));
        let groups = n.div_ceil(GROUP);
    }
    inputs {
        /// Packed address of this switch.
        position[if_seen(sees.place, 1)]: Bits<16>,
        /// Stage of this switch in a tree: 0 is the leaf stage.
        stage[if_seen(sees.place, 1)]: Bits<4>,
        /// A packet in some route register could be given the port, by its destination and the room in the next buffer.
        wanted[if_seen(sees.wanted, n)]: Bit,
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
        /// The port is given to a packet in this cycle.
        given[n]: Bit,
        /// A flit of the packet sets out for the port in this cycle.
        departing[n]: Bit,
        /// With that flit the port is released.
        released[n]: Bit,
        /// It is released in this cycle, in which its packet's first flit is read: in a switch for short packets.
        freed[if_seen(short_packets, n)]: Bit,
        /// Errors of each port.
        error[n * errors] / errors: Bit,
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
        /// The port is held by a packet.
        held[n]: Bit,
        /// It is not in the next cycle, if there is no reset.
        free_next[n]: Bit,
        /// The port may be given to a packet, once it is not held.
        grantable[n]: Bit,
        /// The port is taken before those that are not preferred.
        preferred[n]: Bit,
        /// The port may send in this cycle.
        ready[n]: Bit,
        /// If the port is held, it stays ready for the next four cycles.
        steady[n]: Bit,
        /// To the other end of the link.
        hint[n]: Bit,
        /// The port is to be counted on.
        serves[n]: Bit,
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
    registers {
        read_done_r: Bit,
        read_data_r: Bits<32>,
        /// The counters are cleared in this cycle.
        clear_r: Bit,
        /// A counter that was asked for has not had its turn yet.
        waiting_r: Bit,
        /// A word of a port was taken in the cycle before.
        taken_r: Bit,
        /// The word that was taken, by groups of eight ports.
        group_word_r[groups]: Bits<32>,
    }
    children {
        held_ports: HeldPorts = HeldPorts::new(n, short_packets),
        mechanism: Box<dyn PowerMechanism> = (entry.build)(config),
        /// Whose turn it is among the counters of every port.
        slots: CounterSlots = CounterSlots::new(counters),
        /// One per port.
        counters[n]: PortCounters = port_counters(),
    }
    locals {
        /// The port at the address, and the place of the word in it.
        port: Bits<14>,
        place: Bits<14>,
        /// The group that the port is in.
        group: Bits<14>,
        /// The address is that of a word of a port: of a counter, of the status; of this counter.
        of_ports: Bit,
        of_counter: Bit,
        of_status: Bit,
        of_this_counter[counters]: Bit,
        /// It is that of a counter whose turn it is.
        has_turn: Bit,
        /// A word is asked for, in this cycle or before; that of a port is taken in this cycle.
        asked: Bit,
        take: Bit,
        /// Status of each port; the word at `place` of each, 0 for places in the last group of eight without a port.
        status[n]: Bits<32>,
        port_word[groups * GROUP]: Bits<32>,
        /// The word of one in two, in four, in eight ports.
        of_two[groups * GROUP / 2]: Bits<32>,
        of_four[groups * GROUP / 4]: Bits<32>,
        of_eight[groups]: Bits<32>,
        /// The word of the group of the port that was taken.
        taken_word: Bits<32>,
        /// The word `clear_counters`, and where it is.
        clear_word: Bits<32>,
    }
    constants {
        clear_at: Bits<14> = word(clear.offset).to_bits(),
        /// First word of port 0, address bits within a port, and how many they are.
        port_base: Bits<14> = word(registers::PORT_BASE).to_bits(),
        place_mask: Bits<14> = (places - 1).to_bits(),
        place_bits: Bits<14> = u64::from(places.ilog2()).to_bits(),
        /// Bits of a number of a port in its group.
        group_bits: Bits<14> = u64::from(GROUP.ilog2()).to_bits(),
    }
    sizes {
        /// Lowest bits of the parts of the status.
        level_bit = status_bit(mechanism, "level"),
        held_bit = status_bit(mechanism, "held"),
        grantable_bit = status_bit(mechanism, "grantable"),
        preferred_bit = status_bit(mechanism, "preferred"),
        ready_bit = status_bit(mechanism, "ready"),
        n = n,
        /// Groups of eight ports, and half as many, a quarter as many places in them.
        groups = groups,
        places = groups * GROUP,
        twos = groups * GROUP / 2,
        fours = groups * GROUP / 4,
        /// Counters of a port, and the errors among them.
        port_counters = counters,
        errors = errors,
        slot_bits = slot_bits(counters),
        /// Signals of each kind that the mechanism may see: ports (1 for the place), or 0.
        sees_place = if_seen(sees.place, 1),
        sees_wanted = if_seen(sees.wanted, n),
        sees_buffers = if_seen(sees.buffers, n),
        sees_neighbours = if_seen(sees.neighbours, n),
        sees_ring = if_seen(sees.ring.is_some(), 1),
        /// Ports in a switch for short packets, else 0.
        sees_freed = if_seen(short_packets, n),
    }
    tables {
        /// Words of the row that it looks up, and whether it does. Not sizes: those are told of in the Verilog of every switch.
        lookup_words = vec![sees.routes.row_words()],
        looks_up = vec![if_seen(sees.routes.looks_up(), 1)],
    }
}

impl Logic for PowerManager {
    #[hdl_gen]
    fn update(&mut self) {
        for p in 0..self.n.get() {
            self.held_ports.given[p].next = self.given[p].val();
            self.held_ports.departing[p].next = self.departing[p].val();
            self.held_ports.released[p].next = self.released[p].val();
            self.held[p].next = self.held_ports.held[p].val();
            self.free_next[p].next = self.held_ports.free_next[p].val();
        }
        for p in 0..self.sees_freed.get() {
            self.held_ports.freed[p].next = self.freed[p].val();
        }
        // The mechanism, and what it sees.
        self.mechanism.write_enable.next = self.write_enable.val();
        self.mechanism.write_address.next = self.write_address.val();
        self.mechanism.write_data.next = self.write_data.val();
        self.mechanism.read_address.next = self.read_address.val().get_bits::<10>(0);
        for k in 0..self.sees_place.get() {
            self.mechanism.position[k].next = self.position[k].val();
            self.mechanism.stage[k].next = self.stage[k].val();
        }
        for p in 0..self.sees_wanted.get() {
            self.mechanism.wanted[p].next = self.wanted[p].val();
        }
        for p in 0..self.sees_buffers.get() {
            self.mechanism.arriving[p].next = self.arriving[p].val();
            self.mechanism.leaving[p].next = self.leaving[p].val();
            self.mechanism.fill[p].next = self.fill[p].val();
            self.mechanism.occupancy[p].next = self.occupancy[p].val();
        }
        for p in 0..self.sees_neighbours.get() {
            self.mechanism.neighbour_phase[p].next = self.neighbour_phase[p].val();
            self.mechanism.hint_in[p].next = self.hint_in[p].val();
        }
        for k in 0..self.sees_ring.get() {
            self.mechanism.ring_in[k].next = self.ring_in[k].val();
            self.ring_out[k].next = self.mechanism.ring_out[k].val();
        }
        for w in 0..self.lookup_words[0] {
            self.mechanism.lookup_row[w].next = self.lookup_row[w].val();
        }
        for k in 0..self.looks_up[0] {
            self.lookup[k].next = self.mechanism.lookup[k].val();
            self.lookup_address[k].next = self.mechanism.lookup_address[k].val();
        }
        for p in 0..self.n.get() {
            self.mechanism.held[p].next = self.held_ports.held[p].val();
            self.mechanism.given[p].next = self.given[p].val();
            self.mechanism.departing[p].next = self.departing[p].val();
            self.grantable[p].next = self.mechanism.grantable[p].val();
            self.preferred[p].next = self.mechanism.preferred[p].val();
            self.ready[p].next = self.mechanism.ready[p].val();
            self.steady[p].next = self.mechanism.steady[p].val();
            self.hint[p].next = self.mechanism.hint[p].val();
            self.serves[p].next = self.mechanism.serves[p].val();
            self.phase[p].next = self.mechanism.phase[p].val();
            self.level[p].next = self.mechanism.level[p].val();
        }
        // The counters.
        self.clear_r.d.next = self.write_enable.val()
            & (bit_cast::<14, 10>(self.write_address.val()) == self.clear_at.val())
            & self.write_data.val().get_bit(0);
        self.slots.clear.next = self.clear_r.q.val();
        for p in 0..self.n.get() {
            self.counters[p].phase.next = self.mechanism.phase[p].val();
            self.counters[p].level.next = self.mechanism.level[p].val();
            self.counters[p].waking.next = self.mechanism.waking[p].val();
            self.counters[p].departing.next = self.departing[p].val();
            self.counters[p].clear.next = self.clear_r.q.val();
            self.counters[p].fetch.next = self.slots.fetch.val();
            self.counters[p].replace.next = self.slots.replace.val();
            for e in 0..self.errors.get() {
                self.counters[p].error[e].next = self.error[p * self.errors + e].val();
            }
            for b in 0..self.slot_bits.get() {
                self.counters[p].fetch_slot[b].next = self.slots.fetch_slot[b].val();
                self.counters[p].write_slot[b].next = self.slots.write_slot[b].val();
            }
        }
        // What is asked for, and whether it is there.
        self.port.next = (self.read_address.val() - self.port_base.val()) >> self.place_bits.val();
        self.place.next = self.read_address.val() & self.place_mask.val();
        self.group.next = self.port.val() >> self.group_bits.val();
        self.of_ports.next = self.read_address.val() >= self.port_base.val();
        self.of_counter.next = self.place.val() < self.port_counters.val().to_bits();
        self.of_status.next = self.place.val() == self.port_counters.val().to_bits();
        for c in 0..self.port_counters.get() {
            self.of_this_counter[c].next = self.place.val() == c.to_bits();
        }
        self.has_turn.next = false;
        for c in 0..self.port_counters.get() {
            self.has_turn.next = self.has_turn.val() | (self.slots.turn[c].val() & self.of_this_counter[c].val());
        }
        self.asked.next = self.read_request.val() | self.waiting_r.q.val();
        self.take.next = self.asked.val()
            & self.of_ports.val()
            & (!self.of_counter.val() | self.waiting_r.q.val() & self.has_turn.val());
        self.waiting_r.d.next = self.asked.val() & self.of_ports.val() & !self.take.val();
        self.taken_r.d.next = self.take.val();
        // Words of the ports: one in eight is taken, then one of those.
        for p in 0..self.n.get() {
            self.status[p].next = 0.into();
            for b in 0..3 {
                self.status[p].next = self.status[p].val().replace_bit(b, self.mechanism.phase[p].val().get_bit(b));
            }
            for b in 0..3 {
                self.status[p].next =
                    self.status[p].val().replace_bit(self.level_bit + b, self.mechanism.level[p].val().get_bit(b));
            }
            self.status[p].next = self.status[p].val().replace_bit(self.held_bit.into(), self.held_ports.held[p].val());
            self.status[p].next =
                self.status[p].val().replace_bit(self.grantable_bit.into(), self.mechanism.grantable[p].val());
            self.status[p].next =
                self.status[p].val().replace_bit(self.preferred_bit.into(), self.mechanism.preferred[p].val());
            self.status[p].next =
                self.status[p].val().replace_bit(self.ready_bit.into(), self.mechanism.ready[p].val());
        }
        for p in 0..self.n.get() {
            self.port_word[p].next = 0.into();
            if self.of_counter.val() {
                self.port_word[p].next = self.counters[p].word.val();
            } else if self.of_status.val() {
                self.port_word[p].next = self.status[p].val();
            }
        }
        for p in self.n.get()..self.places.get() {
            self.port_word[p].next = 0.into();
        }
        for i in 0..self.twos.get() {
            self.of_two[i].next = self.port_word[i * 2].val();
            if self.port.val().get_bit(0) {
                self.of_two[i].next = self.port_word[i * 2 + 1].val();
            }
        }
        for i in 0..self.fours.get() {
            self.of_four[i].next = self.of_two[i * 2].val();
            if self.port.val().get_bit(1) {
                self.of_four[i].next = self.of_two[i * 2 + 1].val();
            }
        }
        for g in 0..self.groups.get() {
            self.of_eight[g].next = self.of_four[g * 2].val();
            if self.port.val().get_bit(2) {
                self.of_eight[g].next = self.of_four[g * 2 + 1].val();
            }
        }
        for g in 0..self.groups.get() {
            if self.take.val() {
                self.group_word_r[g].d.next = self.of_eight[g].val();
            }
        }
        self.taken_word.next = 0.into();
        for g in 0..self.groups.get() {
            if self.group.val() == g.to_bits() {
                self.taken_word.next = self.taken_word.val() | self.group_word_r[g].q.val();
            }
        }
        // The answer.
        self.clear_word.next = 0.into();
        self.clear_word.next = self.clear_word.val().replace_bit(0, self.clear_r.q.val());
        self.read_done_r.d.next = self.taken_r.q.val() | (self.read_request.val() & !self.of_ports.val());
        if self.taken_r.q.val() {
            self.read_data_r.d.next = self.taken_word.val();
        } else if self.read_request.val() & !self.of_ports.val() {
            self.read_data_r.d.next = self.mechanism.read_data.val();
            if self.read_address.val() == self.clear_at.val() {
                self.read_data_r.d.next = self.clear_word.val();
            }
        }
        self.read_done.next = self.read_done_r.q.val();
        self.read_data.next = self.read_data_r.q.val();
    }
}
