//! From the AXI4-Stream of a node to a queue of complete packets for each virtual channel.
//!
//! Stream:   a packet is what ends with `tlast`; `tkeep` is all ones but in the last beat, where it is ones from byte 0 on. The
//!           destination is `tdest` of the first beat, the virtual channel its six lowest bits modulo their number.
//! Refused:  packets that are too long, keep other bytes than these, or none: taken from the stream, not sent, told once each.
//! Pressure: `s_axis_tready` goes down while the queue of the packet's virtual channel is full. It does not depend on `s_axis_tvalid`.
//! Latency:  a packet is `waiting` four cycles after its last beat was taken; `flit` is the beat for which `read` was one cycle earlier.
//! Range:    1 to 8 virtual channels, beats of 2 to 16 words, packets of 1 to 1022 beats.
//! Reset:    empty.
//! Source:   docs/microarchitecture/network_interface.md.

use super::{HeaderQueue, PacketQueue, address_bits};
use crate::block;
use crate::primitives::*;
use crate::routing::vc_rows;
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

block! {
    pub struct InjectionQueues("injection_queues", include_str!("injection_queues.rs"), clocked)
    /// For a configuration that there are network interfaces for.
    pub fn new(config: &SwitchConfig) -> Self {
        let (vcs, words, depth) = (config.vcs, config.flit_words(), config.vc_depth());
        let (place_bits, vc_bits) = (address_bits(depth), address_bits(vcs));
    }
    inputs {
        s_axis_tvalid: Bit,
        /// The words of a flit.
        s_axis_tdata[words]: Bits<32>,
        s_axis_tkeep[4 * words]: Bit,
        s_axis_tlast: Bit,
        /// Packed address of the destination.
        s_axis_tdest: Bits<16>,
        /// The packet in the head register of this virtual channel starts, one-hot.
        start[vcs]: Bit,
        /// The oldest beat of this virtual channel is read, one-hot.
        read[vcs]: Bit,
    }
    outputs {
        s_axis_tready: Bit,
        /// A complete packet is in the head register of this virtual channel.
        waiting[vcs]: Bit,
        /// Its header: bytes of the last beat less one 31:26, length in flits 25:16, destination 15:0.
        header[vcs]: Bits<32>,
        /// The beat read in the cycle before.
        flit[words]: Bits<32>,
        /// A complete packet waits that does not start in this cycle.
        pending: Bit,
        /// The last beat of a packet that is refused: too long, with other bytes kept than allowed, with none kept.
        refused_long: Bit,
        refused_keep: Bit,
        refused_empty: Bit,
    }
    registers {
        /// The input register: a beat, whether it is its packet's last, whether its bytes are not kept as they should be, whether none is,
        /// and how many are, less one.
        beat_valid_r: Bit,
        beat_data_r[words]: Bits<32>,
        beat_last_r: Bit,
        beat_wrong_r: Bit,
        beat_none_r: Bit,
        beat_bytes_r: Bits<6>,
        /// Destination of its packet, and its virtual channel, one-hot.
        destination_r: Bits<16>,
        vc_r = vec![false; vcs],
        /// The next beat on the stream is the first of its packet.
        opening_r: Bit = true,
        /// Beats taken of the packet before the one in the input register.
        beats_r: Bits<10>,
        /// The packet is refused for its length.
        too_long_r: Bit,
        /// The packet is refused for its bytes.
        spoilt_r: Bit,
    }
    children {
        queue[vcs]: PacketQueue = PacketQueue::new(depth),
        headers[vcs]: HeaderQueue = HeaderQueue::new(depth),
    }
    others {
        /// Beats by virtual channel and place, one memory per word.
        beat_memory: Vec<Memory<Bits<32>>> = (0..words).map(|_| Memory::new(vc_bits + place_bits)).collect(),
        /// Headers of complete packets, likewise.
        header_memory: Memory<Bits<32>> = Memory::new(vc_bits + place_bits),
    }
    locals {
        /// The beat on the stream is taken into the input register.
        accept: Bit,
        ready: Bit,
        /// Byte b of the beat on the stream is kept and the one above is not; and the other way round.
        falls[4 * words]: Bit,
        rises[4 * words]: Bit,
        hole: Bit,
        kept: Bits<6>,
        /// The destination's row in the table of virtual channels.
        row: Bits<16>,
        /// Virtual channel of the destination on the stream, one-hot.
        vc_to[vcs]: Bit,
        /// The queue of the packet's virtual channel is full.
        full: Bit,
        excess: Bit,
        blank: Bit,
        bad: Bit,
        refuse: Bit,
        given_up: Bit,
        take: Bit,
        store: Bit,
        commit: Bit,
        discard: Bit,
        /// The packet is over; it is too long.
        over: Bit,
        oversize: Bit,
        /// The header memory is read for this virtual channel, the lowest that wants it.
        fetch[vcs]: Bit,
        wanted: Bit,
        any_read: Bit,
        write_vc: Bits<3>,
        read_vc: Bits<3>,
        fetch_vc: Bits<3>,
        beat_write: Bits<12>,
        beat_read: Bits<12>,
        header_write: Bits<12>,
        header_read: Bits<12>,
        length: Bits<10>,
        entry: Bits<32>,
    }
    constants {
        /// Beats of the longest packet.
        most_beats: Bits<10> = (config.max_packet_flits - 1).to_bits(),
        /// The bits of a destination that say its row.
        row_mask: Bits<16> = (vc_rows(vcs) - 1).to_bits(),
    }
    sizes {
        vcs = vcs,
        /// Rows of the table of virtual channels for each of them.
        multiples = vc_rows(vcs).div_ceil(vcs),
        words = words,
        bytes = 4 * words,
        place_bits = place_bits,
        vc_bits = vc_bits,
    }
}

