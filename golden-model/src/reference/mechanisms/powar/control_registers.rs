//! `control_registers`: what software sets.

use crate::lock_step::{Block, Observed, Slots, declare, input, output};
use crate::reference::mechanisms::powar::port_power_fsm::Durations;
use crate::reference::power::mechanism::{Write, write_signals};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::powar::MECHANISM;
use powar_config::signal::{RST, count, data, duration, flag, word_address};
use powar_config::{Meaning, Policy, RegisterValues, Role, SignalDecl, SignalSpec};

/// The control registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlRegisters {
    reset_values: RegisterValues,
    /// What the registers hold.
    pub values: RegisterValues,
}

impl ControlRegisters {
    /// Byte address of the first; the others follow word by word.
    pub const FIRST: u16 = 0x40;
    /// The registers, in the order of their addresses.
    pub const REGISTERS: [SignalSpec; 10] = [
        SignalSpec::new("policy", 2, Meaning::Policy(MECHANISM.policies)),
        duration("pdt", 24),
        duration("check_period", 16),
        count("on_flits", 16),
        count("off_flits", 16),
        duration("t_sleep", 24),
        duration("t_wake", 24),
        duration("t_quiet", 24),
        duration("t_refresh", 24),
        flag("abort_sleep"),
    ];

    /// The registers after reset, holding the values of a configuration.
    pub fn new(reset_values: RegisterValues) -> Self {
        ControlRegisters { reset_values, values: reset_values }
    }

    /// What the registers hold, in the order of their addresses.
    pub fn contents(&self) -> [u32; 10] {
        let v = &self.values;
        [
            v.policy.into(),
            v.pdt,
            v.check_period.into(),
            v.on_flits.into(),
            v.off_flits.into(),
            v.t_sleep,
            v.t_wake,
            v.t_quiet,
            v.t_refresh,
            v.abort_sleep.into(),
        ]
    }

    /// The register at an address, its byte address / 4; 0 if there is none.
    pub fn read(&self, address: u16) -> u32 {
        let place = address.checked_sub(Self::FIRST / 4);
        place.and_then(|place| self.contents().get(usize::from(place)).copied()).unwrap_or(0)
    }

    /// The policy in force.
    pub fn policy(&self) -> &'static Policy {
        Policy::by_code(self.values.policy).expect("every 2-bit code is a policy")
    }

    /// The durations of the power FSMs.
    pub fn durations(&self) -> Durations {
        let RegisterValues { pdt, t_sleep, t_wake, t_quiet, t_refresh, .. } = self.values;
        Durations { pdt, t_sleep, t_wake, t_quiet, t_refresh }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = ControlRegisters::new(self.reset_values);
    }

    /// The clock edge. A register takes the low bits of what is written to it; addresses without a register ignore it.
    pub fn clock(&mut self, write: Option<Write>) {
        let Some(Write { address, data }) = write else { return };
        let bits_24 = data & crate::bits::MAX_24;
        match address * 4 {
            0x40 => self.values.policy = (data & 0b11) as u8,
            0x44 => self.values.pdt = bits_24,
            0x48 => self.values.check_period = data as u16,
            0x4C => self.values.on_flits = data as u16,
            0x50 => self.values.off_flits = data as u16,
            0x54 => self.values.t_sleep = bits_24,
            0x58 => self.values.t_wake = bits_24,
            0x5C => self.values.t_quiet = bits_24,
            0x60 => self.values.t_refresh = bits_24,
            0x64 => self.values.abort_sleep = data & 1 == 1,
            _ => {}
        }
    }
}

impl Registers for ControlRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        for (register, value) in Self::REGISTERS.into_iter().zip(self.contents()) {
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
        observed.rows(self.contents());
        observed.rows(self.contents());
        if rst { self.reset() } else { self.clock(write) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::powar::MECHANISM;

    fn registers() -> ControlRegisters {
        ControlRegisters::new(powar_config::presets::by_name("fat-tree-8").unwrap().powar_values())
    }

    fn write(registers: &mut ControlRegisters, byte_address: u16, data: u32) {
        registers.clock(Some(Write { address: byte_address / 4, data }));
    }

    #[test]
    fn a_register_takes_the_low_bits_and_no_other_moves() {
        for (place, SignalSpec { name, width, .. }) in ControlRegisters::REGISTERS.into_iter().enumerate() {
            let mut registers = registers();
            let mut expected = registers.contents();
            let address = 0x40 + 4 * place as u16;
            for (data, taken) in [(0xffff_ffff, ((1u64 << width) - 1) as u32), (0, 0)] {
                write(&mut registers, address, data);
                expected[place] = taken;
                assert_eq!((registers.contents(), registers.read(address / 4)), (expected, taken), "{name}");
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
    fn addresses_without_a_register_are_ignored_and_reset_restores_the_configuration() {
        let mut registers = registers();
        for address in [0x00, 0x0c, 0x3c, 0x68, 0xffc] {
            write(&mut registers, address, 1);
            assert_eq!((&registers, registers.read(address / 4)), (&self::registers(), 0));
        }
        write(&mut registers, 0x40, 1);
        assert_eq!(registers.policy().name, "round-robin");
        registers.reset();
        assert_eq!(registers.policy().name, "powar");
    }
}
