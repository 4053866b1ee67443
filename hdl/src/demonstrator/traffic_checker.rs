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

use crate::primitives::*;
use crate::{block, dff_setup};
use powar_config::Config;
use powar_config::registers::demonstrator::{BINS, Site};
use rust_hdl::prelude::*;

block! {
    pub struct TrafficChecker("traffic_checker", include_str!("traffic_checker.rs"), clocked)
    /// For a checked configuration with a demonstrator.
    pub fn new(config: &Config) -> Self {
        let (n, words) = (config.ports, config.switch.flit_words());
        let sees_order = usize::from(!Site::of_block(config).is_plain());
    }
    inputs {
        /// This node.
        node: Bits<6>,
        /// Counters go to 0; the time.
        clear: Bit,
        cycles: Bits<32>,
        /// Packets of one source come in order. Not there where they do at all nodes.
        ordered[sees_order]: Bit,
        /// A word of this block is asked for, by its number in the node, until `read_done`.
        read: Bit,
        read_address: Bits<6>,
        s_axis_tvalid: Bit,
        s_axis_tdata[words]: Bits<32>,
        s_axis_tkeep[4 * words]: Bit,
        s_axis_tlast: Bit,
        /// The node that sent the packet, as its network interface said.
        s_axis_tid: Bits<16>,
    }
    outputs {
        s_axis_tready: Bit,
        /// The word, for one cycle; 0 otherwise.
        read_done: Bit,
        read_data: Bits<32>,
    }
    registers {
        packets_r: Bits<32>,
        flits_r: Bits<32>,
        source_errors_r: Bits<32>,
        sequence_errors_r: Bits<32>,
        content_errors_r: Bits<32>,
        length_errors_r: Bits<32>,
        keep_errors_r: Bits<32>,
        latency_min_r: Bits<32> = u32::MAX.to_bits(),
        latency_max_r: Bits<32>,
        latency_sum_r: Bits<64>,
        /// The next beat is not the first of its packet.
        middle_r: Bit,
        /// Of the packet under way: what its word 0 says, when it was sent.
        source_r: Bits<6>,
        length_r: Bits<10>,
        sent_at_r: Bits<32>,
        /// Beats of it that have come; what was wrong in them.
        beats_r: Bits<10>,
        wrong_content_r: Bit,
        wrong_keep_r: Bit,
        /// The LFSR at the next beat.
        content_r: Bits<32>,
        /// The next packet of each source.
        expected_r[n]: Bits<16>,
        /// Latency of the packet that ended in the cycle before; there was one.
        latency_r: Bits<32>,
        record_r: Bit,
        /// The bin that was read in the cycle before; it is to be written.
        bin_r: Bits<5>,
        adding_r: Bit,
        /// Bins that have been set to 0; 32: all.
        sweep_r: Bits<6>,
        /// A bin was read for software in the cycle before.
        asking_r: Bit,
        /// The word for software; it is there.
        answer_r: Bits<32>,
        answered_r: Bit,
    }
    others { histogram: Memory<Bits<32>> = Memory::new(BINS.ilog2() as usize) }
    locals {
        sweeping: Bit,
        /// Software asks for a word of the histogram; for another.
        ask_histogram: Bit,
        ask_other: Bit,
        /// The histogram is read for it in this cycle.
        ask: Bit,
        taken: Bit,
        first: Bit,
        ends: Bit,
        /// Word 0 of the packet under way, as far as it is needed, and when it was sent.
        source: Bits<6>,
        length: Bits<10>,
        at: Bits<32>,
        /// Beats with this one.
        count: Bits<10>,
        first_content: Bits<32>,
        /// The LFSR at the beat, after so many steps.
        step[words + 1]: Bits<32>,
        /// A content word of this beat is wrong; one of the packet so far.
        bad: Bit,
        any_bad: Bit,
        /// The same of bytes that are not there.
        kept: Bit,
        any_lost: Bit,
        /// The source is a node.
        known: Bit,
        wrong_source: Bit,
        expected_now: Bits<16>,
        sequence_error: Bit,
        /// The bin of the latency, and its highest bit.
        index: Bits<5>,
        highest: Bits<5>,
        read_bin: Bits<5>,
        write_bin: Bits<5>,
        write_word: Bits<32>,
        word: Bits<32>,
    }
    constants {
        polynomial: Bits<32> = 0x8020_0003u32.to_bits(),
        below_source: Bits<32> = 0x03ff_ffffu32.to_bits(),
        /// The least latency of no packet.
        no_latency: Bits<32> = u32::MAX.to_bits(),
        all_bins: Bits<6> = BINS.to_bits(),
        last_node: Bits<6> = (n - 1).to_bits(),
    }
    sizes {
        /// Bits of a latency with a bin of their own, the lowest ones.
        binned_bits = BINS - 1,
        bin_bits = BINS.ilog2() as usize,
        sees_order = sees_order,
        n = n,
        words = words,
        bytes = 4 * words,
    }
}

impl Logic for TrafficChecker {
    #[hdl_gen]
    fn update(&mut self) {
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
