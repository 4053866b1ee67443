//! Timetable: every port sleeps by a fixed timetable, whatever the load. The smallest complete mechanism, to be copied.

#[allow(clippy::module_inception)]
pub mod timetable;

pub use timetable::Timetable;

use crate::power::Entry;
use powar_config::mechanism::timetable::MECHANISM;

/// The line in the list of mechanisms. It is one block, made of no others.
pub static ENTRY: Entry =
    Entry { mechanism: &MECHANISM, build: |config| Box::new(Timetable::new(config)), blocks: |_| vec![] };
