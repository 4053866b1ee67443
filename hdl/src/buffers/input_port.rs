//! One input port of the switch: its link, the memories of its virtual channels, and the flit that is read in each cycle.
//!
//! Reading:  one packet at a time, from head to tail. The next one is picked round robin among the virtual channels whose packet holds
//!           an output port that was ready in the cycle before, or is being dropped, and has a flit in the buffer; a packet whose port
//!           wakes does not stop the others.
//! Faults:   a packet that is malformed or has no destination is accepted as dropped and read to nowhere. All errors are shown in the
//!           cycle in which they happen, and every stored flit gives its credit back.
//! Latency:  a flit is read in the cycle in which its packet is accepted; `select` and the credit come one cycle later, `data` two.
//! Range:    2 to 64 ports, 1 to 8 virtual channels, flits of 1 to 16 words. `accept` for one virtual channel at a time.
//! Reset:    empty, pointer at virtual channel 0.
//! Source:   docs/microarchitecture/buffers.md.

use crate::arbiters::RoundRobinArbiter;
use crate::block;
use crate::buffers::{VirtualChannel, WHOLE_HEADER_BITS};
use crate::power::if_seen;
use crate::primitives::*;
use powar_config::{Phase, Sees, SwitchConfig};
use rust_hdl::prelude::*;

