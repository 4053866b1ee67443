//! Verifies the packets of `traffic_generator` at the node that they go to, and measures how long they took.
//!
//! Use:      AXI4-Stream from a network interface. `s_axis_tready` falls for a cycle behind each packet, while software asks for the histogram,
//!           and for 32 cycles behind a clear.
//! Errors:   counted by kind, once a packet: source, order, content, length, bytes that are not there.
//! Latency:  of a packet, from the first beat offered to the last one taken; least, largest, sum, and a histogram with a bin for each number
//!           of bits, in a memory.
//! Range:    2 to 60 nodes, beats of 2 words and more, packets of up to 1023 beats.
//! Reset:    counters at 0, the first packet of every source expected.
//! Source:   docs/microarchitecture/demonstrator.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Config;
use powar_config::registers::demonstrator::{BINS, Site};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct TrafficChecker {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// This node.
    pub node: Signal<In, Bits<6>>,
    /// Counters go to 0; the time.
    pub clear: Signal<In, Bit>,
    pub cycles: Signal<In, Bits<32>>,
    /// Packets of one source come in order. Not there where they do at all nodes.
    pub ordered: Vec<Signal<In, Bit>>,
    /// A word of this block is asked for, by its number in the node, until `read_done`.
    pub read: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<6>>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tdata: Vec<Signal<In, Bits<32>>>,
    pub s_axis_tkeep: Vec<Signal<In, Bit>>,
    pub s_axis_tlast: Signal<In, Bit>,
    /// The node that sent the packet, as its network interface said.
    pub s_axis_tid: Signal<In, Bits<16>>,
    pub s_axis_tready: Signal<Out, Bit>,
    /// The word, for one cycle; 0 otherwise.
    pub read_done: Signal<Out, Bit>,
    pub read_data: Signal<Out, Bits<32>>,
    packets_r: Register<Bits<32>>,
    flits_r: Register<Bits<32>>,
    source_errors_r: Register<Bits<32>>,
    sequence_errors_r: Register<Bits<32>>,
    content_errors_r: Register<Bits<32>>,
    length_errors_r: Register<Bits<32>>,
    keep_errors_r: Register<Bits<32>>,
    latency_min_r: Register<Bits<32>>,
    latency_max_r: Register<Bits<32>>,
    latency_sum_r: Register<Bits<64>>,
    /// The next beat is not the first of its packet.
    middle_r: Register<Bit>,
    /// Of the packet under way: what its word 0 says, when it was sent.
    source_r: Register<Bits<6>>,
    length_r: Register<Bits<10>>,
    sent_at_r: Register<Bits<32>>,
    /// Beats of it that have come; what was wrong in them.
    beats_r: Register<Bits<10>>,
    wrong_content_r: Register<Bit>,
    wrong_keep_r: Register<Bit>,
    /// The LFSR at the next beat.
    content_r: Register<Bits<32>>,
    /// The next packet of each source.
    expected_r: Vec<Register<Bits<16>>>,
    /// Latency of the packet that ended in the cycle before; there was one.
    latency_r: Register<Bits<32>>,
    record_r: Register<Bit>,
    /// The bin that was read in the cycle before; it is to be written.
    bin_r: Register<Bits<5>>,
    adding_r: Register<Bit>,
    /// Bins that have been set to 0; 32: all.
    sweep_r: Register<Bits<6>>,
    /// A bin was read for software in the cycle before.
    asking_r: Register<Bit>,
    /// The word for software; it is there.
    answer_r: Register<Bits<32>>,
    answered_r: Register<Bit>,
    histogram: Memory<Bits<32>>,
    sweeping: Signal<Local, Bit>,
    /// Software asks for a word of the histogram; for another.
    ask_histogram: Signal<Local, Bit>,
    ask_other: Signal<Local, Bit>,
    /// The histogram is read for it in this cycle.
    ask: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    first: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    /// Word 0 of the packet under way, as far as it is needed, and when it was sent.
    source: Signal<Local, Bits<6>>,
    length: Signal<Local, Bits<10>>,
    at: Signal<Local, Bits<32>>,
    /// Beats with this one.
    count: Signal<Local, Bits<10>>,
    first_content: Signal<Local, Bits<32>>,
    /// The LFSR at the beat, after so many steps.
    step: Vec<Signal<Local, Bits<32>>>,
    /// A content word of this beat is wrong; one of the packet so far.
    bad: Signal<Local, Bit>,
    any_bad: Signal<Local, Bit>,
    /// The same of bytes that are not there.
    kept: Signal<Local, Bit>,
    any_lost: Signal<Local, Bit>,
    /// The source is a node.
    known: Signal<Local, Bit>,
    wrong_source: Signal<Local, Bit>,
    expected_now: Signal<Local, Bits<16>>,
    sequence_error: Signal<Local, Bit>,
    /// The bin of the latency, and its highest bit.
    index: Signal<Local, Bits<5>>,
    highest: Signal<Local, Bits<5>>,
    read_bin: Signal<Local, Bits<5>>,
    write_bin: Signal<Local, Bits<5>>,
    write_word: Signal<Local, Bits<32>>,
    word: Signal<Local, Bits<32>>,
    polynomial: Constant<Bits<32>>,
    below_source: Constant<Bits<32>>,
    /// The least latency of no packet.
    no_latency: Constant<Bits<32>>,
    all_bins: Constant<Bits<6>>,
    last_node: Constant<Bits<6>>,
    /// Bits of a latency with a bin of their own, the lowest ones.
    binned_bits: Size,
    bin_bits: Size,
    sees_order: Size,
    n: Size,
    words: Size,
    bytes: Size,
    info: BlockInfo,
}

