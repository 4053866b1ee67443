//! `traffic_checker`: verifies the packets that come to a node, and measures how long they took.

use super::packet::{Beat, all_kept, content_after, content_start, parts_of_word0};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::buffers::memory::Memory;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::demonstrator::{BINS, HISTOGRAM, Site};
use powar_config::signal::{count, data, flag, number, port_number};
use powar_config::{Config, Habit, Meaning, SignalSpec};

/// The checker; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrafficChecker {
    nodes: usize,
    /// It is told whether packets come in order.
    sees_order: bool,
    words: usize,
    histogram: Memory,
    pub packets: u32,
    pub flits: u32,
    pub source_errors: u32,
    pub sequence_errors: u32,
    pub content_errors: u32,
    pub length_errors: u32,
    pub keep_errors: u32,
    pub latency_min: u32,
    pub latency_max: u32,
    pub latency_sum: u64,
    pub middle: bool,
    pub source: u8,
    pub length: u16,
    pub sent_at: u32,
    pub beats: u16,
    pub wrong_content: bool,
    pub wrong_keep: bool,
    pub content: u32,
    /// The next packet of each source.
    pub expected: Vec<u16>,
    pub latency: u32,
    pub record: bool,
    pub bin: u8,
    pub adding: bool,
    pub sweep: u8,
    pub asking: bool,
    pub answer: u32,
    pub answered: bool,
}

inputs! {
    /// What a cycle brings.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct CheckerInputs of block: &TrafficChecker {
        /// What is in the content of packets that may come here.
        pub node: u8 = port_number("node"),
        pub clear: bool = flag("clear").habit(Habit::Rare),
        pub cycles: u32 = data("cycles"),
        /// They come in order. The block is told where that is not so of all of them.
        pub ordered: bool = flag("ordered").only_if(block.sees_order),
        /// A word that is asked for, by its number in the node.
        pub read: Option<u8> = (flag("read").habit(Habit::Tide), SignalSpec::new("read_address", 6, Meaning::Data)),
        // Random packets are drawn as a whole by who drives the block.
        pub beat: Option<Beat> = (flag("s_axis_tvalid").habit(Habit::Tide), block.words),
    }
}

impl TrafficChecker {
    /// For a configuration with a demonstrator, after reset; the histogram is empty.
    pub fn new(config: &Config) -> Self {
        let sees_order = !Site::of_block(config).is_plain();
        Self::after_reset(config.ports, sees_order, config.switch.flit_words(), Memory::new(BINS))
    }

    fn after_reset(nodes: usize, sees_order: bool, words: usize, histogram: Memory) -> Self {
        TrafficChecker {
            nodes,
            sees_order,
            words,
            histogram,
            packets: 0,
            flits: 0,
            source_errors: 0,
            sequence_errors: 0,
            content_errors: 0,
            length_errors: 0,
            keep_errors: 0,
            latency_min: u32::MAX,
            latency_max: 0,
            latency_sum: 0,
            middle: false,
            source: 0,
            length: 0,
            sent_at: 0,
            beats: 0,
            wrong_content: false,
            wrong_keep: false,
            content: 0,
            expected: vec![0; nodes],
            latency: 0,
            record: false,
            bin: 0,
            adding: false,
            sweep: 0,
            asking: false,
            answer: 0,
            answered: false,
        }
    }

    /// The edge with `rst`: memories know none, and are clocked all the same.
    pub fn reset(&mut self, inputs: &CheckerInputs) {
        self.clock_histogram(inputs);
        *self = Self::after_reset(self.nodes, self.sees_order, self.words, self.histogram.clone());
    }

    fn sweeping(&self) -> bool {
        usize::from(self.sweep) < BINS
    }

    fn asks_histogram(inputs: &CheckerInputs) -> bool {
        inputs.read.is_some_and(|place| usize::from(place) >= HISTOGRAM)
    }

    /// `s_axis_tready`.
    pub fn tready(&self, inputs: &CheckerInputs) -> bool {
        !self.record && !self.sweeping() && !Self::asks_histogram(inputs)
    }

    /// The word for software: `read_done` and `read_data`.
    pub fn answer(&self) -> Option<u32> {
        self.answered.then_some(self.answer)
    }

    fn index(&self) -> u8 {
        ((32 - self.latency.leading_zeros()) as usize).min(BINS - 1) as u8
    }

    /// The histogram is read for software.
    fn ask(&self, inputs: &CheckerInputs) -> bool {
        let idle = !self.record && !self.adding && !self.sweeping();
        Self::asks_histogram(inputs) && idle && !self.asking && !self.answered
    }

    fn clock_histogram(&mut self, inputs: &CheckerInputs) {
        let asked = inputs.read.filter(|_| self.ask(inputs)).map(|place| usize::from(place) % BINS);
        let read = if self.record { Some(self.index().into()) } else { asked };
        let write = if self.sweeping() {
            Some((self.sweep.into(), 0))
        } else {
            self.adding.then_some((self.bin.into(), (self.histogram.output + 1) & u64::from(u32::MAX)))
        };
        self.histogram.clock(read, write);
    }