block! {
    /// `H` and `E` as of [`VirtualChannel`].
    pub struct InputPort<const H: usize, const E: usize>("input_port", include_str!("input_port.rs"), clocked)
    /// For `n` ports, 2..=64, with what a routing table needs or without, with next routes or without.
    pub fn new(n: usize, config: &SwitchConfig, sees: Sees, has_table: bool, next_routes: bool) -> Self {
        let (vcs, words) = (config.vcs, config.flit_words());
        let bits = |places: usize| places.next_power_of_two().trailing_zeros() as usize;
        let sees_header = if_seen(H == WHOLE_HEADER_BITS, vcs);
        let (place_bits, vc_bits) = (bits(config.vc_depth()), bits(vcs));
    }
    inputs {
        /// A flit is on the link.
        in_valid: Bit,
        /// It is the head flit of its packet.
        in_head: Bit,
        /// Its virtual channel.
        in_vc: Bits<3>,
        /// Its words; in word 0 of a head flit the length 25:16 and the destination 15:0.
        in_flit[words]: Bits<32>,
        /// Phase of the sender's port; flits come in `On` and `Draining`.
        in_phase: Bits<3>,
        /// The output port may send in this cycle.
        ready[n]: Bit,
        /// If it is held, it may for the next four.
        steady[n]: Bit,
        /// The packet in the head register of this virtual channel has been granted a port, or is dropped.
        accept[vcs]: Bit,
        /// If so: it is dropped.
        drop: Bit,
        /// The port it has been granted, one-hot; that port was ready in the cycle before, and steady.
        grant[n]: Bit,
        grant_ready: Bit,
        grant_steady: Bit,
        /// With next routes: the route register of this virtual channel can take an answer; flits of the packet that is accepted there.
        has_place[if_seen(next_routes, vcs)]: Bit,
        accepted_length[if_seen(next_routes, vcs)]: Bits<10>,
    }
    outputs {
        /// With next routes: the packet in this head register leaves it for the route register, one a cycle; flits of the packet there.
        taken[if_seen(next_routes, vcs)]: Bit,
        length[if_seen(next_routes, vcs)]: Bits<10>,
        /// A packet is accepted, and lets go of its output port in this cycle: in a switch for short packets.
        at_once[if_seen(config.short_packets(), 1)]: Bit,
        /// Destination of the packet in each head register.
        destination[vcs]: Bits<16>,
        /// Header of that packet: the user's bits 31:26, length 25:16, destination 15:0.
        header[sees_header]: Bits<32>,
        /// A head register takes a header at the end of this cycle, and with which destination.
        loads[if_seen(has_table, vcs)]: Bit,
        next_destination[if_seen(has_table, vcs)]: Bits<16>,
        /// There is one.
        head_valid[vcs]: Bit,
        /// It must be dropped.
        malformed[vcs]: Bit,
        /// Its virtual channel can hold a port two cycles from now.
        can_take[vcs]: Bit,
        /// A packet can be read two cycles from now.
        can_read: Bit,
        /// The flit that was read in the cycle before is for this output port, one-hot.
        select[n]: Bit,
        /// It is a head flit.
        select_head: Bit,
        /// The output port is released with it.
        select_release: Bit,
        /// The flit that was read two cycles before.
        data[words]: Bits<32>,
        /// A flit was read in the cycle before: its credit.
        in_credit_valid: Bit,
        /// Its virtual channel.
        in_credit_vc: Bits<3>,
        /// Flits in the buffers of all virtual channels.
        fill[if_seen(sees.buffers, 1)]: Bits<13>,
        /// A flit is read in this cycle.
        leaving[if_seen(sees.buffers, 1)]: Bit,
        /// A packet is dropped.
        dropped_packet: Bit,
        /// A flit with a wrong head mark or an unknown virtual channel.
        framing_error: Bit,
        /// A flit that finds its buffer full.
        overflow_error: Bit,
        /// A flit while the sender's port does not send.
        closed_link_flit: Bit,
    }
    registers {
        can_read_r: Bit,
        select_head_r: Bit,
        select_release_r: Bit,
        in_credit_valid_r: Bit,
        in_credit_vc_r: Bits<3>,
        /// The virtual channel whose packet is being read, one-hot; that of which a flit was read in the cycle before.
        reading_r = vec![false; vcs],
        sent_r = vec![false; vcs],
        /// Round robin among virtual channels that can start, one-hot.
        pointer_r = first_of(vcs),
    }
    children {
        vc[vcs]: VirtualChannel<H, E> = VirtualChannel::new(n, config, sees, has_table, next_routes),
    }
    others {
        /// Flits by virtual channel and place, one memory per word.
        flit_memory: Vec<Memory<Bits<32>>> =
            (0..words).map(|_| Memory::with_output_register(vc_bits + place_bits)).collect(),
        /// Headers of waiting packets, likewise.
        header_memory: Memory<Bits<E>> = Memory::new(vc_bits + place_bits),
    }
    children {
        starter: RoundRobinArbiter = RoundRobinArbiter::new(vcs),
    }
    locals {
        /// A flit of this virtual channel is on the link.
        arrive[vcs]: Bit,
        /// A flit of this virtual channel can be read.
        able[vcs]: Bit,
        /// The virtual channel that is read from, or that starts.
        pick[vcs]: Bit,
        /// A flit of this virtual channel is read in this cycle.
        read[vcs]: Bit,
        /// A head flit is read for an output port; the output port is released with the flit that is read.
        head_read: Bit,
        releases: Bit,
        any_reading: Bit,
        any_pick: Bit,
        /// A tail is read.
        any_last: Bit,
        /// It is, or is sure to be read two cycles from now at the latest.
        any_ends: Bit,
        /// Some other virtual channel could be read as well.
        others: Bit,
        any_read: Bit,
        any_arrive: Bit,
        any_store: Bit,
        any_keep: Bit,
        any_fetch: Bit,
        any_framing: Bit,
        /// Where the flit on the link goes in its queue.
        flit_write: Bits<12>,
        /// Addresses in the flit memory: the virtual channel above the place in its queue.
        flit_to[vc_bits + place_bits]: Bit,
        flit_from[vc_bits + place_bits]: Bit,
        header_write: Bits<12>,
        header_read: Bits<12>,
        /// The header on the link, as it is kept.
        entry: Bits<E>,
        /// Numbers of the virtual channels: the one picked, the one whose flit is read, the one whose header is fetched.
        pick_vc: Bits<3>,
        read_vc: Bits<3>,
        fetch_vc: Bits<3>,
        /// With next routes: a packet could leave the head register; one of a lower virtual channel could; one could whose virtual channel has a packet accepted.
        leaves[if_seen(next_routes, vcs)]: Bit,
        lower_leaves[if_seen(next_routes, vcs)]: Bit,
        follows[if_seen(next_routes, 1)]: Bit,
    }
    constants {
        /// The phases in which a port sends.
        on: Bits<3> = (Phase::On as usize).to_bits(),
        draining: Bits<3> = (Phase::Draining as usize).to_bits(),
    }
    sizes {
        n = n,
        vcs = vcs,
        words = words,
        /// Address bits: the place in a queue, and above it the virtual channel.
        place_bits = place_bits,
        vc_bits = vc_bits,
        address_bits = vc_bits + place_bits,
        /// 1 if the mechanism sees buffers, else 0.
        sees_buffers = if_seen(sees.buffers, 1),
        /// Virtual channels if the routing sees the header, else 0; likewise if it has a table.
        sees_header = sees_header,
        has_table = if_seen(has_table, vcs),
        /// 1 in a switch for short packets, else 0; virtual channels in one with next routes, and 1.
        short_packets = if_seen(config.short_packets(), 1),
        next_routes = if_seen(next_routes, vcs),
        has_next_routes = if_seen(next_routes, 1),
    }
}

