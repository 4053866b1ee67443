//! Deliberate faults of Alonso's mechanism.

mod golden;
mod group;
mod mechanism;
mod registers;

use super::Entry;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry =
    Entry { golden: golden::FAULTS, verilog: &[group::FAULTS, registers::FAULTS, mechanism::FAULTS] };
