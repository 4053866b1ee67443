//! Packets as the generators of the demonstrator send them, most of them sound, for the block that checks them.

use crate::random::Random;
use powar_config::registers::demonstrator::most_beats;
use powar_config::{Config, Layout, Role};
use powar_golden::reference::demonstrator::packet;

/// A stream of packets to one node.
#[derive(Clone)]
pub(super) struct Packets {
    nodes: u64,
    words: usize,
    most_beats: u64,
    slots: Slots,
    /// This node; packets are made for it.
    node: u64,
    cycles: u64,
    /// The next packet of each source.
    numbers: Vec<u64>,
    /// Beats that are still to be taken, the next one last.
    beats: Vec<Beat>,
    /// A beat was offered in the cycle before; there was a reset.
    offered: bool,
    reset: bool,
    /// Cycles until the next packet.
    pause: u64,
}

#[derive(Clone)]
struct Beat {
    words: Vec<u64>,
    keep: u64,
    last: bool,
    source: u64,
}

/// Where the signals lie in the frames.
#[derive(Clone)]
struct Slots {
    rst: usize,
    node: usize,
    cycles: usize,
    valid: usize,
    data: usize,
    keep: usize,
    last: usize,
    source: usize,
    ready: usize,
}

impl Packets {
    /// For a block with such a stream as an input.
    pub(super) fn new(config: &Config, layout: &Layout) -> Option<Self> {
        let slots = Slots {
            rst: layout.input("rst")?,
            node: layout.input("node")?,
            cycles: layout.input("cycles")?,
            valid: layout.input("s_axis_tvalid")?,
            data: layout.input("s_axis_tdata")?,
            keep: layout.input("s_axis_tkeep")?,
            last: layout.input("s_axis_tlast")?,
            source: layout.input("s_axis_tid")?,
            ready: layout.observed(Role::Output, "s_axis_tready")?,
        };
        Some(Packets {
            nodes: config.ports as u64,
            words: config.switch.flit_words(),
            most_beats: most_beats(config) as u64,
            slots,
            node: 0,
            cycles: 0,
            // Of the nodes, and of one that there is not.
            numbers: vec![0; config.ports + 1],
            beats: vec![],
            offered: false,
            reset: false,
            pause: 0,
        })
    }

    /// The next packet: in one of eight cases something is wrong with it.
    fn packet(&mut self, random: &mut Random) {
        // Mostly short.
        let most = 1 + random.below(self.most_beats);
        let count = 1 + random.below(most);
        let source = if random.one_in(64) { self.nodes } else { random.below(self.nodes) };
        let number = self.numbers[source as usize];
        self.numbers[source as usize] = (number + 1) & 0xffff;
        let word0 = packet::word0(source as u8, count as u16, number as u16);
        let age = random.bits() & 0xffff_ffff >> random.below(32);
        let sent_at = self.cycles.wrapping_sub(age) & 0xffff_ffff;
        let mut content = packet::content_start(word0, self.node as u8);
        let mut words = vec![];
        for _ in 0..count * self.words as u64 {
            words.push(content.into());
            content = packet::content_step(content);
        }
        (words[0], words[1]) = (word0.into(), sent_at);
        let all = packet::all_kept(self.words);
        let beat = |words: &[u64]| Beat { words: words.to_vec(), keep: all, last: false, source };
        let mut beats: Vec<Beat> = words.chunks(self.words).map(beat).collect();
        let place = random.below(count) as usize;
        match random.below(48) {
            0 => beats[place].words[random.below(self.words as u64) as usize] ^= 1 << random.below(32),
            1 => beats[place].keep ^= 1 << random.below(4 * self.words as u64),
            2 => beats.iter_mut().for_each(|beat| beat.source = random.below(self.nodes + 1)),
            3 => drop(beats.remove(place)),
            4 => beats.push(beats[place].clone()),
            // Lost as a whole.
            5 => beats.clear(),
            _ => (),
        }
        if let Some(last) = beats.last_mut() {
            last.last = true;
        }
        beats.reverse();
        self.beats = beats;
    }

    /// Puts the next beat into the input frame: it stays until it is taken.
    pub(super) fn drive(&mut self, random: &mut Random, last: &[u64], inputs: &mut [u64]) {
        if self.reset {
            self.numbers.fill(0);
            self.beats.clear();
        } else if self.offered && last[self.slots.ready] == 1 {
            self.beats.pop();
        }
        self.cycles = self.cycles.wrapping_add(1) & 0xffff_ffff;
        if self.beats.is_empty() && random.one_in(400) {
            self.node = random.below(self.nodes);
        }
        if self.beats.is_empty() {
            // Often none, so that packets follow at once.
            self.pause = self.pause.checked_sub(1).unwrap_or_else(|| random.below(3) * random.below(6));
            if self.pause == 0 {
                self.packet(random);
            }
        }
        let slots = &self.slots;
        inputs[slots.node] = self.node;
        inputs[slots.cycles] = self.cycles;
        // Between two packets, and now and then within one, whatever random inputs have made of the rest.
        let offers = self.offered && last[slots.ready] == 0 || !random.one_in(8);
        let next = self.beats.last().filter(|_| offers);
        inputs[slots.valid] = next.is_some().into();
        if let Some(beat) = next {
            inputs[slots.data..slots.data + self.words].copy_from_slice(&beat.words);
            inputs[slots.keep] = beat.keep;
            inputs[slots.last] = beat.last.into();
            inputs[slots.source] = beat.source;
        }
        self.offered = next.is_some();
        self.reset = inputs[slots.rst] == 1;
    }
}
