//! Deliberate faults of Soteriou and Peh's mechanism.

mod golden;
mod mechanism;
mod registers;
mod statistics;

use super::Entry;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry =
    Entry { golden: golden::FAULTS, verilog: &[statistics::FAULTS, registers::FAULTS, mechanism::FAULTS] };