impl TrafficChecker {
    /// For a checked configuration with a demonstrator.
    pub fn new(config: &Config) -> Self {
        let (n, words) = (config.ports, config.switch.flit_words());
        let sees_order = usize::from(!Site::of_block(config).is_plain());
        build!(TrafficChecker {
            (
                clk, rst, node, clear, cycles, read, read_address, s_axis_tvalid, s_axis_tlast, s_axis_tid, s_axis_tready, read_done,
                read_data, packets_r, flits_r, source_errors_r, sequence_errors_r, content_errors_r, length_errors_r,
                keep_errors_r, latency_max_r, latency_sum_r, middle_r, source_r, length_r, sent_at_r, beats_r, wrong_content_r,
                wrong_keep_r, content_r, latency_r, record_r, bin_r, adding_r, sweep_r, asking_r, answer_r, answered_r, sweeping,
                ask_histogram, ask_other, ask, taken, first, ends, source, length, at, count, first_content, bad, any_bad, kept,
                any_lost, known, wrong_source, expected_now, sequence_error, index, highest, read_bin, write_bin, write_word, word,
            )
            [words => s_axis_tdata]
            [4 * words => s_axis_tkeep]
            [n => expected_r]
            [words + 1 => step]
            [sees_order => ordered]
            sees_order: sees_order.into(),
            latency_min_r: Register::new(u32::MAX.to_bits()),
            histogram: Memory::new(BINS.ilog2() as usize),
            polynomial: Constant::new(0x8020_0003u32.to_bits()),
            below_source: Constant::new(0x03ff_ffffu32.to_bits()),
            no_latency: Constant::new(u32::MAX.to_bits()),
            all_bins: Constant::new(BINS.to_bits()),
            last_node: Constant::new((n - 1).to_bits()),
            binned_bits: (BINS - 1).into(),
            bin_bits: (BINS.ilog2() as usize).into(),
            n: n.into(),
            words: words.into(),
            bytes: (4 * words).into(),
            info: BlockInfo::new("traffic_checker", include_str!("traffic_checker.rs")),
        })
    }
}

