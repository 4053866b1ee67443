//! The power mechanisms: one folder each, and their list.

pub mod ahead;
pub mod alonso;
mod control_registers;
pub mod depths;
pub mod e_rapid;
pub mod hints_depths;
pub mod perf_bound;
pub mod powar;
pub mod soteriou_peh;
pub mod timetable;
pub mod wake_hints;

use crate::power::Entry;
use anyhow::{Result, ensure};
use powar_config::Config;
use powar_config::mechanism::without;

/// Every mechanism.
pub static ALL: [&Entry; 10] = [
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

/// Whether there is RTL of a configuration's mechanism.
///
/// # Errors
/// There is none.
pub fn check(config: &Config) -> Result<()> {
    let known = ALL.map(|entry| entry.mechanism.name);
    ensure!(known.contains(&config.mechanism().name), without("RTL", config.mechanism(), &known));
    Ok(())
}

/// The mechanism of a configuration.
///
/// # Panics
/// There is no RTL of it; [`check`] says so.
pub fn of(config: &Config) -> &'static Entry {
    let name = config.mechanism().name;
    ALL.into_iter().find(|entry| entry.mechanism.name == name).expect("RTL of the mechanism")
}
