//! `control_registers`: what software sets.

use crate::lock_step::{Block, Observed, Slots, declare, input, output};
use crate::reference::power::mechanism::{Write, write_signals};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::soteriou_peh::{MECHANISM, SoteriouPehValues};
use powar_config::signal::{RST, count, data, duration, word_address};
use powar_config::{Meaning, Role, SignalDecl, SignalSpec};

/// Largest values of 20 and of 23 bits.
const MAX_20: u32 = (1 << 20) - 1;
const MAX_23: u32 = (1 << 23) - 1;

/// The control registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlRegisters {
    reset_values: SoteriouPehValues,
    /// What the registers hold.
    pub values: SoteriouPehValues,
}

impl ControlRegisters {
    /// Byte address of the first; the others follow word by word.
    pub const FIRST: u16 = 0x40;
    /// The registers, in the order of their addresses.
    pub const REGISTERS: [SignalSpec; 12] = [
        SignalSpec::new("policy", 2, Meaning::Policy(MECHANISM.policies)),
        duration("window", 16),
        count("sleep_load", 20),
        count("sleep_step", 20),
        count("wake_load", 20),
        count("wake_step", 20),
        duration("t_trans", 24),
        count("age_limit", 16),
        duration("idle_1", 23),
        duration("idle_2", 23),
        duration("idle_3", 23),
        duration("idle_4", 23),
    ];

    /// The registers after reset, holding the values of a configuration.
    pub fn new(reset_values: SoteriouPehValues) -> Self {
        ControlRegisters { reset_values, values: reset_values }
    }

    /// The register at an address, its byte address / 4; 0 if there is none.
    pub fn read(&self, address: u16) -> u32 {
        let place = address.checked_sub(Self::FIRST / 4);
        place.and_then(|place| self.values.words().get(usize::from(place)).copied()).unwrap_or(0)
    }

    /// The policy is one by load: Design I.
    pub fn by_load(&self) -> bool {
        matches!(self.values.policy, 1 | 2)
    }

    /// Links go off when they have been idle: Design II.
    pub fn on_demand(&self) -> bool {
        self.values.policy == 3
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
            0x44 => values.window = data as u16,
            0x48 => values.sleep_load = data & MAX_20,
            0x4C => values.sleep_step = data & MAX_20,
            0x50 => values.wake_load = data & MAX_20,
            0x54 => values.wake_step = data & MAX_20,
            0x58 => values.t_trans = data & crate::bits::MAX_24,
            0x5C => values.age_limit = data as u16,
            0x60 => values.idle[0] = data & MAX_23,
            0x64 => values.idle[1] = data & MAX_23,
            0x68 => values.idle[2] = data & MAX_23,
            0x6C => values.idle[3] = data & MAX_23,
            _ => {}
        }
    }
}

impl Registers for ControlRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        for (register, value) in Self::REGISTERS.into_iter().zip(self.values.words()) {
            rows.one(register, value);
        }
    }
}

impl Block for ControlRegisters {
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals = vec![input(RST)];
        signals.extend(write_signals());
        signals.extend([input(word_address("read_address", 10)), output(data("read_data"))]);
        signals.extend(declare(Role::Output, Self::REGISTERS));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let (rst, write) = (slots.bit(), Write::take(&mut slots));
        observed.put(self.read(slots.one() as u16));
        observed.rows(self.values.words());
        observed.rows(self.values.words());
        if rst { self.reset() } else { self.clock(write) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{Chosen, Config};

    fn registers() -> ControlRegisters {
        let mut config = Config::of_network("mesh-4x4").unwrap();
        config.mechanism = Chosen(MECHANISM.defaults());
        ControlRegisters::new(config.soteriou_peh_values())
    }

    fn write(registers: &mut ControlRegisters, byte_address: u16, data: u32) {
        registers.clock(Some(Write { address: byte_address / 4, data }));
    }

    #[test]
    fn a_register_takes_the_low_bits_and_no_other_moves() {
        for (place, SignalSpec { name, width, .. }) in ControlRegisters::REGISTERS.into_iter().enumerate() {
            let mut registers = registers();
            let mut expected = registers.values.words();
            let address = 0x40 + 4 * place as u16;
            for (data, taken) in [(0xffff_ffff, ((1u64 << width) - 1) as u32), (0, 0)] {
                write(&mut registers, address, data);
                expected[place] = taken;
                assert_eq!((registers.values.words(), registers.read(address / 4)), (expected, taken), "{name}");
            }
        }
    }

    #[test]
    fn they_are_where_the_register_map_has_them() {
        let words = MECHANISM.words.iter().map(|word| (word.name, word.bits as usize, word.offset));
        let here = ControlRegisters::REGISTERS.into_iter().zip((0x40..).step_by(4));
        assert!(words.eq(here.map(|(register, address)| (register.name, register.width, address))));
    }

    #[test]
    fn what_the_codes_of_policies_mean() {
        let mut registers = registers();
        for (code, by_load, on_demand) in [(0, false, false), (1, true, false), (2, true, false), (3, false, true)] {
            write(&mut registers, 0x40, code);
            assert_eq!((registers.by_load(), registers.on_demand()), (by_load, on_demand), "{code}");
        }
    }

    #[test]
    fn addresses_without_a_register_are_ignored_and_reset_restores_the_configuration() {
        let mut registers = registers();
        for address in [0x00, 0x0c, 0x3c, 0x70, 0xffc] {
            write(&mut registers, address, 1);
            assert_eq!((&registers, registers.read(address / 4)), (&self::registers(), 0));
        }
        write(&mut registers, 0x6c, 7);
        assert_eq!(registers.read(0x6c / 4), 7);
        registers.reset();
        assert_eq!(registers, self::registers());
    }
}
