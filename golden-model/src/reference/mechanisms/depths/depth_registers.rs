//! `depth_registers`: what software sets of the depths of all ports.

use crate::lock_step::Block;
use crate::reference::power::mechanism::{WordInputs, Write};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::depths::{DepthsValues, MECHANISM};
use powar_config::signal::{data, duration};

/// The registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepthRegisters {
    reset_values: DepthsValues,
    /// Cycles that a port sleeps lightly before it sleeps deeply; 0: for ever.
    pub deep_after: u32,
    /// Cycles that a deep wake-up takes in all.
    pub t_wake_deep: u32,
}

impl DepthRegisters {
    /// The registers after reset, holding the values of a configuration.
    pub fn new(reset_values: DepthsValues) -> Self {
        let DepthsValues { deep_after, t_wake_deep, .. } = reset_values;
        DepthRegisters { reset_values, deep_after, t_wake_deep }
    }

    /// The register at an address, its byte address / 4; 0 if there is none.
    pub fn read(&self, address: u16) -> u32 {
        match MECHANISM.word_at(address).map(|word| word.name) {
            Some("deep_after") => self.deep_after,
            Some("t_wake_deep") => self.t_wake_deep,
            _ => 0,
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = DepthRegisters::new(self.reset_values);
    }

    /// The clock edge.
    pub fn clock(&mut self, write: Option<Write>) {
        let Some(Write { address, data }) = write else { return };
        let Some(word) = MECHANISM.word_at(address) else { return };
        let data = data & word.mask();
        match word.name {
            "deep_after" => self.deep_after = data,
            "t_wake_deep" => self.t_wake_deep = data,
            _ => {}
        }
    }
}

impl Registers for DepthRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(duration("deep_after", 24), self.deep_after);
        rows.one(duration("t_wake_deep", 24), self.t_wake_deep);
    }
}

impl Block for DepthRegisters {
    type Inputs<'a> = WordInputs;

    fn outputs(&self, seen: &WordInputs, rows: &mut RegisterRows) {
        rows.one(data("read_data"), self.read(seen.read_address));
        self.list(rows);
    }

    fn edge(&mut self, rst: bool, seen: &WordInputs) {
        if rst { self.reset() } else { self.clock(seen.write) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{Chosen, Config, presets};

    fn registers() -> DepthRegisters {
        let mechanism = Chosen(MECHANISM.defaults());
        let config = Config { mechanism, ..presets::by_name("fat-tree-4").expect("a preset") };
        DepthRegisters::new(DepthsValues::of(&config))
    }

    #[test]
    fn words_take_the_low_bits_and_are_where_the_register_map_has_them() {
        for word in &MECHANISM.words[10..] {
            let mut registers = registers();
            registers.clock(Some(Write { address: word.offset / 4, data: u32::MAX }));
            assert_eq!(registers.read(word.offset / 4), word.mask(), "{}", word.name);
            registers.reset();
            assert_eq!(registers, self::registers());
        }
        let mut registers = registers();
        registers.clock(Some(Write { address: 0x44 / 4, data: 5 }));
        assert_eq!((registers.read(0x44 / 4), &registers), (0, &self::registers()), "a word of POWAR's");
    }
}
