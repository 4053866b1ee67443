//! A demonstrator at the end of a line: its registers by name.

use crate::line::{Line, open_line};
use crate::names::{Name, Names};
use crate::uartbone::Uartbone;
use anyhow::{Context, Result, bail, ensure};
use powar_config::Config;
use powar_config::registers::demonstrator::SWITCH_WINDOW;
use serde::Serialize;
use std::time::Duration;

/// Words that are written before the device is asked whether they have come: few enough that it has taken them long before the time-out.
const WRITES_AT_ONCE: usize = 16;

/// A demonstrator of a known configuration.
pub struct Device {
    bone: Uartbone,
    names: Names,
    config: Config,
}

/// A register with what was read of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Value {
    pub name: String,
    pub address: u32,
    pub value: u32,
}

impl Device {
    /// Opens a line (see [`open_line`]) and looks whether there is a demonstrator of this configuration at its end.
    ///
    /// # Errors
    /// No such port, no answer, another device or another configuration.
    pub fn open(config: &Config, port: &str, baud: u32, timeout: Duration) -> Result<Device> {
        Device::new(config, open_line(port, baud, timeout)?)
    }

    /// The same at the end of a line that is open.
    ///
    /// # Errors
    /// No answer, another device or another configuration.
    pub fn new(config: &Config, line: Box<dyn Line>) -> Result<Device> {
        let mut device = Device { bone: Uartbone::new(line)?, names: Names::new(config), config: config.clone() };
        if device.stranger()?.is_some() {
            // What came may be the answer to a question of a command before this one, which gave up too early.
            device.bone.settle()?;
            if let Some(difference) = device.stranger()? {
                bail!(difference);
            }
        }
        Ok(device)
    }

    /// By what the device that answers is another than that of the configuration; nothing if it is that one.
    fn stranger(&mut self) -> Result<Option<String>> {
        for name in ["switch.id", "demo.id", "switch.geometry", "demo.geometry"] {
            let register = self.names.find(name)?;
            let (found, wanted) = (self.word(register.address)?, register.word.reset_value(&self.config));
            if found != wanted {
                let of = &self.config.name;
                return Ok(Some(format!(
                    "device: {name} reads as {found:#010x}, in the configuration {of} it is {wanted:#010x}"
                )));
            }
        }
        Ok(None)
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn names(&self) -> &Names {
        &self.names
    }

    fn word(&mut self, address: u32) -> Result<u32> {
        Ok(self.bone.read(address, 1)?[0])
    }

    /// Words at consecutive addresses, from that of this register on.
    ///
    /// # Errors
    /// There is no such register; the device doesn't answer.
    pub fn run_of_words(&mut self, first: &str, words: usize) -> Result<Vec<u32>> {
        let address = self.names.find(first)?.address;
        self.bone.read(address, words)
    }

    /// The value of a register or of a part of it.
    ///
    /// # Errors
    /// There is no such register; the device doesn't answer.
    pub fn get(&mut self, name: &str) -> Result<u32> {
        let register = self.names.find(name)?;
        Ok(self.value(&register)?.value)
    }

    /// The values of all registers that a name with `*` stands for.
    ///
    /// # Errors
    /// As of [`Device::get`].
    pub fn get_all(&mut self, pattern: &str) -> Result<Vec<Value>> {
        let found = self.names.find_all(pattern)?;
        found.into_iter().map(|register| self.value(&register)).collect()
    }

    /// The value of a register that [`Names`] has found.
    ///
    /// # Errors
    /// The device doesn't answer.
    pub fn value(&mut self, register: &Name) -> Result<Value> {
        let (word, mask) = (self.word(register.address)?, register.word.mask());
        ensure!(word & !mask == 0, "port: {} reads as {word:#010x}, expected at most {mask:#x}", register.name);
        Ok(Value { name: register.name.clone(), address: register.address, value: register.of_word(word) })
    }

    /// Sets all registers that a name with `*` stands for, or a part of them. Since the protocol doesn't say whether words arrive, the device
    /// is asked for its errors behind them.
    ///
    /// # Errors
    /// There is no such register; it can't be written; a value that doesn't fit; the device doesn't answer, or refuses.
    pub fn set(&mut self, pattern: &str, value: u32) -> Result<Vec<Value>> {
        // All are checked before one is written.
        let found = self.names.find_to_set(pattern, value)?;
        let refused = self.get("demo.bus_errors")?;
        for register in &found {
            let word = if register.field.is_some() { self.word(register.address)? } else { 0 };
            self.bone.write(register.address, &[register.into_word(word, value)?])?;
        }
        let now = self.get("demo.bus_errors")?;
        ensure!(now == refused, "device: refuses to set {pattern}");
        let set = found.into_iter().map(|register| Value { name: register.name, address: register.address, value });
        Ok(set.collect())
    }

    /// Writes words of the switch, in their order: how many they were.
    ///
    /// # Errors
    /// The device doesn't answer, or refuses one.
    pub fn write_all(&mut self, writes: &[(u16, u32)]) -> Result<usize> {
        let refused = self.get("demo.bus_errors")?;
        for some in writes.chunks(WRITES_AT_ONCE) {
            for &(address, word) in some {
                self.bone.write(SWITCH_WINDOW + u32::from(address), &[word])?;
            }
            let now = self.get("demo.bus_errors")?;
            ensure!(now == refused, "device: refuses words of the switch");
        }
        Ok(writes.len())
    }

    /// Sets all counters of the switch and of the demonstrator to 0.
    ///
    /// # Errors
    /// The device doesn't answer.
    pub fn reset_counters(&mut self) -> Result<()> {
        for name in ["switch.clear_counters", "demo.clear"] {
            let address = self.names.find(name)?.address;
            self.bone.write(address, &[1])?;
        }
        // The answer comes after both.
        self.get("demo.cycles").map(drop).context("after the counters were cleared")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;
    use std::collections::{BTreeMap, VecDeque};

    /// A device on whose line the answer to a question of somebody before arrives once it is open.
    struct Late {
        words: BTreeMap<u32, u32>,
        answers: VecDeque<u8>,
        is_late: bool,
    }

    impl Line for Late {
        fn send(&mut self, bytes: &[u8]) -> Result<()> {
            if std::mem::take(&mut self.is_late) {
                self.answers.extend([0; 4]);
            }
            let place = u32::from_be_bytes([bytes[2], bytes[3], bytes[4], bytes[5]]);
            self.answers.extend(self.words.get(&(4 * place)).copied().unwrap_or_default().to_be_bytes());
            Ok(())
        }
        fn receive(&mut self, bytes: &mut [u8]) -> Result<()> {
            for byte in bytes {
                let Some(answer) = self.answers.pop_front() else { bail!("no answer") };
                *byte = answer;
            }
            Ok(())
        }
        fn forget(&mut self) -> Result<()> {
            Ok(())
        }
        fn settle(&mut self) -> Result<()> {
            self.answers.clear();
            Ok(())
        }
    }

    #[test]
    fn an_answer_that_comes_late_is_not_that_of_another_device() {
        let config = presets::by_name("fat-tree-2").unwrap();
        let registers = Names::new(&config);
        let words = registers.all().map(|name| (name.address, name.word.reset_value(&config))).collect();
        let line = Late { words, answers: VecDeque::new(), is_late: true };
        let mut device = Device::new(&config, Box::new(line)).expect("it is the right one");
        let id = registers.find("demo.id").unwrap();
        assert_eq!(device.get("demo.id").unwrap(), id.word.reset_value(&config));
    }
}
