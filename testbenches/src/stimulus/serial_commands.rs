//! Commands on the serial line of a demonstrator, as software sends them: what the line shows in each cycle.

use super::Stimulus;
use crate::random::Random;
use powar_config::registers::demonstrator::{self, INTERFACE_WORDS, NODE, OWN_WINDOW, SWITCH_WINDOW, Site, registers};
use powar_config::registers::{mechanism_address, registers as switch_registers};
use powar_config::routing::table;
use powar_config::routing::tables::RoutingTables;
use powar_config::{Config, Layout};
use std::collections::VecDeque;

/// Cycles of reset before anything else.
const RESET: u64 = 3;

/// What is on the line, or not on it, next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Byte(u8),
    /// A byte whose stop bit is wrong.
    BrokenByte(u8),
    Rest(u64),
}

/// A serial line on which commands follow each other.
#[derive(Clone, Debug)]
pub struct SerialCommands {
    rst: usize,
    rx: usize,
    divider: (usize, u64),
    timeout: (usize, u64),
    steps: VecDeque<Step>,
    /// Levels of the byte under way and how many cycles each lasts, lowest bit next.
    levels: u64,
    bits: u32,
    elapsed: u64,
}

impl SerialCommands {
    /// A line at rest, for the inputs of this demonstrator: cycles of a bit, and of the time-out.
    pub fn new(layout: &Layout, divider: u16, timeout: u32) -> Self {
        let slot = |name| layout.input(name).expect("an input of a demonstrator");
        SerialCommands {
            rst: slot("rst"),
            rx: slot("rx"),
            divider: (slot("divider"), divider.into()),
            timeout: (slot("timeout"), timeout.into()),
            steps: VecDeque::new(),
            levels: 0,
            bits: 0,
            elapsed: 0,
        }
    }

    /// Nothing for so many cycles.
    pub fn rest(&mut self, cycles: u64) {
        self.steps.push_back(Step::Rest(cycles));
    }

