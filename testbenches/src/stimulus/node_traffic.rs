//! What is around the blocks of a network interface when all is well: packets on the stream and on the link that are as they should be but
//! for a few, credits for what was sent, queues that are read packet by packet. Random inputs alone hardly ever make a packet.

use super::Stimulus;
use super::scenario::{RandomStimulus, Scenario};
use crate::random::Random;
use powar_config::{Config, Layout, Role};

/// Random inputs, of which those that make packets are put right.
pub struct NodeTraffic {
    inputs: RandomStimulus,
    random: Random,
    layout: Layout,
    vcs: usize,
    depth: u64,
    most_flits: u64,
    words: usize,
    /// Beats of the packet on the stream that are still to come, and whether the beat on it waits.
    beats: u64,
    offered: bool,
    /// By virtual channel of the link from the switch: flits of its packet still to come, flits in the buffer.
    coming: Vec<u64>,
    buffered: Vec<u64>,
    /// By virtual channel of the link to the switch: flits for which credits are still to come back.
    owed: Vec<u64>,
    /// No credits come back for a while.
    drought: bool,
    /// The virtual channel that is read from the queues, and its beats still to be read.
    reading: Option<(usize, u64)>,
}

impl NodeTraffic {
    /// The blocks that it is for.
    const BLOCKS: [&str; 4] = ["injection_queues", "injection", "reception", "network_interface"];

    /// For a block of this name, with this layout; `None` if it is none of a network interface that packets go through.
    pub fn new(config: &Config, block: &str, layout: &Layout, seed: u64) -> Option<Self> {
        Self::BLOCKS.contains(&block).then_some(())?;
        let (switch, vcs) = (&config.switch, config.switch.vcs);
        let scenario = Scenario { reset_every: 3000, ..Scenario::lively(seed) };
        Some(NodeTraffic {
            inputs: scenario.stimulus(config, layout),
            random: Random::new(!seed),
            layout: layout.clone(),
            vcs,
            depth: switch.vc_depth() as u64,
            most_flits: switch.max_packet_flits as u64,
            words: switch.flit_words(),
            beats: 0,
            offered: false,
            coming: vec![0; vcs],
            buffered: vec![0; vcs],
            owed: vec![0; vcs],
            drought: false,
            reading: None,
        })
    }

    fn shown(&self, last: &[u64], output: &str, row: usize) -> Option<u64> {
        Some(last[self.layout.observed(Role::Output, output)? + row])
    }

    /// Packets on the stream; now and then one that is too long, or that keeps what it may not keep.
    fn drive_stream(&mut self, last: &[u64], inputs: &mut [u64]) {
        let slots = ["s_axis_tvalid", "s_axis_tkeep", "s_axis_tlast"].map(|name| self.layout.input(name));
        let [Some(valid), Some(keep), Some(tlast)] = slots else { return };
        if self.offered && self.shown(last, "s_axis_tready", 0) == Some(1) {
            self.beats -= 1;
        }
        if self.beats == 0 {
            let longest = if self.random.one_in(16) { 3 * self.most_flits } else { self.most_flits - 1 };
            self.beats = 1 + self.random.below(longest);
        }
        let all = u64::MAX >> (64 - 4 * self.words);
        inputs[tlast] = u64::from(self.beats == 1);
        inputs[keep] = match self.random.below(64) {
            0 => self.random.bits() & all,
            1 => 0,
            _ if self.beats == 1 => all >> self.random.below(4 * self.words as u64),
            _ => all,
        };
        self.offered = inputs[valid] == 1;
    }

    /// Sound packets on the link, for which there is room.
    fn drive_link(&mut self, last: &[u64], inputs: &mut [u64]) {
        let slots = ["in_valid", "in_head", "in_vc", "in_flit", "m_axis_tready"].map(|name| self.layout.input(name));
        let [Some(valid), Some(head), Some(vc), Some(flit), Some(_)] = slots else { return };
        if self.shown(last, "in_credit_valid", 0) == Some(1) {
            let credited = self.shown(last, "in_credit_vc", 0).expect("beside it") as usize;
            self.buffered[credited] = self.buffered[credited].saturating_sub(1);
        }
        let v = inputs[vc] as usize % self.vcs;
        inputs[vc] = v as u64;
        if self.buffered[v] == self.depth {
            inputs[valid] = 0;
        }
        inputs[head] = u64::from(self.coming[v] == 0);
        if inputs[valid] == 1 {
            if self.coming[v] == 0 {
                self.coming[v] = 2 + self.random.below(self.most_flits - 1);
                inputs[flit] = inputs[flit] & !(0x3ff << 16) | self.coming[v] << 16;
            }
            self.coming[v] -= 1;
            self.buffered[v] += 1;
            // A head mark that does not belong there.
            inputs[head] |= u64::from(self.random.one_in(200));
        }
    }

    /// Credits for flits that have been on the link.
    fn drive_credits(&mut self, last: &[u64], inputs: &mut [u64]) {
        let [Some(valid), Some(vc)] = ["out_credit_valid", "out_credit_vc"].map(|name| self.layout.input(name)) else {
            return;
        };
        if self.shown(last, "out_valid", 0) == Some(1) {
            let sent = self.shown(last, "out_vc", 0).expect("beside it") as usize;
            self.owed[sent] += 1;
        }
        if self.random.one_in(if self.drought { 20 } else { 80 }) {
            self.drought = !self.drought;
        }
        let owed = (0..self.vcs).fold(0, |owed, v| owed | u64::from(self.owed[v] > 0) << v);
        inputs[valid] = u64::from(owed != 0 && !self.drought && !self.random.one_in(4));
        if inputs[valid] == 1 {
            let v = self.random.bit_of(owed);
            self.owed[v] -= 1;
            inputs[vc] = v as u64;
        }
    }

    /// Packets that wait are read one by one, as `injection` does.
    fn drive_reads(&mut self, last: &[u64], inputs: &mut [u64]) {
        let [Some(start), Some(read)] = ["start", "read"].map(|name| self.layout.input(name)) else { return };
        (inputs[start], inputs[read]) = (0, 0);
        if let Some((v, beats)) = self.reading.take() {
            inputs[read] = 1 << v;
            self.reading = (beats > 1).then_some((v, beats - 1));
            return;
        }
        let waiting = self.shown(last, "waiting", 0).unwrap_or(0);
        if waiting == 0 || self.random.one_in(if self.drought { 2 } else { 200 }) {
            return;
        }
        if self.random.one_in(100) {
            self.drought = !self.drought;
        }
        let v = self.random.bit_of(waiting);
        let length = self.shown(last, "header", v).expect("beside it") >> 16 & 0x3ff;
        inputs[start] = 1 << v;
        self.reading = (length > 1).then(|| (v, length - 1));
    }
}

impl Stimulus for NodeTraffic {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        self.inputs.drive(cycle, last, inputs);
        self.drive_stream(last, inputs);
        self.drive_link(last, inputs);
        self.drive_credits(last, inputs);
        self.drive_reads(last, inputs);
        if inputs[0] == 1 {
            (self.beats, self.offered, self.reading) = (0, false, None);
            [&mut self.coming, &mut self.buffered, &mut self.owed].into_iter().for_each(|list| list.fill(0));
        }
    }
}
