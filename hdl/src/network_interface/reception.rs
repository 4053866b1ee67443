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
use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Reception {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A flit is on the link.
    pub in_valid: Signal<In, Bit>,
    /// It is the head flit of its packet.
    pub in_head: Signal<In, Bit>,
    pub in_vc: Signal<In, Bits<3>>,
    /// Its words; of a head flit the length in word 0 25:16, source and bytes of the last beat less one in word 1 15:0 and 21:16.
    pub in_flit: Vec<Signal<In, Bits<32>>>,
    pub m_axis_tready: Signal<In, Bit>,
    pub m_axis_tvalid: Signal<Out, Bit>,
    /// The words of a flit.
    pub m_axis_tdata: Vec<Signal<Out, Bits<32>>>,
    pub m_axis_tkeep: Vec<Signal<Out, Bit>>,
    pub m_axis_tlast: Signal<Out, Bit>,
    /// Packed address of the source.
    pub m_axis_tid: Signal<Out, Bits<16>>,
    /// With `m_axis_tlast`: a flit of the packet came with a wrong head mark.
    pub m_axis_tuser: Signal<Out, Bit>,
    /// A flit was read in the cycle before: its credit, and its virtual channel.
    pub in_credit_valid: Signal<Out, Bit>,
    pub in_credit_vc: Signal<Out, Bits<3>>,
    /// The last flit of a packet is read.
    pub received_packet: Signal<Out, Bit>,
    /// A flit is read, also one that is dropped.
    pub received_flit: Signal<Out, Bit>,
    /// The flit on the link has a wrong head mark, a wrong length or an unknown virtual channel.
    pub framing_error: Signal<Out, Bit>,
    /// The flit on the link finds its buffer full and is lost.
    pub overflow_error: Signal<Out, Bit>,
    m_axis_tvalid_r: Register<Bit>,
    m_axis_tlast_r: Register<Bit>,
    in_credit_valid_r: Register<Bit>,
    in_credit_vc_r: Register<Bits<3>>,
    /// Flits of the packet on the link that are still to come, by virtual channel.
    arriving_r: Vec<Register<Bits<10>>>,
    /// Complete packets that have not started, by virtual channel.
    whole_r: Vec<Register<Bits<13>>>,
    /// There are some.
    complete_r: BitRegister,
    /// Virtual channel of the packet that is read, one-hot, and flits of it that are still to be read.
    reading_r: BitRegister,
    remaining_r: Register<Bits<10>>,
    /// There are none.
    idle_r: Register<Bit>,
    /// Round robin among virtual channels, one-hot.
    pointer_r: BitRegister,
    /// Of the packet that is read: where it comes from, bytes of its last beat less one.
    source_r: Register<Bits<16>>,
    last_bytes_r: Register<Bits<6>>,
    /// A beat of it that has left was marked.
    damaged_r: Register<Bit>,
    flits: Vec<Settled<VcQueue>>,
    headers: Vec<Settled<HeaderQueue>>,
    starter: Settled<RoundRobinArbiter>,
    /// Word 0 of the flits by virtual channel and place, and above it the mark of a wrong head mark.
    first_memory: Memory<Bits<33>>,
    /// The other words, one memory each.
    flit_memory: Vec<Memory<Bits<32>>>,
    /// Headers of packets, likewise.
    header_memory: Memory<Bits<32>>,
    arrive: Vec<Signal<Local, Bit>>,
    store: Vec<Signal<Local, Bit>>,
    starts: Vec<Signal<Local, Bit>>,
    ends: Vec<Signal<Local, Bit>>,
    any_arrive: Signal<Local, Bit>,
    any_store: Signal<Local, Bit>,
    any_starts: Signal<Local, Bit>,
    sound: Signal<Local, Bit>,
    mark: Signal<Local, Bit>,
    /// Length of the packet that starts on the link; 0 if it is to be dropped.
    length: Signal<Local, Bits<10>>,
    entry: Signal<Local, Bits<32>>,
    marked_word: Signal<Local, Bits<33>>,
    go: Signal<Local, Bit>,
    idle: Signal<Local, Bit>,
    start: Vec<Signal<Local, Bit>>,
    read: Vec<Signal<Local, Bit>>,
    any_start: Signal<Local, Bit>,
    any_read: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<32>>,
    /// Flits behind the head flit of the oldest packet, by virtual channel, and whether there are none; of the packet that starts.
    left: Vec<Signal<Local, Bits<10>>>,
    lone: Vec<Signal<Local, Bit>>,
    left_of_chosen: Signal<Local, Bits<10>>,
    lone_chosen: Signal<Local, Bit>,
    read_vc: Signal<Local, Bits<3>>,
    fetch_vc: Signal<Local, Bits<3>>,
    /// The header memory is read for this virtual channel, the lowest that wants it.
    fetch: Vec<Signal<Local, Bit>>,
    wanted: Signal<Local, Bit>,
    flit_write: Signal<Local, Bits<12>>,
    flit_read: Signal<Local, Bits<12>>,
    header_write: Signal<Local, Bits<12>>,
    header_read: Signal<Local, Bits<12>>,
    /// Addresses: the virtual channel above the place in its queue.
    flit_to: Vec<Signal<Local, Bit>>,
    flit_from: Vec<Signal<Local, Bit>>,
    depth: Constant<Bits<13>>,
    least_length: Constant<Bits<10>>,
    most_length: Constant<Bits<10>>,
    mark_bit: Constant<Bits<33>>,
    vcs: Size,
    words: Size,
    bytes: Size,
    place_bits: Size,
    vc_bits: Size,
    address_bits: Size,
    info: BlockInfo,
}

