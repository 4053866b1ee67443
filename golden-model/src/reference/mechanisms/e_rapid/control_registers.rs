//! `control_registers`: what their words mean, and the counts that software reads behind them.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::power;
use crate::reference::power::mechanism::{WRITE_INPUT, Write};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::SignalSpec;
use powar_config::mechanism::e_rapid::ERapidValues;
use powar_config::mechanism::{ControlValues, FIRST};
use powar_config::signal::{count, data, word_address};

/// E-RAPID's control registers.
pub type ControlRegisters = power::ControlRegisters<ERapidValues>;

inputs! {
    /// What software can read but not write; 16 bits each.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Counts {
        pub ring_errors: u16 = RegistersWithCounts::COUNTS[0],
        pub lost_messages: u16 = RegistersWithCounts::COUNTS[1],
    }
}

impl ControlRegisters {
    /// The word at an address, its byte address / 4: one of the registers, or of the counts behind them; 0 if there is none.
    pub fn read_with(&self, address: u16, counts: Counts) -> u32 {
        let behind = FIRST / 4 + ERapidValues::WORDS.len() as u16;
        match address.checked_sub(behind) {
            Some(0) => counts.ring_errors.into(),
            Some(1) => counts.lost_messages.into(),
            _ => self.read(address),
        }
    }

    /// Each board sets rates and voltages by what waits: DPM.
    pub fn by_power(&self) -> bool {
        self.values.policy & 1 == 1
    }

    /// Wavelengths go to boards that wait: DBR.
    pub fn by_bandwidth(&self) -> bool {
        self.values.policy & 2 == 2
    }
}

/// The registers as a block: the counts are its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistersWithCounts(pub ControlRegisters);

impl RegistersWithCounts {
    /// The counts behind the registers.
    pub const COUNTS: [SignalSpec; 2] = [count("ring_errors", 16), count("lost_messages", 16)];
}

impl Registers for RegistersWithCounts {
    fn list(&self, rows: &mut RegisterRows) {
        self.0.list(rows);
    }
}

inputs! {
    /// What the block sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct CountsInputs {
        pub write: Option<Write> = WRITE_INPUT,
        pub counts: Counts = (),
        /// Byte address / 4 of the word that is read.
        pub read_address: u16 = word_address("read_address", 10),
    }
}

impl Block for RegistersWithCounts {
    type Inputs<'a> = CountsInputs;

    fn outputs(&self, seen: &CountsInputs, rows: &mut RegisterRows) {
        rows.one(data("read_data"), self.0.read_with(seen.read_address, seen.counts));
        self.list(rows);
    }

    fn edge(&mut self, rst: bool, seen: &CountsInputs) {
        if rst { self.0.reset() } else { self.0.clock(seen.write) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::e_rapid::MECHANISM;

    fn registers() -> ControlRegisters {
        ControlRegisters::new(crate::reference::mechanisms::e_rapid::e_rapid::tests::values())
    }

    fn write(registers: &mut ControlRegisters, byte_address: u16, data: u32) {
        registers.clock(Some(Write { address: byte_address / 4, data }));
    }

    #[test]
    fn what_the_codes_of_policies_mean() {
        let mut registers = registers();
        for (code, by_power, by_bandwidth) in [(0, false, false), (1, true, false), (2, false, true), (3, true, true)] {
            registers.values.policy = code;
            assert_eq!((registers.by_power(), registers.by_bandwidth()), (by_power, by_bandwidth), "{code}");
        }
    }

    #[test]
    fn counts_are_read_and_never_written() {
        let mut registers = registers();
        let counts = Counts { ring_errors: 0xfedc, lost_messages: 7 };
        for address in [0x5c, 0x60, 0x64, 0x3c, 0x00, 0xffc] {
            write(&mut registers, address, 1);
            assert_eq!(registers, self::registers());
        }
        let read = |address: u16| registers.read_with(address / 4, counts);
        assert_eq!([0x3c, 0x58, 0x5c, 0x60, 0x64].map(read), [0, registers.values.dead_time.into(), 0xfedc, 7, 0]);
        for (count, place) in RegistersWithCounts::COUNTS.iter().zip(7..) {
            let word = MECHANISM.words[place];
            assert_eq!((word.name, word.bits as usize), (count.name, count.width));
        }
    }
}
