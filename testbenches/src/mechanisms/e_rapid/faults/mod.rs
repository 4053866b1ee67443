//! Deliberate faults of E-RAPID's mechanism.

mod verilog;

use crate::faults::verilog::VerilogFault;

pub(super) static VERILOG: &[&[VerilogFault]] = &verilog::FAULTS;