impl<const H: usize, const E: usize> Logic for InputPort<H, E> {
    #[hdl_gen]
    fn update(&mut self) {
        // Which virtual channel is read.
        for v in 0..self.vcs.get() {
            self.able[v].next = self.vc[v].able.val();
        }
        self.any_reading.next = false;
        for v in 0..self.vcs.get() {
            self.any_reading.next = self.any_reading.val() | self.reading_r.q[v].val();
            self.starter.request[v].next = self.able[v].val();
            self.starter.pointer[v].next = self.pointer_r.q[v].val();
        }
        for v in 0..self.vcs.get() {
            self.pick[v].next = self.reading_r.q[v].val() | (self.starter.grant[v].val() & !self.any_reading.val());
        }
        for v in 0..self.vcs.get() {
            self.read[v].next = self.pick[v].val() & self.able[v].val();
        }
        self.any_pick.next = false;
        self.any_last.next = false;
        self.any_ends.next = false;
        self.others.next = false;
        self.any_read.next = false;
        for v in 0..self.vcs.get() {
            self.any_pick.next = self.any_pick.val() | self.pick[v].val();
            self.any_last.next = self.any_last.val() | self.vc[v].last.val();
            self.any_ends.next = self.any_ends.val() | self.vc[v].ends.val();
            self.others.next = self.others.val() | (self.able[v].val() & !self.pick[v].val());
            self.any_read.next = self.any_read.val() | self.read[v].val();
        }
        self.can_read_r.d.next = (!self.any_pick.val() | self.any_ends.val()) & !self.others.val();
        self.can_read.next = self.can_read_r.q.val();
        for v in 0..self.vcs.get() {
            self.reading_r.d[v].next = self.pick[v].val() & !self.any_last.val();
        }
        if self.any_pick.val() & !self.any_reading.val() {
            self.pointer_r.d[0].next = self.pick[self.vcs - 1].val();
            for v in 1..self.vcs.get() {
                self.pointer_r.d[v].next = self.pick[v - 1].val();
            }
        }
        // What goes to the crossbar. A packet that is being dropped holds no port.
        for p in 0..self.n.get() {
            self.select[p].next = false;
        }
        for v in 0..self.vcs.get() {
            self.sent_r.d[v].next = self.read[v].val();
            for p in 0..self.n.get() {
                self.select[p].next = self.select[p].val() | (self.sent_r.q[v].val() & self.vc[v].port[p].val());
            }
        }
        self.head_read.next = false;
        self.releases.next = false;
        for v in 0..self.vcs.get() {
            self.head_read.next = self.head_read.val() | self.vc[v].starts_out.val();
            self.releases.next = self.releases.val() | self.vc[v].released.val();
        }
        self.select_head_r.d.next = self.head_read.val();
        self.select_release_r.d.next = self.releases.val();
        self.select_head.next = self.select_head_r.q.val();
        self.select_release.next = self.select_release_r.q.val();
        // The packets in the head registers.
        for v in 0..self.vcs.get() {
            self.head_valid[v].next = self.vc[v].head_valid.val();
            self.malformed[v].next = self.vc[v].malformed.val();
            self.can_take[v].next = self.vc[v].can_take.val();
            self.destination[v].next = self.vc[v].destination.val();
        }
        // The link.
        for v in 0..self.vcs.get() {
            self.arrive[v].next = self.in_valid.val() & (self.in_vc.val() == v.to_bits());
        }
        for v in 0..self.vcs.get() {
            self.vc[v].arrive.next = self.arrive[v].val();
            self.vc[v].head.next = self.in_head.val();
            self.vc[v].header.next = self.in_flit[0].val().get_bits::<H>(0);
            self.vc[v].fetched.next = self.header_memory.q.val();
            self.vc[v].accept.next = self.accept[v].val();
            self.vc[v].drop.next = self.drop.val();
            self.vc[v].grant_ready.next = self.grant_ready.val();
            self.vc[v].grant_steady.next = self.grant_steady.val();
            self.vc[v].read.next = self.read[v].val();
            for p in 0..self.n.get() {
                self.vc[v].grant[p].next = self.grant[p].val();
                self.vc[v].ready[p].next = self.ready[p].val();
                self.vc[v].steady[p].next = self.steady[p].val();
            }
        }
        self.any_arrive.next = false;
        self.any_store.next = false;
        self.any_keep.next = false;
        self.any_fetch.next = false;
        self.any_framing.next = false;
        self.dropped_packet.next = false;
        self.overflow_error.next = false;
        for v in 0..self.vcs.get() {
            self.any_arrive.next = self.any_arrive.val() | self.arrive[v].val();
            self.any_store.next = self.any_store.val() | self.vc[v].store.val();
            self.any_keep.next = self.any_keep.val() | self.vc[v].keep.val();
            self.any_fetch.next = self.any_fetch.val() | self.vc[v].fetch.val();
            self.any_framing.next = self.any_framing.val() | self.vc[v].framing.val();
            self.dropped_packet.next = self.dropped_packet.val() | (self.accept[v].val() & self.drop.val());
            self.overflow_error.next = self.overflow_error.val() | self.vc[v].overflow.val();
        }
        // The memories.
        self.flit_write.next = 0.into();
        self.header_write.next = 0.into();
        self.entry.next = 0.into();
        self.pick_vc.next = 0.into();
        self.read_vc.next = 0.into();
        self.header_read.next = 0.into();
        self.fetch_vc.next = 0.into();
        for v in 0..self.vcs.get() {
            if self.arrive[v].val() {
                self.flit_write.next = self.vc[v].flit_write.val();
                self.header_write.next = self.vc[v].header_write.val();
                self.entry.next = self.vc[v].entry.val();
            }
            if self.pick[v].val() {
                self.pick_vc.next = self.pick_vc.val() | v.to_bits();
            }
            if self.read[v].val() {
                self.read_vc.next = self.read_vc.val() | v.to_bits();
            }
            if self.vc[v].fetch.val() {
                self.header_read.next = self.vc[v].header_read.val();
                self.fetch_vc.next = v.to_bits();
            }
        }
        for b in 0..self.place_bits.get() {
            self.flit_to[b].next = self.flit_write.val().get_bit(b);
            self.flit_from[b].next = false;
        }
        // By what is picked, which is known before whether it is read.
        for v in 0..self.vcs.get() {
            for b in 0..self.place_bits.get() {
                self.flit_from[b].next =
                    self.flit_from[b].val() | (self.pick[v].val() & self.vc[v].flit_read.val().get_bit(b));
            }
        }
        for b in 0..self.vc_bits.get() {
            self.flit_to[self.place_bits + b].next = self.in_vc.val().get_bit(b);
            self.flit_from[self.place_bits + b].next = self.pick_vc.val().get_bit(b);
        }
        for w in 0..self.words.get() {
            self.flit_memory[w].clk.next = self.clk.val();
            self.flit_memory[w].write.next = self.any_store.val();
            self.flit_memory[w].write_data.next = self.in_flit[w].val();
            self.flit_memory[w].read.next = self.any_read.val();
            for b in 0..self.address_bits.get() {
                self.flit_memory[w].write_address[b].next = self.flit_to[b].val();
                self.flit_memory[w].read_address[b].next = self.flit_from[b].val();
            }
            self.data[w].next = self.flit_memory[w].q.val();
        }
        self.header_memory.clk.next = self.clk.val();
        self.header_memory.write.next = self.any_keep.val();
        self.header_memory.write_data.next = self.entry.val();
        self.header_memory.read.next = self.any_fetch.val();
        for b in 0..self.place_bits.get() {
            self.header_memory.write_address[b].next = self.header_write.val().get_bit(b);
            self.header_memory.read_address[b].next = self.header_read.val().get_bit(b);
        }
        for b in 0..self.vc_bits.get() {
            self.header_memory.write_address[self.place_bits + b].next = self.in_vc.val().get_bit(b);
            self.header_memory.read_address[self.place_bits + b].next = self.fetch_vc.val().get_bit(b);
        }
        // Credits and errors.
        self.in_credit_valid_r.d.next = self.any_read.val();
        self.in_credit_vc_r.d.next = self.read_vc.val();
        self.framing_error.next = self.any_framing.val() | (self.in_valid.val() & !self.any_arrive.val());
        self.closed_link_flit.next =
            self.in_valid.val() & (self.in_phase.val() != self.on.val()) & (self.in_phase.val() != self.draining.val());
        self.in_credit_valid.next = self.in_credit_valid_r.q.val();
        self.in_credit_vc.next = self.in_credit_vc_r.q.val();
        // Which packet leaves its head register: the header memory is read for one in a cycle.
        for v in 0..self.next_routes.get() {
            self.leaves[v].next = self.vc[v].head_valid.val() & self.has_place[v].val();
            self.vc[v].accepted_length[0].next = self.accepted_length[v].val();
            self.length[v].next = self.vc[v].length_shown[0].val();
        }
        for k in 0..self.has_next_routes.get() {
            self.lower_leaves[k].next = false;
            self.follows[k].next = false;
        }
        for v in 1..self.next_routes.get() {
            self.lower_leaves[v].next = self.lower_leaves[v - 1].val() | self.leaves[v - 1].val();
        }
        for v in 0..self.next_routes.get() {
            self.follows[0].next = self.follows[0].val() | (self.leaves[v].val() & self.accept[v].val());
        }
        for v in 0..self.next_routes.get() {
            self.taken[v].next = (self.leaves[v].val() & self.accept[v].val())
                | (self.leaves[v].val() & !self.lower_leaves[v].val() & !self.follows[0].val());
            self.vc[v].taken[0].next = self.taken[v].val();
        }
        for k in 0..self.short_packets.get() {
            self.at_once[k].next = false;
            for v in 0..self.vcs.get() {
                self.at_once[k].next = self.at_once[k].val() | self.vc[v].at_once[k].val();
            }
        }
        // What the routing units see.
        for v in 0..self.has_table.get() {
            self.loads[v].next = self.vc[v].loads[0].val();
            self.next_destination[v].next = self.vc[v].next_destination[0].val();
        }
        for v in 0..self.sees_header.get() {
            self.header[v].next = self.vc[v].header_shown[0].val();
        }
        // What the mechanism sees.
        for k in 0..self.sees_buffers.get() {
            self.leaving[k].next = self.any_read.val();
            self.fill[k].next = 0.into();
            for v in 0..self.vcs.get() {
                self.fill[k].next = self.fill[k].val() + self.vc[v].count[k].val();
            }
        }
    }
}