impl Reception {
    /// For a configuration that there are network interfaces for.
    pub fn new(config: &SwitchConfig) -> Self {
        let (vcs, words, depth) = (config.vcs, config.flit_words(), config.vc_depth());
        let (place_bits, vc_bits) = (address_bits(depth), address_bits(vcs));
        build!(Reception {
            (
                clk, rst, in_valid, in_head, in_vc, m_axis_tready, m_axis_tvalid, m_axis_tlast, m_axis_tid,
                m_axis_tuser, in_credit_valid, in_credit_vc, received_packet, received_flit, framing_error,
                overflow_error, m_axis_tvalid_r, m_axis_tlast_r, in_credit_valid_r, in_credit_vc_r, remaining_r,
                source_r, last_bytes_r, damaged_r, any_arrive, any_store, any_starts, sound, mark, length, entry,
                marked_word, go, idle, any_start, any_read, chosen, left_of_chosen, lone_chosen, read_vc, fetch_vc, wanted, flit_write, flit_read,
                header_write, header_read,
            )
            [words => in_flit, m_axis_tdata]
            [4 * words => m_axis_tkeep]
            [vcs => arriving_r, whole_r, arrive, store, starts, ends, start, read, fetch, left, lone]
            [vc_bits + place_bits => flit_to, flit_from]
            complete_r: BitRegister::new(vec![false; vcs]),
            reading_r: BitRegister::new(vec![false; vcs]),
            idle_r: Register::new(true),
            pointer_r: one_hot_register(vcs),
            flits: (0..vcs).map(|_| VcQueue::new(depth).into()).collect(),
            headers: (0..vcs).map(|_| HeaderQueue::new(depth).into()).collect(),
            starter: RoundRobinArbiter::new(vcs).into(),
            first_memory: Memory::new(vc_bits + place_bits),
            flit_memory: (1..words).map(|_| Memory::new(vc_bits + place_bits)).collect(),
            header_memory: Memory::new(vc_bits + place_bits),
            depth: Constant::new(depth.to_bits()),
            least_length: Constant::new(2.into()),
            most_length: Constant::new(config.max_packet_flits.to_bits()),
            mark_bit: Constant::new((1_usize << 32).to_bits()),
            vcs: vcs.into(),
            words: words.into(),
            bytes: (4 * words).into(),
            place_bits: place_bits.into(),
            vc_bits: vc_bits.into(),
            address_bits: (vc_bits + place_bits).into(),
            info: BlockInfo::new("reception", include_str!("reception.rs")),
        })
    }
}

impl Logic for Reception {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            m_axis_tvalid_r,
            m_axis_tlast_r,
            in_credit_valid_r,
            in_credit_vc_r,
            complete_r,
            reading_r,
            remaining_r,
            idle_r,
            pointer_r,
            source_r,
            last_bytes_r,
            damaged_r
        );
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
            self.store[v].next = self.arrive[v].val() & (self.flits[v].count.val() != self.depth.val());
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
            dff_setup!(self, clk, arriving_r[v], whole_r[v]);
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
            self.flits[v].clk.next = self.clk.val();
            self.flits[v].rst.next = self.rst.val();
            self.flits[v].push.next = self.store[v].val();
            self.flits[v].pop.next = self.read[v].val();
            self.headers[v].clk.next = self.clk.val();
            self.headers[v].rst.next = self.rst.val();
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

rtl_signals!(
    Reception,
    clocked,
    inputs(in_valid, in_head, in_vc, in_flit, m_axis_tready),
    outputs(
        m_axis_tvalid,
        m_axis_tdata,
        m_axis_tkeep,
        m_axis_tlast,
        m_axis_tid,
        m_axis_tuser,
        in_credit_valid,
        in_credit_vc,
        received_packet,
        received_flit,
        framing_error,
        overflow_error,
    ),
    registers(
        m_axis_tvalid_r as "m_axis_tvalid",
        m_axis_tlast_r as "m_axis_tlast",
        in_credit_valid_r as "in_credit_valid",
        in_credit_vc_r as "in_credit_vc",
        arriving_r as "arriving",
        whole_r as "whole",
        complete_r as "complete",
        reading_r as "reading",
        remaining_r as "remaining",
        idle_r as "idle",
        pointer_r as "pointer",
        source_r as "source",
        last_bytes_r as "last_bytes",
        damaged_r as "damaged",
    ),
    children(flits, headers),
);
