//! `budget_registers`: what the budgets of all ports have in common.

use crate::lock_step::Block;
use crate::reference::power::mechanism::{WordInputs, Write};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::SignalSpec;
use powar_config::mechanism::ahead::{AheadValues, MECHANISM};
use powar_config::signal::{data, duration, flag, number};

/// `fraction` counts modulo this many parts of a cycle.
const PARTS: u32 = 1 << 16;

const CAP: SignalSpec = duration("cap", 27);
/// POWAR's T_w, also as others see it.
pub(crate) const T_WAKE: SignalSpec = duration("t_wake", 24);
const RESERVE: SignalSpec = duration("reserve", 26);

/// The registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetRegisters {
    reset_values: AheadValues,
    /// Parts of 2^-16 of a cycle that are earned in a cycle.
    pub bound: u32,
    /// The most that a port can have, cycles.
    pub cap: u32,
    /// Copies of POWAR's T_s and T_w.
    pub t_sleep: u32,
    pub t_wake: u32,
    /// What a port must have to fall asleep, cycles.
    pub reserve: u32,
    /// Parts of 2^-16 of a cycle that have been earned.
    pub fraction: u32,
}

/// T_s + T_w + 2.
fn reserve(t_sleep: u32, t_wake: u32) -> u32 {
    t_sleep + t_wake + 2
}

impl BudgetRegisters {
    /// The registers after reset, holding the values of a configuration.
    pub fn new(reset_values: AheadValues) -> Self {
        let AheadValues { powar, bound, cap } = reset_values;
        let (t_sleep, t_wake) = (powar.t_sleep, powar.t_wake);
        BudgetRegisters { reset_values, bound, cap, t_sleep, t_wake, reserve: reserve(t_sleep, t_wake), fraction: 0 }
    }

    /// `bound` or `cap`, if it is at this address, its byte address / 4; 0 if not.
    pub fn read(&self, address: u16) -> u32 {
        match MECHANISM.word_at(address).map(|word| word.name) {
            Some("bound") => self.bound,
            Some("cap") => self.cap,
            _ => 0,
        }
    }

    /// Every port earns a cycle.
    pub fn earn(&self) -> bool {
        self.fraction + self.bound >= PARTS
    }

    /// `reserve` in the next cycle.
    pub fn next_reserve(&self) -> u32 {
        reserve(self.t_sleep, self.t_wake)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = BudgetRegisters::new(self.reset_values);
    }

    /// The clock edge.
    pub fn clock(&mut self, write: Option<Write>) {
        self.fraction = (self.fraction + self.bound) % PARTS;
        self.reserve = self.next_reserve();
        let Some(Write { address, data }) = write else { return };
        let Some(word) = MECHANISM.word_at(address) else { return };
        let data = data & word.mask();
        match word.name {
            "t_sleep" => self.t_sleep = data,
            "t_wake" => self.t_wake = data,
            "bound" => self.bound = data,
            "cap" => self.cap = data,
            _ => {}
        }
    }
}

impl Registers for BudgetRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(number("bound", 17), self.bound);
        rows.one(CAP, self.cap);
        rows.one(duration("t_sleep", 24), self.t_sleep);
        rows.one(T_WAKE, self.t_wake);
        rows.one(RESERVE, self.reserve);
        rows.one(number("fraction", 16), self.fraction);
    }
}

impl Block for BudgetRegisters {
    type Inputs<'a> = WordInputs;

    fn outputs(&self, seen: &WordInputs, rows: &mut RegisterRows) {
        rows.one(data("read_data"), self.read(seen.read_address));
        rows.one(flag("earn"), self.earn());
        rows.one(CAP, self.cap);
        rows.one(T_WAKE, self.t_wake);
        rows.one(RESERVE, self.reserve);
    }

    fn edge(&mut self, rst: bool, seen: &WordInputs) {
        if rst { self.reset() } else { self.clock(seen.write) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{Chosen, Config, presets};

    fn registers() -> BudgetRegisters {
        let mechanism = Chosen(MECHANISM.defaults());
        let config = Config { mechanism, ..presets::by_name("fat-tree-4").expect("a preset") };
        BudgetRegisters::new(AheadValues::of(&config))
    }

    /// Cycles that are earned in so many.
    fn earned(bound: u32, cycles: u32) -> u32 {
        let mut registers = BudgetRegisters { bound, ..registers() };
        let mut next = || {
            let earn = registers.earn();
            registers.clock(None);
            u32::from(earn)
        };
        (0..cycles).map(|_| next()).sum()
    }

    #[test]
    fn a_cycle_is_earned_as_often_as_the_bound_says() {
        assert_eq!(earned(655, 100_000), (655 * 100_000) >> 16);
        assert_eq!((earned(0, 1000), earned(1 << 15, 1000), earned(1 << 16, 1000)), (0, 500, 1000));
        assert_eq!(earned((1 << 17) - 1, 1000), 1000, "no more than one a cycle");
    }

    #[test]
    fn words_take_the_low_bits_and_are_where_the_register_map_has_them() {
        for word in &MECHANISM.words[10..] {
            let mut registers = registers();
            registers.clock(Some(Write { address: word.offset / 4, data: u32::MAX }));
            assert_eq!(registers.read(word.offset / 4), word.mask(), "{}", word.name);
        }
    }

    #[test]
    fn the_reserve_is_a_cycle_behind_the_times_of_powar() {
        let mut registers = registers();
        assert_eq!(registers.reserve, 4402);
        registers.clock(Some(Write { address: 0x54 / 4, data: 5 }));
        assert_eq!((registers.reserve, registers.read(0x54 / 4)), (4402, 0), "POWAR shows it");
        registers.clock(Some(Write { address: 0x58 / 4, data: 7 }));
        assert_eq!(registers.reserve, 5 + 2600 + 2);
        registers.clock(None);
        assert_eq!(registers.reserve, 14);
        registers.reset();
        assert_eq!(registers, self::registers());
    }
}
