//! `control_registers`: what software sets, and the counts that it reads.

use crate::lock_step::{Block, Observed, Slots, declare, input, output};
use crate::reference::power::mechanism::{Write, write_signals};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::e_rapid::{ERapidValues, MECHANISM};
use powar_config::signal::{RST, count, data, duration, number, word_address};
use powar_config::{Meaning, Role, SignalDecl, SignalSpec};

/// Largest value of 12 bits.
const MAX_12: u16 = (1 << 12) - 1;

/// The control registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlRegisters {
    reset_values: ERapidValues,
    /// What the registers hold.
    pub values: ERapidValues,
}

/// What software can read but not write; 16 bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub ring_errors: u16,
    pub lost_messages: u16,
}

impl ControlRegisters {
    /// Byte address of the first; the others follow word by word, then the counts.
    pub const FIRST: u16 = 0x40;
    /// The registers, in the order of their addresses.
    pub const REGISTERS: [SignalSpec; 7] = [
        SignalSpec::new("policy", 2, Meaning::Policy(MECHANISM.policies)),
        duration("window", 12),
        count("b_min", 12),
        count("b_max", 12),
        count("b_con", 12),
        number("degree", 4),
        duration("dead_time", 8),
    ];
    /// The counts behind them.
    pub const COUNTS: [SignalSpec; 2] = [count("ring_errors", 16), count("lost_messages", 16)];

    /// The registers after reset, holding the values of a configuration.
    pub fn new(reset_values: ERapidValues) -> Self {
        ControlRegisters { reset_values, values: reset_values }
    }

    /// What they hold, in the order of their addresses.
    pub fn words(&self) -> [u32; 7] {
        let ERapidValues { policy, window, b_min, b_max, b_con, degree, dead_time } = self.values;
        [policy.into(), window.into(), b_min.into(), b_max.into(), b_con.into(), degree.into(), dead_time.into()]
    }

    /// The word at an address, its byte address / 4; 0 if there is none.
    pub fn read(&self, address: u16, counts: Counts) -> u32 {
        let Some(place) = address.checked_sub(Self::FIRST / 4).map(usize::from) else { return 0 };
        let counts = [counts.ring_errors.into(), counts.lost_messages.into()];
        self.words().into_iter().chain(counts).nth(place).unwrap_or(0)
    }

    /// Each board sets rates and voltages by what waits: DPM.
    pub fn by_power(&self) -> bool {
        self.values.policy & 1 == 1
    }

    /// Wavelengths go to boards that wait: DBR.
    pub fn by_bandwidth(&self) -> bool {
        self.values.policy & 2 == 2
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = ControlRegisters::new(self.reset_values);
    }

    /// The clock edge. A register takes the low bits of what is written to it; addresses without a register ignore it.
    pub fn clock(&mut self, write: Option<Write>) {
        let Some(Write { address, data }) = write else { return };
        let values = &mut self.values;
        match address * 4 {
            0x40 => values.policy = (data & 0b11) as u8,
            0x44 => values.window = data as u16 & MAX_12,
            0x48 => values.b_min = data as u16 & MAX_12,
            0x4C => values.b_max = data as u16 & MAX_12,
            0x50 => values.b_con = data as u16 & MAX_12,
            0x54 => values.degree = (data & 0b1111) as u8,
            0x58 => values.dead_time = data as u8,
            _ => {}
        }
    }
}

impl Registers for ControlRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        for (register, value) in Self::REGISTERS.into_iter().zip(self.words()) {
            rows.one(register, value);
        }
    }
}

impl Block for ControlRegisters {
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals = vec![input(RST)];
        signals.extend(write_signals());
        signals.extend(declare(Role::Input, Self::COUNTS));
        signals.extend([input(word_address("read_address", 10)), output(data("read_data"))]);
        signals.extend(declare(Role::Output, Self::REGISTERS));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let (rst, write) = (slots.bit(), Write::take(&mut slots));
        // Fields are evaluated in the order in which they stand here: that of the declaration.
        let counts = Counts { ring_errors: slots.one() as u16, lost_messages: slots.one() as u16 };
        observed.put(self.read(slots.one() as u16, counts));
        observed.rows(self.words());
        observed.rows(self.words());
        if rst { self.reset() } else { self.clock(write) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers() -> ControlRegisters {
        ControlRegisters::new(crate::reference::mechanisms::e_rapid::e_rapid::tests::values())
    }

    fn write(registers: &mut ControlRegisters, byte_address: u16, data: u32) {
        registers.clock(Some(Write { address: byte_address / 4, data }));
    }

    #[test]
    fn a_register_takes_the_low_bits_and_no_other_moves() {
        for (place, SignalSpec { name, width, .. }) in ControlRegisters::REGISTERS.into_iter().enumerate() {
            let mut registers = registers();
            let mut expected = registers.words();
            let address = 0x40 + 4 * place as u16;
            for (data, taken) in [(0xffff_ffff, ((1u64 << width) - 1) as u32), (0, 0)] {
                write(&mut registers, address, data);
                expected[place] = taken;
                let read = registers.read(address / 4, Counts::default());
                assert_eq!((registers.words(), read), (expected, taken), "{name}");
            }
        }
    }

    #[test]
    fn they_are_where_the_register_map_has_them() {
        let words = MECHANISM.words.iter().map(|word| (word.name, word.bits as usize, word.offset));
        let all = ControlRegisters::REGISTERS.into_iter().chain(ControlRegisters::COUNTS);
        assert!(words.eq(all.zip((0x40..).step_by(4)).map(|(register, address)| (
            register.name,
            register.width,
            address
        ))));
    }

    #[test]
    fn what_the_codes_of_policies_mean() {
        let mut registers = registers();
        for (code, by_power, by_bandwidth) in [(0, false, false), (1, true, false), (2, false, true), (3, true, true)] {
            write(&mut registers, 0x40, code);
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
        let read = |address: u16| registers.read(address / 4, counts);
        assert_eq!([0x3c, 0x5c, 0x60, 0x64].map(read), [0, 0xfedc, 7, 0]);
        write(&mut registers, 0x44, 9);
        registers.reset();
        assert_eq!(registers, self::registers());
    }
}