impl Logic for TrafficChecker {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            packets_r,
            flits_r,
            source_errors_r,
            sequence_errors_r,
            content_errors_r,
            length_errors_r,
            keep_errors_r,
            latency_min_r,
            latency_max_r,
            latency_sum_r,
            middle_r,
            source_r,
            length_r,
            sent_at_r,
            beats_r,
            wrong_content_r,
            wrong_keep_r,
            content_r,
            latency_r,
            record_r,
            bin_r,
            adding_r,
            sweep_r,
            asking_r,
            answer_r,
            answered_r
        );
        self.sweeping.next = self.sweep_r.q.val() < self.all_bins.val();
        self.ask_histogram.next = self.read.val() & self.read_address.val().get_bit(5);
        self.s_axis_tready.next = !self.record_r.q.val() & !self.sweeping.val() & !self.ask_histogram.val();
        // The beat.
        self.taken.next = self.s_axis_tvalid.val() & self.s_axis_tready.val();
        self.first.next = !self.middle_r.q.val();
        self.ends.next = self.taken.val() & self.s_axis_tlast.val();
        self.first_content.next =
            self.s_axis_tdata[0].val() ^ (bit_cast::<32, 6>(self.node.val()) << 26) ^ self.below_source.val();
        if !self.first_content.val().any() {
            self.first_content.next = 1.into();
        }
        if self.first.val() {
            self.source.next = self.s_axis_tdata[0].val().get_bits::<6>(26);
            self.length.next = self.s_axis_tdata[0].val().get_bits::<10>(16);
            self.at.next = self.s_axis_tdata[1].val();
            self.count.next = 1.into();
            self.step[0].next = self.first_content.val();
        } else {
            self.source.next = self.source_r.q.val();
            self.length.next = self.length_r.q.val();
            self.at.next = self.sent_at_r.q.val();
            self.count.next = self.beats_r.q.val() + 1;
            self.step[0].next = self.content_r.q.val();
        }
        for w in 0..self.words.get() {
            self.step[w + 1].next = self.step[w].val() >> 1;
            if self.step[w].val().get_bit(0) {
                self.step[w + 1].next = (self.step[w].val() >> 1) ^ self.polynomial.val();
            }
        }
        // Words 0 and 1 of the packet are no content.
        self.bad.next = false;
        for w in 0..self.words.get() {
            self.bad.next =
                self.bad.val() | ((self.s_axis_tdata[w].val() != self.step[w].val()) & ((w >= 2) | !self.first.val()));
        }
        self.kept.next = true;
        for b in 0..self.bytes.get() {
            self.kept.next = self.kept.val() & self.s_axis_tkeep[b].val();
        }
        self.any_bad.next = self.bad.val() | (self.wrong_content_r.q.val() & !self.first.val());
        self.any_lost.next = !self.kept.val() | (self.wrong_keep_r.q.val() & !self.first.val());
        if self.taken.val() {
            self.middle_r.d.next = !self.s_axis_tlast.val();
            self.source_r.d.next = self.source.val();
            self.length_r.d.next = self.length.val();
            self.sent_at_r.d.next = self.at.val();
            self.beats_r.d.next = self.count.val();
            self.content_r.d.next = self.step[self.words + 0].val();
            self.wrong_content_r.d.next = self.any_bad.val();
            self.wrong_keep_r.d.next = self.any_lost.val();
        }
        // Source and order.
        self.known.next = self.source.val() <= self.last_node.val();
        self.wrong_source.next = !self.known.val() | (bit_cast::<16, 6>(self.source.val()) != self.s_axis_tid.val());
        self.expected_now.next = 0.into();
        for s in 0..self.n.get() {
            dff_setup!(self, clk, expected_r[s]);
            if self.source.val() == s.to_bits() {
                self.expected_now.next = self.expected_r[s].q.val();
                if self.taken.val() & self.first.val() & !self.wrong_source.val() {
                    self.expected_r[s].d.next = self.s_axis_tdata[0].val().get_bits::<16>(0) + 1;
                }
            }
        }
        self.sequence_error.next = self.taken.val()
            & self.first.val()
            & !self.wrong_source.val()
            & (self.s_axis_tdata[0].val().get_bits::<16>(0) != self.expected_now.val());
        for o in 0..self.sees_order.get() {
            self.sequence_error.next = self.sequence_error.val() & self.ordered[o].val();
        }
        // Counters.
        self.packets_r.d.next = self.packets_r.q.val() + self.ends.val();
        if self.taken.val() {
            self.flits_r.d.next = self.flits_r.q.val() + 1;
            if self.first.val() {
                self.flits_r.d.next = self.flits_r.q.val() + 2;
            }
        }
        self.source_errors_r.d.next = self.source_errors_r.q.val() + (self.ends.val() & self.wrong_source.val());
        self.sequence_errors_r.d.next = self.sequence_errors_r.q.val() + self.sequence_error.val();
        self.content_errors_r.d.next = self.content_errors_r.q.val() + (self.ends.val() & self.any_bad.val());
        self.length_errors_r.d.next =
            self.length_errors_r.q.val() + (self.ends.val() & (self.count.val() != self.length.val()));
        self.keep_errors_r.d.next = self.keep_errors_r.q.val() + (self.ends.val() & self.any_lost.val());
        // Latency.
        self.record_r.d.next = self.ends.val();
        if self.ends.val() {
            self.latency_r.d.next = self.cycles.val() - self.at.val();
        }
        if self.record_r.q.val() {
            if self.latency_r.q.val() < self.latency_min_r.q.val() {
                self.latency_min_r.d.next = self.latency_r.q.val();
            }
            if self.latency_r.q.val() > self.latency_max_r.q.val() {
                self.latency_max_r.d.next = self.latency_r.q.val();
            }
            self.latency_sum_r.d.next = self.latency_sum_r.q.val() + bit_cast::<64, 32>(self.latency_r.q.val());
        }
        if self.clear.val() {
            self.packets_r.d.next = 0.into();
            self.flits_r.d.next = 0.into();
            self.source_errors_r.d.next = 0.into();
            self.sequence_errors_r.d.next = 0.into();
            self.content_errors_r.d.next = 0.into();
            self.length_errors_r.d.next = 0.into();
            self.keep_errors_r.d.next = 0.into();
            self.latency_min_r.d.next = self.no_latency.val();
            self.latency_max_r.d.next = 0.into();
            self.latency_sum_r.d.next = 0.into();
        }
        // The histogram.
        self.index.next = 0.into();
        self.highest.next = 0.into();
        for b in 0..self.binned_bits.get() {
            if self.latency_r.q.val().get_bit(b) {
                self.highest.next = b.to_bits();
            }
        }
        if self.latency_r.q.val().get_bit(31) {
            self.index.next = 31.into();
        } else if self.latency_r.q.val().any() {
            self.index.next = self.highest.val() + 1;
        }
        self.ask.next = self.ask_histogram.val()
            & !self.record_r.q.val()
            & !self.adding_r.q.val()
            & !self.sweeping.val()
            & !self.asking_r.q.val()
            & !self.answered_r.q.val();
        if self.record_r.q.val() {
            self.bin_r.d.next = self.index.val();
            self.read_bin.next = self.index.val();
        } else {
            self.read_bin.next = self.read_address.val().get_bits::<5>(0);
        }
        self.adding_r.d.next = self.record_r.q.val() & !self.clear.val();
        if self.sweeping.val() {
            self.write_bin.next = self.sweep_r.q.val().get_bits::<5>(0);
            self.write_word.next = 0.into();
            self.sweep_r.d.next = self.sweep_r.q.val() + 1;
        } else {
            self.write_bin.next = self.bin_r.q.val();
            self.write_word.next = self.histogram.q.val() + 1;
        }
        if self.clear.val() {
            self.sweep_r.d.next = 0.into();
        }
        self.histogram.clk.next = self.clk.val();
        self.histogram.read.next = self.record_r.q.val() | self.ask.val();
        self.histogram.write.next = self.sweeping.val() | self.adding_r.q.val();
        self.histogram.write_data.next = self.write_word.val();
        for b in 0..self.bin_bits.get() {
            self.histogram.read_address[b].next = self.read_bin.val().get_bit(b);
            self.histogram.write_address[b].next = self.write_bin.val().get_bit(b);
        }
        // Words for software.
        match self.read_address.val().index() {
            16 => self.word.next = self.packets_r.q.val(),
            17 => self.word.next = self.flits_r.q.val(),
            18 => self.word.next = self.source_errors_r.q.val(),
            19 => self.word.next = self.sequence_errors_r.q.val(),
            20 => self.word.next = self.content_errors_r.q.val(),
            21 => self.word.next = self.length_errors_r.q.val(),
            22 => self.word.next = self.keep_errors_r.q.val(),
            23 => self.word.next = self.latency_min_r.q.val(),
            24 => self.word.next = self.latency_max_r.q.val(),
            25 => self.word.next = self.latency_sum_r.q.val().get_bits::<32>(0),
            26 => self.word.next = self.latency_sum_r.q.val().get_bits::<32>(32),
            _ => self.word.next = 0.into(),
        }
        self.ask_other.next = self.read.val() & !self.read_address.val().get_bit(5) & !self.answered_r.q.val();
        self.asking_r.d.next = self.ask.val();
        self.answered_r.d.next = self.asking_r.q.val() | self.ask_other.val();
        self.answer_r.d.next = 0.into();
        if self.asking_r.q.val() {
            self.answer_r.d.next = self.histogram.q.val();
        } else if self.ask_other.val() {
            self.answer_r.d.next = self.word.val();
        }
        self.read_done.next = self.answered_r.q.val();
        self.read_data.next = self.answer_r.q.val();
    }
}

rtl_signals!(
    TrafficChecker,
    clocked,
    inputs(
        node,
        clear,
        cycles, ordered,
        read,
        read_address,
        s_axis_tvalid,
        s_axis_tdata,
        s_axis_tkeep,
        s_axis_tlast,
        s_axis_tid,
    ),
    outputs(s_axis_tready, read_done, read_data),
    registers(
        packets_r as "packets",
        flits_r as "flits",
        source_errors_r as "source_errors",
        sequence_errors_r as "sequence_errors",
        content_errors_r as "content_errors",
        length_errors_r as "length_errors",
        keep_errors_r as "keep_errors",
        latency_min_r as "latency_min",
        latency_max_r as "latency_max",
        latency_sum_r as "latency_sum",
        middle_r as "middle",
        source_r as "source",
        length_r as "length",
        sent_at_r as "sent_at",
        beats_r as "beats",
        wrong_content_r as "wrong_content",
        wrong_keep_r as "wrong_keep",
        content_r as "content",
        expected_r as "expected",
        latency_r as "latency",
        record_r as "record",
        bin_r as "bin",
        adding_r as "adding",
        sweep_r as "sweep",
        asking_r as "asking",
        answer_r as "answer",
        answered_r as "answered",
    ),
    children(),
);
