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
use crate::dff_setup;
use crate::primitives::*;
use crate::routing::vc_rows;
use crate::rtl_signals;
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct InjectionQueues {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    /// The words of a flit.
    pub s_axis_tdata: Vec<Signal<In, Bits<32>>>,
    pub s_axis_tkeep: Vec<Signal<In, Bit>>,
    pub s_axis_tlast: Signal<In, Bit>,
    /// Packed address of the destination.
    pub s_axis_tdest: Signal<In, Bits<16>>,
    /// The packet in the head register of this virtual channel starts, one-hot.
    pub start: Vec<Signal<In, Bit>>,
    /// The oldest beat of this virtual channel is read, one-hot.
    pub read: Vec<Signal<In, Bit>>,
    pub s_axis_tready: Signal<Out, Bit>,
    /// A complete packet is in the head register of this virtual channel.
    pub waiting: Vec<Signal<Out, Bit>>,
    /// Its header: bytes of the last beat less one 31:26, length in flits 25:16, destination 15:0.
    pub header: Vec<Signal<Out, Bits<32>>>,
    /// The beat read in the cycle before.
    pub flit: Vec<Signal<Out, Bits<32>>>,
    /// A complete packet waits that does not start in this cycle.
    pub pending: Signal<Out, Bit>,
    /// The last beat of a packet that is refused: too long, with other bytes kept than allowed, with none kept.
    pub refused_long: Signal<Out, Bit>,
    pub refused_keep: Signal<Out, Bit>,
    pub refused_empty: Signal<Out, Bit>,
    /// The input register: a beat, whether it is its packet's last, whether its bytes are not kept as they should be, whether none is,
    /// and how many are, less one.
    beat_valid_r: Register<Bit>,
    beat_data_r: Vec<Register<Bits<32>>>,
    beat_last_r: Register<Bit>,
    beat_wrong_r: Register<Bit>,
    beat_none_r: Register<Bit>,
    beat_bytes_r: Register<Bits<6>>,
    /// Destination of its packet, and its virtual channel, one-hot.
    destination_r: Register<Bits<16>>,
    vc_r: BitRegister,
    /// The next beat on the stream is the first of its packet.
    opening_r: Register<Bit>,
    /// Beats taken of the packet before the one in the input register.
    beats_r: Register<Bits<10>>,
    /// The packet is refused for its length.
    too_long_r: Register<Bit>,
    /// The packet is refused for its bytes.
    spoilt_r: Register<Bit>,
    queue: Vec<Settled<PacketQueue>>,
    headers: Vec<Settled<HeaderQueue>>,
    /// Beats by virtual channel and place, one memory per word.
    beat_memory: Vec<Memory<Bits<32>>>,
    /// Headers of complete packets, likewise.
    header_memory: Memory<Bits<32>>,
    /// The beat on the stream is taken into the input register.
    accept: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    /// Byte b of the beat on the stream is kept and the one above is not; and the other way round.
    falls: Vec<Signal<Local, Bit>>,
    rises: Vec<Signal<Local, Bit>>,
    hole: Signal<Local, Bit>,
    kept: Signal<Local, Bits<6>>,
    /// The destination's row in the table of virtual channels.
    row: Signal<Local, Bits<16>>,
    /// Virtual channel of the destination on the stream, one-hot.
    vc_to: Vec<Signal<Local, Bit>>,
    /// The queue of the packet's virtual channel is full.
    full: Signal<Local, Bit>,
    excess: Signal<Local, Bit>,
    blank: Signal<Local, Bit>,
    bad: Signal<Local, Bit>,
    refuse: Signal<Local, Bit>,
    given_up: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    store: Signal<Local, Bit>,
    commit: Signal<Local, Bit>,
    discard: Signal<Local, Bit>,
    /// The packet is over; it is too long.
    over: Signal<Local, Bit>,
    oversize: Signal<Local, Bit>,
    /// The header memory is read for this virtual channel, the lowest that wants it.
    fetch: Vec<Signal<Local, Bit>>,
    wanted: Signal<Local, Bit>,
    any_read: Signal<Local, Bit>,
    write_vc: Signal<Local, Bits<3>>,
    read_vc: Signal<Local, Bits<3>>,
    fetch_vc: Signal<Local, Bits<3>>,
    beat_write: Signal<Local, Bits<12>>,
    beat_read: Signal<Local, Bits<12>>,
    header_write: Signal<Local, Bits<12>>,
    header_read: Signal<Local, Bits<12>>,
    length: Signal<Local, Bits<10>>,
    entry: Signal<Local, Bits<32>>,
    /// Beats of the longest packet.
    most_beats: Constant<Bits<10>>,
    /// The bits of a destination that say its row.
    row_mask: Constant<Bits<16>>,
    vcs: Size,
    /// Rows of the table of virtual channels for each of them.
    multiples: Size,
    words: Size,
    bytes: Size,
    place_bits: Size,
    vc_bits: Size,
    info: BlockInfo,
}

