//! The buffers of a node's link from the switch, and the AXI4-Stream out of them.
//!
//! Stream:   a packet is picked round robin among the virtual channels that have a complete one, then read from head to tail; its head flit
//!           is no beat. Packets never mix.
//! Faults:   a flit that is no sound head where a packet should start is dropped. A packet in which a head mark stood is delivered
//!           with `m_axis_tuser` in its last beat. Every stored flit gives its credit back.
//! Pressure: while `m_axis_tvalid` and not `m_axis_tready` nothing is read, and no credit goes back.
//! Latency:  the first beat three cycles after the tail was on the link, at the earliest; a credit is on the link one cycle after its flit was read.
//! Range:    1 to 8 virtual channels of 3 to 4096 flits, flits of 2 to 16 words, packets of 2 to 1023 flits.
//! Reset:    empty, pointer at virtual channel 0.
//! Source:   docs/microarchitecture/network_interface.md.

use super::{HeaderQueue, address_bits};
use crate::arbiters::RoundRobinArbiter;
use crate::buffers::VcQueue;
use crate::primitives::*;
use crate::{block, dff_setup};
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

block! {
    pub struct Reception("reception", include_str!("reception.rs"), clocked)
    /// For a configuration that there are network interfaces for.
    pub fn new(config: &SwitchConfig) -> Self {
        let (vcs, words, depth) = (config.vcs, config.flit_words(), config.vc_depth());
        let (place_bits, vc_bits) = (address_bits(depth), address_bits(vcs));
    }
    inputs {
        /// A flit is on the link.
        in_valid: Bit,
        /// It is the head flit of its packet.
        in_head: Bit,
        in_vc: Bits<3>,
        /// Its words; of a head flit the length in word 0 25:16, source and bytes of the last beat less one in word 1 15:0 and 21:16.
        in_flit[words]: Bits<32>,
        m_axis_tready: Bit,
    }
    outputs {
        m_axis_tvalid: Bit,
        /// The words of a flit.
        m_axis_tdata[words]: Bits<32>,
        m_axis_tkeep[4 * words]: Bit,
        m_axis_tlast: Bit,
        /// Packed address of the source.
        m_axis_tid: Bits<16>,
        /// With `m_axis_tlast`: a flit of the packet came with a wrong head mark.
        m_axis_tuser: Bit,
        /// A flit was read in the cycle before: its credit, and its virtual channel.
        in_credit_valid: Bit,
        in_credit_vc: Bits<3>,
        /// The last flit of a packet is read.
        received_packet: Bit,
        /// A flit is read, also one that is dropped.
        received_flit: Bit,
        /// The flit on the link has a wrong head mark, a wrong length or an unknown virtual channel.
        framing_error: Bit,
        /// The flit on the link finds its buffer full and is lost.
        overflow_error: Bit,
    }
    registers {
        m_axis_tvalid_r: Bit,
        m_axis_tlast_r: Bit,
        in_credit_valid_r: Bit,
        in_credit_vc_r: Bits<3>,
        /// Flits of the packet on the link that are still to come, by virtual channel.
        arriving_r[vcs]: Bits<10>,
        /// Complete packets that have not started, by virtual channel.
        whole_r[vcs]: Bits<13>,
        /// There are some.
        complete_r = vec![false; vcs],
        /// Virtual channel of the packet that is read, one-hot, and flits of it that are still to be read.
        reading_r = vec![false; vcs],
        remaining_r: Bits<10>,
        /// There are none.
        idle_r: Bit = true,
        /// Round robin among virtual channels, one-hot.
        pointer_r = first_of(vcs),
        /// Of the packet that is read: where it comes from, bytes of its last beat less one.
        source_r: Bits<16>,
        last_bytes_r: Bits<6>,
        /// A beat of it that has left was marked.
        damaged_r: Bit,
    }
    children {
        flits[vcs]: VcQueue = VcQueue::new(depth, false),
        headers[vcs]: HeaderQueue = HeaderQueue::new(depth),
        starter: RoundRobinArbiter = RoundRobinArbiter::new(vcs),
    }
    others {
        /// Word 0 of the flits by virtual channel and place, and above it the mark of a wrong head mark.
        first_memory: Memory<Bits<33>> = Memory::new(vc_bits + place_bits),
        /// The other words, one memory each.
        flit_memory: Vec<Memory<Bits<32>>> = (1..words).map(|_| Memory::new(vc_bits + place_bits)).collect(),
        /// Headers of packets, likewise.
        header_memory: Memory<Bits<32>> = Memory::new(vc_bits + place_bits),
    }
    locals {
        arrive[vcs]: Bit,
        store[vcs]: Bit,
        starts[vcs]: Bit,
        ends[vcs]: Bit,
        any_arrive: Bit,
        any_store: Bit,
        any_starts: Bit,
        sound: Bit,
        mark: Bit,
        /// Length of the packet that starts on the link; 0 if it is to be dropped.
        length: Bits<10>,
        entry: Bits<32>,
        marked_word: Bits<33>,
        go: Bit,
        idle: Bit,
        start[vcs]: Bit,
        read[vcs]: Bit,
        any_start: Bit,
        any_read: Bit,
        chosen: Bits<32>,
        /// Flits behind the head flit of the oldest packet, by virtual channel, and whether there are none; of the packet that starts.
        left[vcs]: Bits<10>,
        lone[vcs]: Bit,
        left_of_chosen: Bits<10>,
        lone_chosen: Bit,
        read_vc: Bits<3>,
        fetch_vc: Bits<3>,
        /// The header memory is read for this virtual channel, the lowest that wants it.
        fetch[vcs]: Bit,
        wanted: Bit,
        flit_write: Bits<12>,
        flit_read: Bits<12>,
        header_write: Bits<12>,
        header_read: Bits<12>,
        /// Addresses: the virtual channel above the place in its queue.
        flit_to[vc_bits + place_bits]: Bit,
        flit_from[vc_bits + place_bits]: Bit,
    }
    constants {
        least_length: Bits<10> = 2.into(),
        most_length: Bits<10> = config.max_packet_flits.to_bits(),
        mark_bit: Bits<33> = (1_usize << 32).to_bits(),
    }
    sizes {
        vcs = vcs,
        words = words,
        bytes = 4 * words,
        place_bits = place_bits,
        vc_bits = vc_bits,
        address_bits = vc_bits + place_bits,
    }
}