    fn word(&self, place: u8) -> u32 {
        match place {
            16 => self.packets,
            17 => self.flits,
            18 => self.source_errors,
            19 => self.sequence_errors,
            20 => self.content_errors,
            21 => self.length_errors,
            22 => self.keep_errors,
            23 => self.latency_min,
            24 => self.latency_max,
            25 => self.latency_sum as u32,
            26 => (self.latency_sum >> 32) as u32,
            _ => 0,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &CheckerInputs) {
        let old = self.clone();
        self.clock_histogram(inputs);
        self.record = false;
        if let Some(beat) = inputs.beat.as_ref().filter(|_| old.tready(inputs)) {
            self.take(&old, beat, inputs);
        }
        if old.record {
            self.latency_min = old.latency_min.min(old.latency);
            self.latency_max = old.latency_max.max(old.latency);
            self.latency_sum = old.latency_sum.wrapping_add(old.latency.into());
            self.bin = old.index();
        }
        self.adding = old.record && !inputs.clear;
        if old.sweeping() {
            self.sweep += 1;
        }
        if inputs.clear {
            (self.packets, self.flits, self.source_errors, self.sequence_errors) = (0, 0, 0, 0);
            (self.content_errors, self.length_errors, self.keep_errors) = (0, 0, 0);
            (self.latency_min, self.latency_max, self.latency_sum) = (u32::MAX, 0, 0);
            self.sweep = 0;
        }
        self.asking = old.ask(inputs);
        let other = inputs.read.filter(|_| !Self::asks_histogram(inputs) && !old.answered);
        self.answered = old.asking || other.is_some();
        self.answer = match (old.asking, other) {
            // The output of the memory in the cycle under way.
            (true, _) => old.histogram.output as u32,
            (false, Some(place)) => old.word(place),
            (false, None) => 0,
        };
    }

    /// A beat that is taken.
    fn take(&mut self, old: &Self, beat: &Beat, inputs: &CheckerInputs) {
        let first = !old.middle;
        let word0 = beat.data[0];
        let (source, length) = if first { parts_of_word0(word0) } else { (old.source, old.length) };
        let sent_at = if first { beat.data[1] } else { old.sent_at };
        let count = if first { 1 } else { (old.beats + 1) & 0x3ff };
        let start = if first { content_start(word0, inputs.node) } else { old.content };
        let is_content = |word: usize| !first || word >= 2;
        let is_bad = |word: usize| is_content(word) && beat.data[word] != content_after(start, word);
        self.wrong_content = (0..self.words).any(is_bad) || (!first && old.wrong_content);
        self.wrong_keep = beat.keep != all_kept(self.words) || (!first && old.wrong_keep);
        self.content = content_after(start, self.words);
        (self.source, self.length, self.sent_at, self.beats) = (source, length, sent_at, count);
        self.middle = !beat.last;

        let wrong_source = usize::from(source) >= self.nodes || u16::from(source) != beat.node;
        self.flits = self.flits.wrapping_add(1 + u32::from(first));
        if first && !wrong_source {
            let (number, expected) = (word0 as u16, &mut self.expected[usize::from(source)]);
            let ordered = inputs.ordered || !self.sees_order;
            self.sequence_errors = self.sequence_errors.wrapping_add((ordered && number != *expected).into());
            *expected = number.wrapping_add(1);
        }
        if beat.last {
            let counted = |count: u32, event: bool| count.wrapping_add(event.into());
            self.packets = counted(self.packets, true);
            self.source_errors = counted(self.source_errors, wrong_source);
            self.content_errors = counted(self.content_errors, self.wrong_content);
            self.length_errors = counted(self.length_errors, count != length);
            self.keep_errors = counted(self.keep_errors, self.wrong_keep);
            self.latency = inputs.cycles.wrapping_sub(sent_at);
            self.record = true;
        }
    }
}

impl Registers for TrafficChecker {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("packets", 32), self.packets);
        rows.one(count("flits", 32), self.flits);
        rows.one(count("source_errors", 32), self.source_errors);
        rows.one(count("sequence_errors", 32), self.sequence_errors);
        rows.one(count("content_errors", 32), self.content_errors);
        rows.one(count("length_errors", 32), self.length_errors);
        rows.one(count("keep_errors", 32), self.keep_errors);
        rows.one(count("latency_min", 32), self.latency_min);
        rows.one(count("latency_max", 32), self.latency_max);
        rows.one(count("latency_sum", 64), self.latency_sum);
        rows.one(flag("middle"), self.middle);
        rows.one(number("source", 6), self.source);
        rows.one(count("length", 10), self.length);
        rows.one(data("sent_at"), self.sent_at);
        rows.one(count("beats", 10), self.beats);
        rows.one(flag("wrong_content"), self.wrong_content);
        rows.one(flag("wrong_keep"), self.wrong_keep);
        rows.one(data("content"), self.content);
        rows.many(count("expected", 16), self.expected.iter().copied());
        rows.one(count("latency", 32), self.latency);
        rows.one(flag("record"), self.record);
        rows.one(number("bin", 5), self.bin);
        rows.one(flag("adding"), self.adding);
        rows.one(count("sweep", 6), self.sweep);
        rows.one(flag("asking"), self.asking);
        rows.one(data("answer"), self.answer);
        rows.one(flag("answered"), self.answered);
    }
}

