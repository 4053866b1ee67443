//! The power mechanisms: one folder each, and their list.

pub mod ahead;
pub mod alonso;
pub mod depths;
pub mod e_rapid;
pub mod hints_depths;
pub mod perf_bound;
pub mod powar;
pub mod soteriou_peh;
pub mod timetable;
pub mod wake_hints;

use crate::lock_step::{Frames, LockStep};
use crate::reference::power::PowerMechanism;
use anyhow::{Result, ensure};
use powar_config::mechanism::without;
use powar_config::{Config, CycleModel};

/// A mechanism's models.
pub struct Entry {
    /// Its name in [`powar_config::mechanism::ALL`].
    pub name: &'static str,
    /// The mechanism of this configuration in its state after reset.
    pub build: fn(&Config) -> Box<dyn PowerMechanism>,
    /// Golden twins of the blocks that it is built of, by name; it itself is not among them.
    pub blocks: fn(&Config) -> Vec<(String, Twin)>,
}

/// A block under the harness.
pub type Twin = Box<dyn CycleModel + Send>;

/// Every mechanism. A new one is a folder and a line here.
const ALL: [&Entry; 10] = [
    &powar::ENTRY,
    &alonso::ENTRY,
    &timetable::ENTRY,
    &soteriou_peh::ENTRY,
    &e_rapid::ENTRY,
    &ahead::ENTRY,
    &wake_hints::ENTRY,
    &depths::ENTRY,
    &perf_bound::ENTRY,
    &hints_depths::ENTRY,
];

/// Whether there are models of a configuration's mechanism.
///
/// # Errors
/// There are none.
pub fn check(config: &Config) -> Result<()> {
    let known = ALL.map(|entry| entry.name);
    ensure!(known.contains(&config.mechanism().name), without("reference model", config.mechanism(), &known));
    Ok(())
}

/// The models of a configuration's mechanism.
///
/// # Panics
/// There are none; [`check`] says so.
pub fn entry(config: &Config) -> &'static Entry {
    let name = config.mechanism().name;
    let entry = ALL.into_iter().find(|entry| entry.name == name);
    entry.unwrap_or_else(|| panic!("{name}: the golden model has no such mechanism"))
}

/// A configuration's mechanism in its state after reset.
pub fn build(config: &Config) -> Box<dyn PowerMechanism> {
    (entry(config).build)(config)
}

/// A block under the harness.
pub(crate) fn twin(block: impl Frames + Send + 'static) -> Twin {
    Box::new(LockStep::new(block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_of_the_configuration_has_models() {
        let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
        assert_eq!(names, powar_config::mechanism::ALL.map(|mechanism| mechanism.name));
        let config = powar_config::presets::by_name("fat-tree-2").unwrap();
        assert_eq!(build(&config).entry().name, config.mechanism().name);
    }
}