impl Logic for InjectionQueues {
    #[hdl_gen]
    fn update(&mut self) {
        // What becomes of the beat in the input register.
        self.full.next = false;
        for v in 0..self.vcs.get() {
            self.full.next = self.full.val() | (self.vc_r.q[v].val() & self.queue[v].full.val());
        }
        self.excess.next = self.beats_r.q.val() == self.most_beats.val();
        self.blank.next = self.beat_last_r.q.val() & self.beat_none_r.q.val() & !self.beats_r.q.val().any();
        self.bad.next = self.beat_wrong_r.q.val() & !self.blank.val();
        self.refuse.next = self.excess.val() | self.bad.val() | self.blank.val();
        self.given_up.next = self.too_long_r.q.val() | self.spoilt_r.q.val();
        self.take.next = self.beat_valid_r.q.val() & (self.given_up.val() | self.refuse.val() | !self.full.val());
        self.store.next = self.take.val() & !self.given_up.val() & !self.refuse.val();
        self.commit.next = self.store.val() & self.beat_last_r.q.val();
        self.discard.next = self.beat_valid_r.q.val() & !self.given_up.val() & self.refuse.val();
        if self.take.val() {
            self.too_long_r.d.next = !self.beat_last_r.q.val() & (self.too_long_r.q.val() | self.excess.val());
            self.spoilt_r.d.next = !self.beat_last_r.q.val() & (self.spoilt_r.q.val() | self.bad.val());
            if self.beat_last_r.q.val() {
                self.beats_r.d.next = 0.into();
            } else if !self.excess.val() {
                self.beats_r.d.next = self.beats_r.q.val() + 1;
            }
        }
        self.over.next = self.take.val() & self.beat_last_r.q.val();
        self.oversize.next = self.too_long_r.q.val() | self.excess.val();
        self.refused_long.next = self.over.val() & self.oversize.val();
        self.refused_keep.next = self.over.val() & !self.oversize.val() & (self.spoilt_r.q.val() | self.bad.val());
        self.refused_empty.next = self.over.val() & !self.oversize.val() & self.blank.val();
        // The stream.
        self.ready.next = !self.beat_valid_r.q.val() | self.take.val();
        self.s_axis_tready.next = self.ready.val();
        self.accept.next = self.s_axis_tvalid.val() & self.ready.val();
        self.beat_valid_r.d.next = self.accept.val() | (self.beat_valid_r.q.val() & !self.take.val());
        for b in 0..(self.bytes - 1) {
            self.falls[b].next = self.s_axis_tkeep[b].val() & !self.s_axis_tkeep[b + 1].val();
            self.rises[b].next = !self.s_axis_tkeep[b].val() & self.s_axis_tkeep[b + 1].val();
        }
        self.falls[self.bytes - 1].next = self.s_axis_tkeep[self.bytes - 1].val();
        self.rises[self.bytes - 1].next = false;
        self.hole.next = false;
        self.kept.next = 0.into();
        for b in 0..self.bytes.get() {
            self.hole.next = self.hole.val() | self.rises[b].val();
        }
        for b in 0..self.bytes.get() {
            if self.falls[b].val() {
                self.kept.next = self.kept.val() | b.to_bits();
            }
        }
        self.row.next = self.s_axis_tdest.val() & self.row_mask.val();
        for v in 0..self.vcs.get() {
            self.vc_to[v].next = self.row.val() == v.to_bits();
            for m in 1..self.multiples.get() {
                self.vc_to[v].next = self.vc_to[v].val() | (self.row.val() == (m * self.vcs + v).to_bits());
            }
        }
        if self.accept.val() {
            self.beat_last_r.d.next = self.s_axis_tlast.val();
            self.beat_none_r.d.next = !self.s_axis_tkeep[0].val() & !self.hole.val();
            if self.s_axis_tlast.val() {
                self.beat_wrong_r.d.next = self.hole.val() | !self.s_axis_tkeep[0].val();
            } else {
                self.beat_wrong_r.d.next = self.hole.val() | !self.s_axis_tkeep[self.bytes - 1].val();
            }
            self.beat_bytes_r.d.next = self.kept.val();
            self.opening_r.d.next = self.s_axis_tlast.val();
        }
        for w in 0..self.words.get() {
            if self.accept.val() {
                self.beat_data_r[w].d.next = self.s_axis_tdata[w].val();
            }
        }
        if self.accept.val() & self.opening_r.q.val() {
            self.destination_r.d.next = self.s_axis_tdest.val();
            for v in 0..self.vcs.get() {
                self.vc_r.d[v].next = self.vc_to[v].val();
            }
        }
        // The queues.
        self.wanted.next = false;
        for v in 0..self.vcs.get() {
            self.fetch[v].next = self.headers[v].wants.val() & !self.wanted.val();
            self.wanted.next = self.wanted.val() | self.headers[v].wants.val();
        }
        self.pending.next = false;
        self.any_read.next = false;
        for v in 0..self.vcs.get() {
            self.pending.next = self.pending.val() | self.headers[v].holds.val();
            self.any_read.next = self.any_read.val() | self.read[v].val();
        }
        for v in 0..self.vcs.get() {
            self.queue[v].store.next = self.store.val() & self.vc_r.q[v].val();
            self.queue[v].commit.next = self.commit.val() & self.vc_r.q[v].val();
            self.queue[v].discard.next = self.discard.val() & self.vc_r.q[v].val();
            self.queue[v].beats.next = self.beats_r.q.val();
            self.queue[v].read.next = self.read[v].val();
            self.headers[v].push.next = self.commit.val() & self.vc_r.q[v].val();
            self.headers[v].fetch.next = self.fetch[v].val();
            self.headers[v].fetched.next = self.header_memory.q.val();
            self.headers[v].take.next = self.start[v].val();
            self.waiting[v].next = self.headers[v].valid.val();
            self.header[v].next = self.headers[v].entry.val();
        }
        // The memories; the virtual channel stands above the place in its queue.
        self.write_vc.next = 0.into();
        self.read_vc.next = 0.into();
        self.fetch_vc.next = 0.into();
        self.beat_write.next = 0.into();
        self.beat_read.next = 0.into();
        self.header_write.next = 0.into();
        self.header_read.next = 0.into();
        for v in 0..self.vcs.get() {
            if self.vc_r.q[v].val() {
                self.write_vc.next = v.to_bits();
                self.beat_write.next = self.queue[v].place.val();
                self.header_write.next = self.headers[v].write_pointer.val();
            }
            if self.read[v].val() {
                self.read_vc.next = v.to_bits();
                self.beat_read.next = self.queue[v].read_pointer.val();
            }
            if self.fetch[v].val() {
                self.fetch_vc.next = v.to_bits();
                self.header_read.next = self.headers[v].read_pointer.val();
            }
        }
        self.length.next = self.beats_r.q.val() + 2;
        self.entry.next = bit_cast::<32, 16>(self.destination_r.q.val())
            | (bit_cast::<32, 10>(self.length.val()) << 16)
            | (bit_cast::<32, 6>(self.beat_bytes_r.q.val()) << 26);
        self.header_memory.clk.next = self.clk.val();
        self.header_memory.write.next = self.commit.val();
        self.header_memory.write_data.next = self.entry.val();
        self.header_memory.read.next = self.wanted.val();
        for b in 0..self.place_bits.get() {
            self.header_memory.write_address[b].next = self.header_write.val().get_bit(b);
            self.header_memory.read_address[b].next = self.header_read.val().get_bit(b);
        }
        for b in 0..self.vc_bits.get() {
            self.header_memory.write_address[self.place_bits + b].next = self.write_vc.val().get_bit(b);
            self.header_memory.read_address[self.place_bits + b].next = self.fetch_vc.val().get_bit(b);
        }
        for w in 0..self.words.get() {
            self.beat_memory[w].clk.next = self.clk.val();
            self.beat_memory[w].write.next = self.store.val();
            self.beat_memory[w].write_data.next = self.beat_data_r[w].q.val();
            self.beat_memory[w].read.next = self.any_read.val();
            for b in 0..self.place_bits.get() {
                self.beat_memory[w].write_address[b].next = self.beat_write.val().get_bit(b);
                self.beat_memory[w].read_address[b].next = self.beat_read.val().get_bit(b);
            }
            for b in 0..self.vc_bits.get() {
                self.beat_memory[w].write_address[self.place_bits + b].next = self.write_vc.val().get_bit(b);
                self.beat_memory[w].read_address[self.place_bits + b].next = self.read_vc.val().get_bit(b);
            }
            self.flit[w].next = self.beat_memory[w].q.val();
        }
    }
}
