//! `traffic_generator`: packets for the network, as software says.

use super::packet::{Beat, all_kept, content_after, content_start, keep, word0};
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::demonstrator::{NODE, Site, most_beats};
use powar_config::signal::{count, data, flag, number, port_number, word_address};
use powar_config::{Config, Habit};
use std::sync::Arc;

/// The generator; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrafficGenerator {
    site: Arc<Site>,
    words: usize,
    most_beats: u16,
    /// What `length` is after reset.
    reset_length: u16,
    pub read_done: bool,
    pub read_data: u32,
    pub tvalid: bool,
    pub tdest: u16,
    pub pattern: u8,
    pub destination: u8,
    pub load: u32,
    pub burst_on: u16,
    pub burst_off: u16,
    pub length: u16,
    pub seed: u32,
    pub enable: bool,
    pub packets: u32,
    pub flits_offered: u32,
    pub flits_sent: u32,
    pub random: u32,
    pub bursting: bool,
    pub burst_count: u16,
    /// Flits offered that are not yet those of a packet.
    pub backlog: u16,
    pub first: bool,
    pub remaining: u16,
    pub header: u32,
    pub stamp: u32,
    pub content: u32,
    /// Packets to each destination.
    pub sequence: Vec<u16>,
}

inputs! {
    /// What a cycle brings.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct GeneratorInputs {
        pub node: u8 = port_number("node"),
        pub run: bool = flag("run").habit(Habit::Held),
        pub clear: bool = flag("clear").habit(Habit::Rare),
        pub cycles: u32 = data("cycles"),
        /// A word to be written: its number, its value.
        pub write: Option<(u8, u32)> = (
            flag("write_enable").habit(Habit::Rare),
            (word_address("write_address", 4), data("write_data").habit(Habit::Beside)),
        ),
        /// A word that is asked for.
        pub read: Option<u8> = (flag("read").habit(Habit::Tide), word_address("read_address", 4)),
        pub tready: bool = flag("m_axis_tready").habit(Habit::Tide),
    }
}

/// Marsaglia's xorshift of 32 bits.
fn xorshift(mut x: u32) -> u32 {
    x ^= x << 13;
    x ^= x >> 17;
    x ^ x << 5
}

impl TrafficGenerator {
    /// For a configuration with a demonstrator, after reset.
    pub fn new(config: &Config) -> Self {
        let length = NODE.iter().find(|word| word.name == "length").expect("a word of a node");
        Self::after_reset(
            Arc::new(Site::of_block(config)),
            config.switch.flit_words(),
            most_beats(config) as u16,
            length.reset_value(config) as u16,
        )
    }