impl InjectionQueues {
    /// For a configuration that there are network interfaces for.
    pub fn new(config: &SwitchConfig) -> Self {
        let (vcs, words, depth) = (config.vcs, config.flit_words(), config.vc_depth());
        let (place_bits, vc_bits) = (address_bits(depth), address_bits(vcs));
        build!(InjectionQueues {
            (
                clk, rst, s_axis_tvalid, s_axis_tlast, s_axis_tdest, s_axis_tready, pending, refused_long, refused_keep,
                refused_empty, beat_valid_r, beat_last_r, beat_wrong_r, beat_none_r, beat_bytes_r, destination_r,
                beats_r, too_long_r, spoilt_r, accept, ready, hole, kept, row, full, excess, blank, bad, refuse,
                given_up, take, store, commit, discard, over, oversize, wanted, any_read, write_vc, read_vc, fetch_vc,
                beat_write, beat_read, header_write, header_read, length, entry,
            )
            [words => s_axis_tdata, flit, beat_data_r]
            [4 * words => s_axis_tkeep, falls, rises]
            [vcs => start, read, waiting, header, vc_to, fetch]
            vc_r: BitRegister::new(vec![false; vcs]),
            opening_r: Register::new(true),
            queue: (0..vcs).map(|_| PacketQueue::new(depth).into()).collect(),
            headers: (0..vcs).map(|_| HeaderQueue::new(depth).into()).collect(),
            beat_memory: (0..words).map(|_| Memory::new(vc_bits + place_bits)).collect(),
            header_memory: Memory::new(vc_bits + place_bits),
            most_beats: Constant::new((config.max_packet_flits - 1).to_bits()),
            row_mask: Constant::new((vc_rows(vcs) - 1).to_bits()),
            vcs: vcs.into(),
            multiples: vc_rows(vcs).div_ceil(vcs).into(),
            words: words.into(),
            bytes: (4 * words).into(),
            place_bits: place_bits.into(),
            vc_bits: vc_bits.into(),
            info: BlockInfo::new("injection_queues", include_str!("injection_queues.rs")),
        })
    }
}

impl Logic for InjectionQueues {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            beat_valid_r,
            beat_last_r,
            beat_wrong_r,
            beat_none_r,
            beat_bytes_r,
            destination_r,
            vc_r,
            opening_r,
            beats_r,
            too_long_r,
            spoilt_r
        );
        for w in 0..self.words.get() {
            dff_setup!(self, clk, beat_data_r[w]);
        }
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
            self.queue[v].clk.next = self.clk.val();
            self.queue[v].rst.next = self.rst.val();
            self.queue[v].store.next = self.store.val() & self.vc_r.q[v].val();
            self.queue[v].commit.next = self.commit.val() & self.vc_r.q[v].val();
            self.queue[v].discard.next = self.discard.val() & self.vc_r.q[v].val();
            self.queue[v].beats.next = self.beats_r.q.val();
            self.queue[v].read.next = self.read[v].val();
            self.headers[v].clk.next = self.clk.val();
            self.headers[v].rst.next = self.rst.val();
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

rtl_signals!(
    InjectionQueues,
    clocked,
    inputs(s_axis_tvalid, s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tdest, start, read),
    outputs(
        s_axis_tready,
        waiting,
        header,
        flit,
        pending,
        refused_long,
        refused_keep,
        refused_empty,
    ),
    registers(
        beat_valid_r as "beat_valid",
        beat_data_r as "beat_data",
        beat_last_r as "beat_last",
        beat_wrong_r as "beat_wrong",
        beat_none_r as "beat_none",
        beat_bytes_r as "beat_bytes",
        destination_r as "destination",
        vc_r as "vc",
        opening_r as "opening",
        beats_r as "beats",
        too_long_r as "too_long",
        spoilt_r as "spoilt",
    ),
    children(queue, headers),
);
