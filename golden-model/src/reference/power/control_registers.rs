//! `control_registers` of a mechanism: what software sets. Every mechanism has them, each with words of its own; in one that is built
//! around another they hold its own words alone, behind those of the other.

use crate::lock_step::Block;
use crate::reference::power::mechanism::{WordInputs, Write};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::{ControlValues, FIRST};
use powar_config::signal::data;

/// The control registers of a mechanism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlRegisters<V> {
    reset_values: V,
    /// What the registers hold; what stands here of a mechanism in this one is what that one's registers hold after reset.
    pub values: V,
}

impl<V: ControlValues> ControlRegisters<V> {
    /// The registers after reset, holding the values of a configuration.
    pub fn new(reset_values: V) -> Self {
        ControlRegisters { reset_values, values: reset_values }
    }

    /// Which register is at an address, its byte address / 4.
    fn place(address: u16) -> Option<usize> {
        let place = usize::from(address).checked_sub(usize::from(FIRST / 4))?;
        (V::BEFORE..V::WORDS.len()).contains(&place).then_some(place)
    }

    /// The register at an address, its byte address / 4; 0 if there is none.
    pub fn read(&self, address: u16) -> u32 {
        Self::place(address).map_or(0, |place| self.values.word(place))
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.values = self.reset_values;
    }

    /// The clock edge. A register takes the low bits of what is written to it; addresses without a register ignore it.
    pub fn clock(&mut self, write: Option<Write>) {
        let Some(Write { address, data }) = write else { return };
        if let Some(place) = Self::place(address) {
            self.values.set_word(place, data);
        }
    }
}

impl<V: ControlValues> Registers for ControlRegisters<V> {
    fn list(&self, rows: &mut RegisterRows) {
        for (register, value) in V::signals().zip(self.values.words().split_off(V::BEFORE)) {
            rows.one(register, value);
        }
    }
}

impl<V: ControlValues> Block for ControlRegisters<V> {
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
    use powar_config::mechanism::alonso::AlonsoValues;
    use powar_config::mechanism::depths::DepthsValues;
    use powar_config::mechanism::e_rapid::ERapidValues;
    use powar_config::mechanism::hints_depths::HintsDepthsValues;
    use powar_config::mechanism::perf_bound::PerfBoundValues;
    use powar_config::mechanism::powar::PowarValues;
    use powar_config::mechanism::soteriou_peh::SoteriouPehValues;
    use powar_config::mechanism::timetable::TimetableValues;
    use powar_config::{Chosen, Config};

    fn of<V: ControlValues>(network: &str, values: fn(&Config) -> V) -> ControlRegisters<V> {
        let mut config = Config::of_network(network).unwrap();
        config.mechanism = Chosen(V::MECHANISM.defaults());
        ControlRegisters::new(values(&config))
    }

    fn write<V: ControlValues>(registers: &mut ControlRegisters<V>, byte_address: u16, data: u32) {
        registers.clock(Some(Write { address: byte_address / 4, data }));
    }

    /// What holds of the registers of any mechanism.
    fn hold<V: ControlValues>(sound: &ControlRegisters<V>) {
        for (place, word) in V::WORDS.iter().enumerate().skip(V::BEFORE) {
            let mut registers = sound.clone();
            let mut expected = registers.values.words();
            for (data, taken) in [(u32::MAX, word.mask()), (0, 0)] {
                write(&mut registers, word.offset, data);
                expected[place] = taken;
                let shown = (registers.values.words(), registers.read(word.offset / 4));
                assert_eq!(shown, (expected.clone(), taken), "{}: a write moves its word alone", word.name);
            }
            registers.reset();
            assert_eq!(registers.values, sound.values, "{}", word.name);
        }
        let behind = FIRST + 4 * V::WORDS.len() as u16;
        let of_the_one_in_it = V::WORDS[..V::BEFORE].iter().map(|word| word.offset);
        for address in [0x00, 0x0c, 0x3c, behind, 0xffc].into_iter().chain(of_the_one_in_it) {
            let mut registers = sound.clone();
            write(&mut registers, address, 1);
            assert_eq!((registers.values, registers.read(address / 4)), (sound.values, 0), "{address:#x}");
        }
        for (word, of_map) in V::WORDS.iter().zip(V::MECHANISM.words) {
            assert_eq!((word.name, word.bits, word.offset), (of_map.name, of_map.bits, of_map.offset));
        }
    }

    #[test]
    fn registers_take_the_low_bits_and_are_where_the_register_map_has_them() {
        hold(&of("8-ary-2-tree", PowarValues::of));
        hold(&of("4-ary-2-tree", AlonsoValues::of));
        hold(&of("4-ary-2-tree", TimetableValues::of));
        hold(&of("4-ary-2-tree", DepthsValues::of));
        hold(&of("4-ary-2-tree", PerfBoundValues::of));
        hold(&of("4-ary-2-tree", HintsDepthsValues::of));
        hold(&of("mesh-4x4", SoteriouPehValues::of));
        hold(&of("boards-3x2", ERapidValues::of));
    }
}
