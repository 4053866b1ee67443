//! Deliberate faults of E-RAPID's mechanism.

mod golden;
mod verilog;

use crate::faults::golden::GoldenFault;
use crate::faults::verilog::VerilogFault;

pub(super) const GOLDEN: &[GoldenFault] = golden::FAULTS;
pub(super) static VERILOG: &[&[VerilogFault]] = &verilog::FAULTS;