impl Logic for Reception {
    #[hdl_gen]
    fn update(&mut self) {
        // The flit on the link.
        self.sound.next = self.in_head.val()
            & (self.in_flit[0].val().get_bits::<10>(16) >= self.least_length.val())
            & (self.in_flit[0].val().get_bits::<10>(16) <= self.most_length.val());
        self.length.next = 0.into();
        if self.sound.val() {
            self.length.next = self.in_flit[0].val().get_bits::<10>(16);
        }
        for v in 0..self.vcs.get() {
            self.arrive[v].next = self.in_valid.val() & (self.in_vc.val() == v.to_bits());
            self.store[v].next = self.arrive[v].val() & !self.flits[v].full.val();
            self.starts[v].next = self.store[v].val() & !self.arriving_r[v].q.val().any();
            self.ends[v].next =
                (self.starts[v].val() & !self.sound.val()) | (self.store[v].val() & (self.arriving_r[v].q.val() == 1));
        }
        self.any_arrive.next = false;
        self.any_store.next = false;
        self.any_starts.next = false;
        for v in 0..self.vcs.get() {
            self.any_arrive.next = self.any_arrive.val() | self.arrive[v].val();
            self.any_store.next = self.any_store.val() | self.store[v].val();
            self.any_starts.next = self.any_starts.val() | self.starts[v].val();
        }
        self.mark.next = self.in_head.val() & !self.any_starts.val();
        self.framing_error.next = (self.any_starts.val() & !self.sound.val())
            | (self.any_store.val() & self.mark.val())
            | (self.in_valid.val() & !self.any_arrive.val());
        self.overflow_error.next = self.any_arrive.val() & !self.any_store.val();
        for v in 0..self.vcs.get() {
            dff_setup!(self, clk, arriving_r[v]);
            if self.starts[v].val() {
                self.arriving_r[v].d.next = 0.into();
                if self.sound.val() {
                    self.arriving_r[v].d.next = self.length.val() - 1;
                }
            } else if self.store[v].val() {
                self.arriving_r[v].d.next = self.arriving_r[v].q.val() - 1;
            }
        }
        // What is read.
        self.go.next = !self.m_axis_tvalid_r.q.val() | self.m_axis_tready.val();
        self.idle.next = self.idle_r.q.val();
        for v in 0..self.vcs.get() {
            self.starter.request[v].next = self.headers[v].valid.val() & self.complete_r.q[v].val();
            self.starter.pointer[v].next = self.pointer_r.q[v].val();
        }
        for v in 0..self.vcs.get() {
            self.start[v].next = self.starter.grant[v].val() & self.go.val() & self.idle.val();
            self.read[v].next = self.start[v].val() | (self.reading_r.q[v].val() & self.go.val() & !self.idle.val());
        }
        self.any_start.next = false;
        self.any_read.next = false;
        for v in 0..self.vcs.get() {
            self.left[v].next = 0.into();
            if self.headers[v].entry.val().get_bits::<10>(16).any() {
                self.left[v].next = self.headers[v].entry.val().get_bits::<10>(16) - 1;
            }
            self.lone[v].next = !self.headers[v].entry.val().get_bits::<9>(17).any();
        }
        self.chosen.next = 0.into();
        self.left_of_chosen.next = 0.into();
        self.lone_chosen.next = false;
        self.read_vc.next = 0.into();
        for v in 0..self.vcs.get() {
            self.any_start.next = self.any_start.val() | self.start[v].val();
            self.any_read.next = self.any_read.val() | self.read[v].val();
        }
        for v in 0..self.vcs.get() {
            if self.start[v].val() {
                self.chosen.next = self.chosen.val() | self.headers[v].entry.val();
            }
        }
        for v in 0..self.vcs.get() {
            if self.start[v].val() {
                self.left_of_chosen.next = self.left_of_chosen.val() | self.left[v].val();
            }
        }
        for v in 0..self.vcs.get() {
            self.lone_chosen.next = self.lone_chosen.val() | (self.start[v].val() & self.lone[v].val());
        }
        for v in 0..self.vcs.get() {
            if self.read[v].val() {
                self.read_vc.next = self.read_vc.val() | v.to_bits();
            }
        }
        for v in 0..self.vcs.get() {
            if self.ends[v].val() & !self.start[v].val() {
                self.whole_r[v].d.next = self.whole_r[v].q.val() + 1;
                self.complete_r.d[v].next = true;
            } else if self.start[v].val() & !self.ends[v].val() {
                self.whole_r[v].d.next = self.whole_r[v].q.val() - 1;
                self.complete_r.d[v].next = self.whole_r[v].q.val() != 1;
            }
        }
        if self.any_start.val() {
            self.source_r.d.next = self.chosen.val().get_bits::<16>(0);
            self.last_bytes_r.d.next = self.chosen.val().get_bits::<6>(26);
            self.remaining_r.d.next = self.left_of_chosen.val();
            self.idle_r.d.next = self.lone_chosen.val();
        } else if self.any_read.val() {
            self.remaining_r.d.next = self.remaining_r.q.val() - 1;
            self.idle_r.d.next = self.remaining_r.q.val() == 1;
        }
        if self.any_start.val() {
            self.pointer_r.d[0].next = self.start[self.vcs - 1].val();
            for v in 1..self.vcs.get() {
                self.pointer_r.d[v].next = self.start[v - 1].val();
            }
        }
        for v in 0..self.vcs.get() {
            if self.any_start.val() {
                self.reading_r.d[v].next = self.start[v].val();
            }
        }
        self.received_flit.next = self.any_read.val();
        self.received_packet.next = self.any_read.val() & (self.remaining_r.q.val() == 1);
        self.in_credit_valid_r.d.next = self.any_read.val();
        self.in_credit_vc_r.d.next = self.read_vc.val();
        self.in_credit_valid.next = self.in_credit_valid_r.q.val();
        self.in_credit_vc.next = self.in_credit_vc_r.q.val();
        // The stream.
        if self.go.val() {
            self.m_axis_tvalid_r.d.next = !self.idle.val();
            self.m_axis_tlast_r.d.next = self.remaining_r.q.val() == 1;
        }
        if self.any_start.val() {
            self.damaged_r.d.next = false;
        } else if self.m_axis_tvalid_r.q.val() & self.m_axis_tready.val() {
            self.damaged_r.d.next = self.damaged_r.q.val() | self.first_memory.q.val().get_bit(32);
        }
        self.m_axis_tvalid.next = self.m_axis_tvalid_r.q.val();
        self.m_axis_tlast.next = self.m_axis_tlast_r.q.val();
        self.m_axis_tid.next = self.source_r.q.val();
        self.m_axis_tuser.next = self.m_axis_tvalid_r.q.val()
            & self.m_axis_tlast_r.q.val()
            & (self.damaged_r.q.val() | self.first_memory.q.val().get_bit(32));
        for b in 0..self.bytes.get() {
            self.m_axis_tkeep[b].next = !self.m_axis_tlast_r.q.val() | (self.last_bytes_r.q.val() >= b.to_bits());
        }
        self.m_axis_tdata[0].next = self.first_memory.q.val().get_bits::<32>(0);
        for w in 1..self.words.get() {
            self.m_axis_tdata[w].next = self.flit_memory[w - 1].q.val();
        }
        // The queues.
        self.wanted.next = false;
        for v in 0..self.vcs.get() {
            self.fetch[v].next = self.headers[v].wants.val() & !self.wanted.val();
            self.wanted.next = self.wanted.val() | self.headers[v].wants.val();
        }
        for v in 0..self.vcs.get() {
            self.flits[v].push.next = self.store[v].val();
            self.flits[v].pop.next = self.read[v].val();
            self.headers[v].push.next = self.starts[v].val();
            self.headers[v].fetch.next = self.fetch[v].val();
            self.headers[v].fetched.next = self.header_memory.q.val();
            self.headers[v].take.next = self.start[v].val();
        }
        // The memories.
        self.flit_write.next = 0.into();
        self.flit_read.next = 0.into();
        self.header_write.next = 0.into();
        self.header_read.next = 0.into();
        self.fetch_vc.next = 0.into();
        for v in 0..self.vcs.get() {
            if self.arrive[v].val() {
                self.flit_write.next = self.flits[v].write_pointer.val();
                self.header_write.next = self.headers[v].write_pointer.val();
            }
            if self.read[v].val() {
                self.flit_read.next = self.flits[v].read_pointer.val();
            }
            if self.fetch[v].val() {
                self.header_read.next = self.headers[v].read_pointer.val();
                self.fetch_vc.next = v.to_bits();
            }
        }
        self.entry.next = bit_cast::<32, 16>(self.in_flit[1].val().get_bits::<16>(0))
            | (bit_cast::<32, 10>(self.length.val()) << 16)
            | (bit_cast::<32, 6>(self.in_flit[1].val().get_bits::<6>(16)) << 26);
        self.header_memory.clk.next = self.clk.val();
        self.header_memory.write.next = self.any_starts.val();
        self.header_memory.write_data.next = self.entry.val();
        self.header_memory.read.next = self.wanted.val();
        for b in 0..self.place_bits.get() {
            self.header_memory.write_address[b].next = self.header_write.val().get_bit(b);
            self.header_memory.read_address[b].next = self.header_read.val().get_bit(b);
            self.flit_to[b].next = self.flit_write.val().get_bit(b);
            self.flit_from[b].next = self.flit_read.val().get_bit(b);
        }
        for b in 0..self.vc_bits.get() {
            self.header_memory.write_address[self.place_bits + b].next = self.in_vc.val().get_bit(b);
            self.header_memory.read_address[self.place_bits + b].next = self.fetch_vc.val().get_bit(b);
            self.flit_to[self.place_bits + b].next = self.in_vc.val().get_bit(b);
            self.flit_from[self.place_bits + b].next = self.read_vc.val().get_bit(b);
        }
        self.marked_word.next = bit_cast::<33, 32>(self.in_flit[0].val());
        if self.mark.val() {
            self.marked_word.next = bit_cast::<33, 32>(self.in_flit[0].val()) | self.mark_bit.val();
        }
        self.first_memory.clk.next = self.clk.val();
        self.first_memory.write.next = self.any_store.val();
        self.first_memory.write_data.next = self.marked_word.val();
        self.first_memory.read.next = self.any_read.val();
        for b in 0..self.address_bits.get() {
            self.first_memory.write_address[b].next = self.flit_to[b].val();
            self.first_memory.read_address[b].next = self.flit_from[b].val();
        }
        for w in 1..self.words.get() {
            self.flit_memory[w - 1].clk.next = self.clk.val();
            self.flit_memory[w - 1].write.next = self.any_store.val();
            self.flit_memory[w - 1].write_data.next = self.in_flit[w].val();
            self.flit_memory[w - 1].read.next = self.any_read.val();
            for b in 0..self.address_bits.get() {
                self.flit_memory[w - 1].write_address[b].next = self.flit_to[b].val();
                self.flit_memory[w - 1].read_address[b].next = self.flit_from[b].val();
            }
        }
    }
}
