//! What the harness knows of each power mechanism beyond what the models share about it: one folder each, and their list.
//!
//! To add one: a folder beside `powar` with its entry, and one line in [`ALL`].

mod powar;

use crate::faults::golden::GoldenFault;
use crate::faults::verilog::VerilogFault;
use crate::random::Random;
use crate::stimulus::scenario::Kind;
use anyhow::{Result, ensure};
use powar_config::mechanism::without;
use powar_config::{Config, Mechanism};

/// A power mechanism to stimuli, waves and faults.
pub(crate) struct Entry {
    pub mechanism: &'static Mechanism,
    /// How an input of one of its own blocks is driven at random, by the input's name; none: fresh in every cycle, as any other.
    pub kind: fn(&str) -> Option<Kind>,
    /// What software writes: the name of a word, and a value of its bits that mostly leaves the ports something to do.
    pub some_write: fn(&mut Random) -> (&'static str, u32),
    /// The names of the values of one of its registers, by the last part of the register's path.
    pub codes: fn(&str) -> Option<&'static [&'static str]>,
    /// Paths below a port of the durations that are worth seeing at once.
    pub durations: &'static [&'static str],
    pub golden_faults: &'static [GoldenFault],
    pub verilog_faults: &'static [&'static [VerilogFault]],
}

/// Every mechanism.
pub(crate) static ALL: [&Entry; 1] = [&powar::ENTRY];

/// Whether there is an entry of a configuration's mechanism.
///
/// # Errors
/// There is none.
pub(crate) fn check(config: &Config) -> Result<()> {
    let known = ALL.map(|entry| entry.mechanism.name);
    ensure!(known.contains(&config.mechanism().name), without("lock-step entry", config, &known));
    Ok(())
}

/// What there is to know of a mechanism that [`check`] has found.
pub(crate) fn of(mechanism: &Mechanism) -> &'static Entry {
    let found = ALL.into_iter().find(|entry| entry.mechanism.name == mechanism.name);
    found.expect("an entry of the mechanism")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_has_its_entry() {
        let names = |list: &[&Mechanism]| list.iter().map(|mechanism| mechanism.name).collect::<Vec<_>>();
        assert_eq!(names(&ALL.map(|entry| entry.mechanism)), names(&powar_config::mechanism::ALL));
    }

    #[test]
    fn what_software_writes_are_words_of_the_mechanism() {
        let mut random = Random::new(1);
        for entry in ALL {
            for _ in 0..500 {
                let (name, value) = (entry.some_write)(&mut random);
                let word = entry.mechanism.words.iter().find(|word| word.name == name);
                let word = word.unwrap_or_else(|| panic!("{} has no word {name}", entry.mechanism.name));
                assert_eq!(value & !word.mask(), 0, "{name}: {value}");
            }
        }
    }
}