    fn after_reset(site: Arc<Site>, words: usize, most_beats: u16, reset_length: u16) -> Self {
        let nodes = site.addresses.len();
        TrafficGenerator {
            site,
            words,
            most_beats,
            reset_length,
            read_done: false,
            read_data: 0,
            tvalid: false,
            tdest: 0,
            pattern: 0,
            destination: 0,
            load: 0,
            burst_on: 0,
            burst_off: 0,
            length: reset_length,
            seed: 1,
            enable: true,
            packets: 0,
            flits_offered: 0,
            flits_sent: 0,
            random: 1,
            bursting: true,
            burst_count: 0,
            backlog: 0,
            first: false,
            remaining: 0,
            header: 0,
            stamp: 0,
            content: 0,
            sequence: vec![0; nodes],
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = Self::after_reset(self.site.clone(), self.words, self.most_beats, self.reset_length);
    }

    /// The beat that is offered, if `tvalid`; what would be shown otherwise is the same.
    pub fn beat(&self) -> Beat {
        let mut data: Vec<u32> = (0..self.words).map(|word| content_after(self.content, word)).collect();
        if self.first {
            (data[0], data[1]) = (self.header, self.stamp);
        }
        Beat { data, keep: all_kept(self.words), last: self.remaining == 1, node: self.tdest }
    }

    fn word(&self, place: u8) -> u32 {
        match place {
            0 => self.pattern.into(),
            1 => self.destination.into(),
            2 => self.load,
            3 => self.burst_on.into(),
            4 => self.burst_off.into(),
            5 => self.length.into(),
            6 => self.seed,
            7 => self.enable.into(),
            8 => self.packets,
            9 => self.flits_offered,
            10 => self.flits_sent,
            _ => 0,
        }
    }

    /// The node that the next packet would go to; none: it must be drawn again.
    fn choice(&self, node: u8) -> Option<u8> {
        let nodes = self.site.addresses.len();
        let last = (nodes - 1) as u8;
        let choice = match self.pattern {
            0 => {
                let candidate = (self.random >> 16) as u8 & (nodes.next_power_of_two() - 1) as u8;
                (candidate <= last && candidate != node).then_some(candidate)
            }
            1 => Some(self.destination),
            2 => Some(last.wrapping_sub(node) & 63),
            _ => Some(if node == last { 0 } else { (node + 1) & 63 }),
        };
        choice.filter(|&choice| self.address(choice).is_some())
    }

    /// Where packets for this node are sent to; of a plain site anything is its own address.
    fn address(&self, choice: u8) -> Option<u16> {
        if self.site.is_plain() {
            return Some(choice.into());
        }
        self.site.addresses.get(usize::from(choice)).copied().flatten()
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GeneratorInputs) {
        let old = self.clone();
        let on = inputs.run && old.enable;
        let offer = on && old.bursting && (old.random & 0xffff) < old.load;
        let beats = old.length.clamp(1, old.most_beats);
        let flits = beats + 1;
        let choice = old.choice(inputs.node).filter(|_| on && !old.tvalid && old.backlog >= flits);
        let taken = old.tvalid && inputs.tready;
        let ends = taken && old.remaining == 1;

        self.random = match (on, old.seed) {
            (true, _) => xorshift(old.random),
            (false, 0) => 1,
            (false, seed) => seed,
        };
        let limit = if old.bursting { old.burst_on } else { old.burst_off };
        let turn = u32::from(old.burst_count) + 1 >= u32::from(limit);
        if !on {
            self.bursting = true;
        } else if turn {
            self.bursting = !old.bursting || old.burst_off == 0;
        }
        self.burst_count = if !on || turn { 0 } else { old.burst_count + 1 };
        let used = if choice.is_some() { flits } else { 0 };
        let backlog = u32::from(old.backlog) + u32::from(offer) - u32::from(used);
        self.backlog = if on { backlog.min(0xffff) as u16 } else { 0 };

        if taken {
            self.first = false;
            self.remaining = old.remaining.wrapping_sub(1) & 0x3ff;
            self.content = content_after(old.content, self.words);
            self.tvalid = !ends;
        }
        if let Some(choice) = choice {
            let to = usize::from(choice);
            let number = old.sequence.get(to).copied().unwrap_or(0);
            if let Some(sequence) = self.sequence.get_mut(to) {
                *sequence = number.wrapping_add(1);
            }
            self.header = word0(inputs.node, beats, number);
            let exit = self.site.exits.get(to).copied().unwrap_or(choice);
            self.content = content_start(self.header, exit);
            (self.tvalid, self.first, self.remaining) = (true, true, beats);
            self.stamp = inputs.cycles;
            self.tdest = old.address(choice).expect("a choice has an address");
        }

        let counted = |count: u32, more: u32| if inputs.clear { 0 } else { count.wrapping_add(more) };
        self.packets = counted(old.packets, ends.into());
        self.flits_offered = counted(old.flits_offered, offer.into());
        self.flits_sent = counted(old.flits_sent, u32::from(taken) + u32::from(taken && old.first));

        if let Some((place, value)) = inputs.write {
            self.write(place, value);
        }
        let asked = inputs.read.filter(|_| !old.read_done);
        self.read_done = asked.is_some();
        self.read_data = asked.map_or(0, |place| old.word(place));
    }

    fn write(&mut self, place: u8, value: u32) {
        match place {
            0 => self.pattern = value as u8 & 3,
            1 => self.destination = value as u8 & 63,
            2 => self.load = value & 0x1_ffff,
            3 => self.burst_on = value as u16,
            4 => self.burst_off = value as u16,
            5 => self.length = value as u16 & 0x3ff,
            6 => self.seed = value,
            7 => self.enable = value & 1 == 1,
            _ => (),
        }
    }
}

impl Registers for TrafficGenerator {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("read_done"), self.read_done);
        rows.one(data("read_data"), self.read_data);
        rows.one(flag("m_axis_tvalid"), self.tvalid);
        rows.one(number("m_axis_tdest", 16), self.tdest);
        rows.one(number("pattern", 2), self.pattern);
        rows.one(number("destination", 6), self.destination);
        rows.one(number("load", 17), self.load);
        rows.one(count("burst_on", 16), self.burst_on);
        rows.one(count("burst_off", 16), self.burst_off);
        rows.one(count("length", 10), self.length);
        rows.one(data("seed"), self.seed);
        rows.one(flag("enable"), self.enable);
        rows.one(count("packets", 32), self.packets);
        rows.one(count("flits_offered", 32), self.flits_offered);
        rows.one(count("flits_sent", 32), self.flits_sent);
        rows.one(data("random"), self.random);
        rows.one(flag("bursting"), self.bursting);
        rows.one(count("burst_count", 16), self.burst_count);
        rows.one(count("backlog", 16), self.backlog);
        rows.one(flag("first"), self.first);
        rows.one(count("remaining", 10), self.remaining);
        rows.one(data("header"), self.header);
        rows.one(data("stamp"), self.stamp);
        rows.one(data("content"), self.content);
        rows.many(count("sequence", 16), self.sequence.iter().copied());
    }
}

impl Block for TrafficGenerator {
    type Inputs<'a> = GeneratorInputs;

    fn outputs(&self, _: &GeneratorInputs, rows: &mut RegisterRows) {
        let beat = self.beat();
        rows.one(flag("read_done"), self.read_done);
        rows.one(data("read_data"), self.read_data);
        rows.one(flag("m_axis_tvalid"), self.tvalid);
        rows.many(data("m_axis_tdata"), beat.data);
        rows.one(keep("m_axis_tkeep", self.words), beat.keep);
        rows.one(flag("m_axis_tlast"), beat.last);
        rows.one(number("m_axis_tdest", 16), beat.node);
    }

    fn edge(&mut self, rst: bool, seen: &GeneratorInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    /// A network that takes nothing for 65,535 flits.
    #[test]
    fn an_overload_fills_the_backlog_and_no_more() {
        let config = presets::by_name("demonstrator-4").unwrap();
        let idle = TrafficGenerator::new(&config);
        let mut generator = TrafficGenerator { load: 0x1_ffff, backlog: 0xfffe, tvalid: true, ..idle };
        let seen = GeneratorInputs { run: true, ..GeneratorInputs::default() };
        for flits_offered in 1..=3 {
            generator.clock(&seen);
            assert_eq!((generator.backlog, generator.flits_offered), (0xffff, flits_offered));
        }
    }
}
