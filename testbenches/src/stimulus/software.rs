//! What software does at the registers of a switch: addresses and values for random accesses.

use crate::mechanisms::{self, Entry};
use crate::random::Random;
use powar_config::registers::{self, ADDRESS_BITS, RegisterOwner, WORD_BYTES, Word, demonstrator};
use powar_config::routing::table;
use powar_config::{Config, Mechanism};

/// The register map of a configuration, to draw from.
#[derive(Clone)]
pub(crate) struct Software {
    config: Config,
    entry: &'static Entry,
    /// Byte addresses: of words of every switch, of the mechanism, of ports, and one behind each port's words and behind the last port.
    switch: Vec<u16>,
    mechanism: Vec<u16>,
    ports: Vec<u16>,
}

impl Software {
    pub(crate) fn new(config: &Config) -> Self {
        let mechanism: &Mechanism = config.mechanism();
        let (mut of_switch, mut of_mechanism, mut of_ports) = (vec![], vec![], vec![]);
        for register in registers::registers(config) {
            match register.owner {
                RegisterOwner::Switch(_) | RegisterOwner::Routing(_) => of_switch.push(register.address),
                RegisterOwner::Mechanism(_) => of_mechanism.push(register.address),
                RegisterOwner::Counter { .. } => of_ports.push(register.address),
                RegisterOwner::Status { .. } => of_ports.extend([register.address, register.address + WORD_BYTES]),
            }
        }
        of_ports.push(registers::PORT_BASE + config.ports as u16 * registers::port_stride(mechanism));
        Software {
            config: config.clone(),
            entry: mechanisms::of(mechanism),
            switch: of_switch,
            mechanism: of_mechanism,
            ports: of_ports,
        }
    }

    /// Any byte address, 16 bits: mostly one of the map, or just beside it.
    pub(crate) fn address(&self, random: &mut Random) -> u64 {
        let mut one_of = |list: &[u16]| u64::from(list[random.below(list.len() as u64) as usize]);
        let (of_switch, of_mechanism, of_port) = (one_of(&self.switch), one_of(&self.mechanism), one_of(&self.ports));
        match random.below(8) {
            0 => beside([of_switch, of_mechanism, of_port][random.below(3) as usize], random),
            1 => of_switch,
            2 => of_mechanism + random.below(6),
            3 | 4 => of_mechanism,
            _ => of_port,
        }
    }

    /// Any byte address of the demonstrator, 16 bits: mostly one of its map, often of the words that are one for all nodes, or just
    /// beside it.
    pub(crate) fn demonstrator_address(&self, random: &mut Random) -> u64 {
        let node = random.below(self.config.ports as u64 + 1);
        let of_node = u64::from(demonstrator::NODE_BASE) + node * u64::from(demonstrator::NODE_STRIDE);
        let word = |count: u64, random: &mut Random| random.below(count) * u64::from(WORD_BYTES);
        match random.below(8) {
            0 => {
                let address = [0, of_node][random.below(2) as usize] + word(64, random);
                beside(address, random)
            }
            1 => word(64, random) + random.below(4),
            2..5 => word(9, random),
            _ => of_node + word(128, random),
        }
    }

    /// A write that mostly leaves the ports something to do: byte address and data.
    pub(crate) fn write(&self, random: &mut Random) -> (u64, u64) {
        let (word, value) = if random.one_in(16) {
            // Rarely, so that counters have time to grow.
            let clear = registers::SWITCH.iter().find(|word| word.name == "clear_counters");
            (clear.expect("a word of every switch"), random.below(2) as u32)
        } else {
            let (name, value) = (self.entry.some_write)(random);
            (self.word(name), value)
        };
        // Bits that the word doesn't have are ignored.
        let beyond = random.bits() as u32 & !word.mask();
        (word.offset.into(), u64::from(value | beyond))
    }

    /// A write of the highest bit of a word, alone or nearly: who loses it has a very short duration for a very long
    /// one, which shows at once.
    pub(crate) fn write_of_highest_bit(&self, random: &mut Random) -> (u64, u64) {
        let (name, _) = (self.entry.some_write)(random);
        let word = self.word(name);
        (word.offset.into(), 1 << word.mask().ilog2() | random.below(2))
    }

    fn word(&self, name: &str) -> &'static Word {
        let word = self.entry.mechanism.words.iter().find(|word| word.name == name);
        word.expect("a word of the mechanism; a test sees to it")
    }

    /// A write of a word of the routing, with any value: byte address and data; `None` if it has no words.
    pub(crate) fn routing_write(&self, random: &mut Random) -> Option<(u64, u64)> {
        let words = registers::routing_words(&self.config);
        // The last word of a row is the one that does most.
        let place = random.below(words.len() as u64 + 2) as usize;
        let word = words.get(place).or_else(|| words.iter().rfind(|word| word.offset < table::NODE_PORTS))?;
        Some((word.offset.into(), random.bits() & 0xffff_ffff))
    }

    /// A byte address that nothing can be written to.
    pub(crate) fn address_not_written(&self, random: &mut Random) -> u64 {
        let address = self.address(random);
        let word = registers::lookup(address as u16, &self.config);
        let writable = word.is_some_and(|register| register.word.access == registers::Access::ReadWrite);
        if writable { address | 1 } else { address }
    }
}

/// Any byte address, or one that somebody who looks at too few bits, or one too many, takes for this one: it differs in one bit, or is
/// that of the word before or behind.
fn beside(address: u64, random: &mut Random) -> u64 {
    let word = u64::from(WORD_BYTES);
    let other = match random.below(6) {
        0 | 1 => random.bits(),
        2 => address.wrapping_sub(word),
        3 => address + word,
        _ => address ^ 1 << random.below(ADDRESS_BITS as u64),
    };
    other % (1 << ADDRESS_BITS)
}
