//! Deliberate faults of POWAR's blocks.

mod fsm;
mod golden;
mod groups;
mod mechanism;

use super::Entry;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry =
    Entry { golden: golden::FAULTS, verilog: &[fsm::FAULTS, groups::FAULTS, mechanism::FAULTS] };
