//! Section 3.12: the registers that software writes.

use crate::lock_step::{Block, Observed, input, output, register};
use crate::reference::mechanisms::powar::port_power_fsm::Durations;
use powar_config::{Policy, RegisterValues, SignalDecl};

/// The control registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlRegisters {
    reset_values: RegisterValues,
    /// What the registers hold, but for `clear_statistics`.
    pub values: RegisterValues,
    /// 1 in the cycle after a 1 was written to it.
    pub clear_statistics: bool,
}

impl ControlRegisters {
    /// The registers' names and widths in bits, in the order of their addresses.
    pub const REGISTERS: [(&'static str, usize); 11] = [
        ("policy", 2),
        ("pdt", 24),
        ("check_period", 16),
        ("on_flits", 16),
        ("off_flits", 16),
        ("t_sleep", 24),
        ("t_wake", 24),
        ("t_quiet", 24),
        ("t_refresh", 24),
        ("abort_sleep", 1),
        ("clear_statistics", 1),
    ];

    /// The registers after reset, holding the values of a configuration.
    pub fn new(reset_values: RegisterValues) -> Self {
        ControlRegisters { reset_values, values: reset_values, clear_statistics: false }
    }

    /// What the registers hold, in the order of their addresses.
    pub fn contents(&self) -> [u32; 11] {
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
            self.clear_statistics.into(),
        ]
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

    /// The clock edge; a write is an address and the data, of which the register takes its low bits. Addresses without a
    /// register ignore it.
    pub fn clock(&mut self, write: Option<(u8, u32)>) {
        self.clear_statistics = false;
        let Some((address, data)) = write else { return };
        let bits_24 = data & crate::bits::MAX_24;
        match address {
            0 => self.values.policy = (data & 0b11) as u8,
            1 => self.values.pdt = bits_24,
            2 => self.values.check_period = data as u16,
            3 => self.values.on_flits = data as u16,
            4 => self.values.off_flits = data as u16,
            5 => self.values.t_sleep = bits_24,
            6 => self.values.t_wake = bits_24,
            7 => self.values.t_quiet = bits_24,
            8 => self.values.t_refresh = bits_24,
            9 => self.values.abort_sleep = data & 1 == 1,
            10 => self.clear_statistics = data & 1 == 1,
            _ => {}
        }
    }
}

/// The three write inputs as a write, if there is one.
pub(crate) fn write_of(enable: u64, address: u64, data: u64) -> Option<(u8, u32)> {
    (enable == 1).then_some((address as u8, data as u32))
}

impl Block for ControlRegisters {
    fn signals(&self) -> Vec<SignalDecl> {
        let inputs = [("rst", 1), ("write_enable", 1), ("write_address", 4), ("write_data", 32)];
        let inputs = inputs.map(|(name, width)| input(name, width));
        let outputs = Self::REGISTERS.map(|(name, width)| output(name, width));
        let registers = Self::REGISTERS.map(|(name, width)| register(name, width));
        [&inputs[..], &outputs, &registers].concat()
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        observed.rows(self.contents());
        observed.rows(self.contents());
        if inputs[0] == 1 { self.reset() } else { self.clock(write_of(inputs[1], inputs[2], inputs[3])) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers() -> ControlRegisters {
        ControlRegisters::new(powar_config::presets::by_name("fat-tree-8").unwrap().register_values())
    }

    #[test]
    fn a_register_takes_the_low_bits_and_no_other_moves() {
        for (address, (name, width)) in ControlRegisters::REGISTERS.into_iter().enumerate() {
            let mut registers = registers();
            let mut expected = registers.contents();
            registers.clock(Some((address as u8, 0xffff_ffff)));
            expected[address] = ((1u64 << width) - 1) as u32;
            assert_eq!(registers.contents(), expected, "{name}");
            registers.clock(Some((address as u8, 0)));
            expected[address] = 0;
            assert_eq!(registers.contents(), expected, "{name}");
        }
    }

    #[test]
    fn a_written_clear_lasts_one_cycle_and_needs_bit_0() {
        let mut registers = registers();
        registers.clock(Some((10, 1)));
        assert!(registers.clear_statistics);
        registers.clock(None);
        assert!(!registers.clear_statistics);
        registers.clock(Some((10, 2)));
        assert!(!registers.clear_statistics);
        registers.clock(Some((10, 3)));
        registers.clock(Some((1, 7)));
        assert!(!registers.clear_statistics);
    }

    #[test]
    fn addresses_without_a_register_are_ignored_and_reset_restores_the_configuration() {
        let mut registers = registers();
        for address in 11..=15 {
            registers.clock(Some((address, 1)));
            assert_eq!(registers, self::registers());
        }
        registers.clock(Some((0, 1)));
        assert_eq!(registers.policy().name, "round-robin");
        registers.reset();
        assert_eq!(registers.policy().name, "powar");
    }
}
