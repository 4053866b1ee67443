//! Deliberate faults of Soteriou and Peh's mechanism.

use crate::faults::golden::GoldenFault;
use crate::faults::verilog::VerilogFault;

pub(super) const GOLDEN: &[GoldenFault] = &[];
pub(super) static VERILOG: [&[VerilogFault]; 0] = [];
