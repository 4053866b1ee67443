//! `hint_registers`: what software sees and sets of the lanes.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::power::mechanism::{WordInputs, Write};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::wake_hints::HintValues;
use powar_config::signal::{count, data, flag, flags};
use powar_config::{Mechanism, Owner};

/// The registers.
#[derive(Clone, Debug)]
pub struct HintRegisters {
    ports: usize,
    /// The mechanism that they are of: its words say where they are.
    mechanism: &'static Mechanism,
    reset_values: HintValues,
    /// Words are sent and listened to.
    pub hints: bool,
    /// The lane is there while the link sleeps.
    pub sideband: bool,
    /// Events that were counted.
    pub hints_dropped: u32,
    pub hints_woke: u32,
    pub hints_unused: u32,
    /// Events of the cycle before: words that were lost (8 bits), ports that hints woke, ports that were woken in vain (7 bits each).
    pub lost: u8,
    pub begun: u8,
    pub idle: u8,
}

inputs! {
    /// Events of the ports in a cycle, one bit a port.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct HintEvents of ports: usize {
        /// A word ends that is no hint to wait.
        pub broken: u64 = flags("broken", Owner::Port, ports),
        /// A word is not sent.
        pub refused: u64 = flags("refused", Owner::Port, ports),
        /// A hint wakes the port.
        pub woke: u64 = flags("woke", Owner::Port, ports),
        /// The port goes to sleep again, and nobody has used it.
        pub unused: u64 = flags("unused", Owner::Port, ports),
    }
}

impl HintRegisters {
    /// The registers after reset of so many ports of a mechanism, holding the values of a configuration.
    pub fn new(ports: usize, mechanism: &'static Mechanism, reset_values: HintValues) -> Self {
        let (hints, sideband) = (reset_values.hints(), reset_values.sideband());
        let (hints_dropped, hints_woke, hints_unused) = (0, 0, 0);
        HintRegisters {
            ports,
            mechanism,
            reset_values,
            hints,
            sideband,
            hints_dropped,
            hints_woke,
            hints_unused,
            lost: 0,
            begun: 0,
            idle: 0,
        }
    }

    /// The word at this address, its byte address / 4; 0 if there is none.
    pub fn read(&self, address: u16) -> u32 {
        match self.mechanism.word_at(address).map(|word| word.name) {
            Some("hint_control") => u32::from(self.hints) | u32::from(self.sideband) << 1,
            Some("hints_dropped") => self.hints_dropped,
            Some("hints_woke") => self.hints_woke,
            Some("hints_unused") => self.hints_unused,
            _ => 0,
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = HintRegisters::new(self.ports, self.mechanism, self.reset_values);
    }

    /// A word is written: the part of an edge that comes last.
    pub(crate) fn write(&mut self, write: Write) {
        let Write { address, data } = write;
        match self.mechanism.word_at(address).map(|word| word.name) {
            Some("hint_control") => (self.hints, self.sideband) = (data & 1 == 1, data & 2 == 2),
            Some("hints_dropped") => self.hints_dropped = data,
            Some("hints_woke") => self.hints_woke = data,
            Some("hints_unused") => self.hints_unused = data,
            _ => {}
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, write: Option<Write>, events: &HintEvents) {
        let HintEvents { broken, refused, woke, unused } = *events;
        self.hints_dropped = self.hints_dropped.wrapping_add(self.lost.into());
        self.hints_woke = self.hints_woke.wrapping_add(self.begun.into());
        self.hints_unused = self.hints_unused.wrapping_add(self.idle.into());
        self.lost = (broken.count_ones() + refused.count_ones()) as u8;
        (self.begun, self.idle) = (woke.count_ones() as u8, unused.count_ones() as u8);
        if let Some(write) = write {
            self.write(write);
        }
    }
}

impl Registers for HintRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("hints"), self.hints);
        rows.one(flag("sideband"), self.sideband);
        rows.one(count("hints_dropped", 32), self.hints_dropped);
        rows.one(count("hints_woke", 32), self.hints_woke);
        rows.one(count("hints_unused", 32), self.hints_unused);
        rows.one(count("lost", 8), self.lost);
        rows.one(count("begun", 7), self.begun);
        rows.one(count("idle", 7), self.idle);
    }
}

inputs! {
    /// What the registers see in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct HintRegisterInputs of block: &HintRegisters {
        pub software: WordInputs = (),
        pub events: HintEvents = block.ports,
    }
}

impl Block for HintRegisters {
    type Inputs<'a> = HintRegisterInputs;

    fn outputs(&self, seen: &HintRegisterInputs, rows: &mut RegisterRows) {
        rows.one(data("read_data"), self.read(seen.software.read_address));
        rows.one(flag("hints"), self.hints);
        rows.one(flag("sideband"), self.sideband);
    }

    fn edge(&mut self, rst: bool, seen: &HintRegisterInputs) {
        if rst { self.reset() } else { self.clock(seen.software.write, &seen.events) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::wake_hints::MECHANISM;
    use powar_config::{Chosen, Config, presets};

    fn registers() -> HintRegisters {
        let mechanism = Chosen(MECHANISM.defaults());
        let config = Config { mechanism, ..presets::by_name("fat-tree-4").expect("a preset") };
        HintRegisters::new(config.ports, &MECHANISM, HintValues::of(&config))
    }

    #[test]
    fn words_take_the_low_bits_and_are_where_the_register_map_has_them() {
        for word in &MECHANISM.words[12..] {
            let mut registers = registers();
            registers.clock(Some(Write { address: word.offset / 4, data: u32::MAX }), &HintEvents::default());
            assert_eq!(registers.read(word.offset / 4), word.mask(), "{}", word.name);
            registers.reset();
            assert!(RegisterRows::of(&registers).rows().eq(RegisterRows::of(&self::registers()).rows()));
        }
        assert_eq!(MECHANISM.words[12..].len(), 4);
    }

    #[test]
    fn events_are_counted_two_edges_later_and_a_write_wins() {
        let mut registers = registers();
        let events = HintEvents { broken: 0b11, refused: 0b101, woke: 1 << 3, unused: 0 };
        registers.clock(None, &events);
        assert_eq!((registers.lost, registers.begun, registers.idle, registers.hints_dropped), (4, 1, 0, 0));
        registers.clock(None, &HintEvents { unused: 0b111, ..HintEvents::default() });
        assert_eq!((registers.hints_dropped, registers.hints_woke, registers.hints_unused), (4, 1, 0));
        registers.clock(Some(Write { address: 0x7C / 4, data: u32::MAX }), &HintEvents { unused: 1, ..events });
        assert_eq!(registers.hints_unused, u32::MAX, "what was to be counted is lost");
        registers.clock(None, &HintEvents::default());
        assert_eq!((registers.hints_unused, registers.hints_dropped), (0, 8), "they wrap");
    }
}
