//! Deliberate faults of E-RAPID's mechanism.

mod golden;
mod verilog;

use super::Entry;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: golden::FAULTS, verilog: &verilog::FAULTS };