impl Block for TrafficChecker {
    type Inputs<'a> = CheckerInputs;

    fn outputs(&self, seen: &CheckerInputs, rows: &mut RegisterRows) {
        rows.one(flag("s_axis_tready"), self.tready(seen));
        rows.one(flag("read_done"), self.answered);
        rows.one(data("read_data"), self.answer);
    }

    fn edge(&mut self, rst: bool, seen: &CheckerInputs) {
        if rst { self.reset(seen) } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::TrafficGenerator;
    use super::super::traffic_generator::GeneratorInputs;
    use super::*;
    use powar_config::presets;

    /// A generator at node 1 and a checker at node 2, with nothing between them but what `spoil` does to the beats of the fifth packet.
    fn run(spoil: fn(&mut Beat, usize) -> bool) -> TrafficChecker {
        let config = presets::by_name("fat-tree-2").unwrap();
        let (mut generator, mut checker) = (TrafficGenerator::new(&config), TrafficChecker::new(&config));
        let write = |place, value| GeneratorInputs { write: Some((place, value)), ..GeneratorInputs::default() };
        for (place, value) in [(0, 3), (2, 0x8000), (5, 3)] {
            generator.clock(&write(place, value));
        }
        let (mut packet, mut place) = (0, 0);
        for cycles in 0..400 {
            let mut seen = CheckerInputs { node: 2, ordered: true, cycles, ..CheckerInputs::default() };
            let mut beat = Beat { node: 1, ..generator.beat() };
            let is_sent = packet != 4 || spoil(&mut beat, place);
            seen.beat = (generator.tvalid && is_sent).then_some(beat);
            let tready = checker.tready(&seen);
            if generator.tvalid && tready {
                (packet, place) = if generator.beat().last { (packet + 1, 0) } else { (packet, place + 1) };
            }
            checker.clock(&seen);
            // Once the histogram is empty.
            generator.clock(&GeneratorInputs {
                node: 1,
                run: cycles > 40,
                cycles,
                tready,
                ..GeneratorInputs::default()
            });
        }
        assert!(generator.packets > 20 && generator.flits_offered > 150, "{generator:?}");
        checker
    }

    fn errors(checker: &TrafficChecker) -> [u32; 5] {
        let TrafficChecker { source_errors, sequence_errors, content_errors, length_errors, keep_errors, .. } = checker;
        [*source_errors, *sequence_errors, *content_errors, *length_errors, *keep_errors]
    }

    #[test]
    fn packets_that_nobody_touches_have_no_error() {
        let checker = run(|_, _| true);
        assert_eq!(errors(&checker), [0; 5]);
        assert!(checker.packets > 20 && checker.flits >= 4 * checker.packets);
        // A beat a cycle, and one in which the first is made.
        assert_eq!((checker.latency_min, checker.latency_max), (3, 3));
        assert_eq!(checker.latency_sum, u64::from(checker.packets - u32::from(checker.record)) * 3);
    }

    #[test]
    fn every_kind_of_error_is_counted_once_and_as_what_it_is() {
        let flipped = |beat: &mut Beat, place: usize| {
            beat.data[2] ^= u32::from(place == 1) << 7;
            true
        };
        assert_eq!(errors(&run(flipped)), [0, 0, 1, 0, 0]);
        let swapped = |beat: &mut Beat, place: usize| {
            beat.data.swap(2, 3);
            beat.data.swap(2, if place == 0 { 2 } else { 3 });
            true
        };
        assert_eq!(errors(&run(swapped)), [0, 0, 1, 0, 0]);
        assert_eq!(errors(&run(|_, _| false)), [0, 1, 0, 0, 0]);
        let shorter = |_: &mut Beat, place: usize| place != 1;
        assert_eq!(errors(&run(shorter)), [0, 0, 1, 1, 0]);
        let holed = |beat: &mut Beat, place: usize| {
            beat.keep &= !u64::from(place == 2);
            true
        };
        assert_eq!(errors(&run(holed)), [0, 0, 0, 0, 1]);
        let misnamed = |beat: &mut Beat, _: usize| {
            beat.node = 3;
            true
        };
        // The packet doesn't count as one of its source, so the next one is out of order.
        assert_eq!(errors(&run(misnamed)), [1, 1, 0, 0, 0]);
    }
}
