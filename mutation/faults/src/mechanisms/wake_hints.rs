//! Deliberate faults of hints, in the golden model and in the emitted Verilog.

mod golden;

use super::Entry;
use crate::verilog::{VerilogFault, fault};

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: golden::FAULTS, verilog: VERILOG };

static VERILOG: &[&[VerilogFault]] = &[
    &[fault(
        "hint_choice",
        "the address is a cycle early",
        "assign address_d = routed_address_q;",
        "routed_address_q",
        "taken_address_q",
    )],
    &[fault(
        "hint_registers",
        "a write of the lost ones adds up",
        "hints_dropped_d = write_data;",
        "write_data",
        "hints_dropped_q + write_data",
    )],
];