    pub fn bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.steps.extend(bytes.into_iter().map(Step::Byte));
    }

    /// Writes a word.
    pub fn write(&mut self, address: u32, word: u32) {
        self.bytes([1, 1]);
        self.bytes((address / 4).to_be_bytes());
        self.bytes(word.to_be_bytes());
    }

    /// Reads words from an address on, and leaves time for the answer.
    pub fn read(&mut self, address: u32, words: u8) {
        self.bytes([2, words]);
        self.bytes((address / 4).to_be_bytes());
        self.rest(u64::from(words) * (40 * self.divider.1 + 120) + 20 * self.divider.1);
    }

    /// Ports that sleep soon, traffic of every kind at all nodes, and between changes of it, reads of any word and faults of the line.
    pub fn busy(config: &Config, layout: &Layout, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let divider = 4 + random.below(3) as u16;
        let mut line = SerialCommands::new(layout, divider, 3000);
        line.rest(50);
        // Half a command, which is dropped, and a byte that is none.
        line.bytes([2, 3, 0]);
        line.steps.push_back(Step::BrokenByte(0x5a));
        line.rest(4000);
        if config.mechanism().words.iter().any(|word| word.name == "pdt") {
            line.write(SWITCH_WINDOW + u32::from(mechanism_address(config.mechanism(), "pdt")), 200);
        }
        line.load_table(config);
        // A word that can't be written.
        line.write(SWITCH_WINDOW, 1);
        line.write(OWN_WINDOW + u32::from(own("control")), 1);
        let own_words: Vec<u32> =
            registers(config).iter().map(|register| OWN_WINDOW + u32::from(register.address)).collect();
        let of_switch = switch_registers(config);
        let switch_words: Vec<u32> = of_switch.iter().map(|one| SWITCH_WINDOW + u32::from(one.address)).collect();
        let any = |random: &mut Random, words: &[u32]| words[random.below(words.len() as u64) as usize];
        for round in 0..400u32 {
            let node = random.below(config.ports as u64) as u16;
            for (name, most) in
                [("load", 0x8000), ("pattern", 4), ("length", 18), ("burst_on", 300), ("burst_off", 600)]
            {
                if random.one_in(2) {
                    let address = demonstrator::NODE_BASE + node * demonstrator::NODE_STRIDE + of_node(name);
                    line.write(OWN_WINDOW + u32::from(address), random.below(most) as u32);
                }
            }
            let address = match random.below(8) {
                0 => random.bits() as u32 & 0x3_fffc,
                1..4 => any(&mut random, &switch_words),
                _ => any(&mut random, &own_words),
            };
            line.read(address, 1 + random.below(3) as u8);
            match random.below(40) {
                0 => line.write(OWN_WINDOW + u32::from(own("clear")), 1),
                1 => line.write(OWN_WINDOW + u32::from(own("control")), round & 1),
                2 => line.write(random.bits() as u32 & 0x3_fffc | 0x2_0000, random.bits() as u32),
                3 => line.steps.push_back(Step::BrokenByte(random.bits() as u8)),
                4 => line.rest(3000),
                _ => (),
            }
            if round % 8 == 7 {
                let first = demonstrator::NODE_BASE + node * demonstrator::NODE_STRIDE + INTERFACE_WORDS[0].offset;
                line.read(OWN_WINDOW + u32::from(first), INTERFACE_WORDS.len() as u8);
            }
            if round % 50 == 49 {
                line.write(OWN_WINDOW + u32::from(own("control")), 1);
            }
        }
        line
    }

    /// Loads the routing table of the switch, if it has one.
    fn load_table(&mut self, config: &Config) {
        if !config.routing_sees().table {
            return;
        }
        let site = Site::new(config).expect("a switch of a network");
        let tables = RoutingTables::of(config).expect("a network that has tables");
        for (address, word) in table::writes(config, &tables, site.switch as usize) {
            self.write(SWITCH_WINDOW + u32::from(address), word);
        }
    }

    /// The level of the line in this cycle.
    fn level(&mut self) -> bool {
        while self.bits == 0 {
            match self.steps.front_mut() {
                None => return true,
                Some(Step::Rest(0)) => _ = self.steps.pop_front(),
                Some(Step::Rest(cycles)) => {
                    *cycles -= 1;
                    return true;
                }
                // Start bit, data, stop bit.
                Some(Step::Byte(byte)) => {
                    (self.levels, self.bits, self.elapsed) = (u64::from(*byte) << 1 | 1 << 9, 10, 0);
                    self.steps.pop_front();
                }
                // And so that the line is seen to rest, a bit more.
                Some(Step::BrokenByte(byte)) => {
                    (self.levels, self.bits, self.elapsed) = (u64::from(*byte) << 1 | 1 << 10, 11, 0);
                    self.steps.pop_front();
                }
            }
        }
        let level = self.levels & 1 == 1;
        self.elapsed += 1;
        if self.elapsed == self.divider.1 {
            (self.levels, self.bits, self.elapsed) = (self.levels >> 1, self.bits - 1, 0);
        }
        level
    }
}

/// Offset of a word that is one for all nodes, and of one of a node.
fn own(name: &str) -> u16 {
    demonstrator::OWN.iter().find(|word| word.name == name).expect("a word of the demonstrator").offset
}

fn of_node(name: &str) -> u16 {
    NODE.iter().find(|word| word.name == name).expect("a word of a node").offset
}

impl Stimulus for SerialCommands {
    fn drive(&mut self, cycle: u64, _last: &[u64], inputs: &mut [u64]) {
        inputs[self.rst] = u64::from(cycle < RESET);
        inputs[self.rx] = if cycle < RESET { 1 } else { self.level().into() };
        inputs[self.divider.0] = self.divider.1;
        inputs[self.timeout.0] = self.timeout.1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twins;
    use powar_config::presets;

    #[test]
    fn a_byte_is_a_start_bit_its_bits_from_the_lowest_on_and_a_stop_bit() {
        let config = presets::by_name("demonstrator-4").unwrap();
        let layout = twins::golden(&config, twins::DEMONSTRATOR).unwrap().layout().clone();
        let mut line = SerialCommands::new(&layout, 4, 100);
        line.rest(2);
        line.bytes([0b0100_1101]);
        let levels: Vec<u8> = (0..46).map(|_| line.level().into()).collect();
        let bits = [0u8, 1, 0, 1, 1, 0, 0, 1, 0, 1].into_iter().flat_map(|bit| [bit; 4]);
        assert_eq!(levels, [1, 1].into_iter().chain(bits).chain([1; 4]).collect::<Vec<_>>());
    }
}
