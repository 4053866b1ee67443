//! Deliberate faults of hints, in the golden model and in the emitted Verilog.

use crate::faults::golden::GoldenFault;
use crate::faults::verilog::VerilogFault;

pub(super) const GOLDEN: &[GoldenFault] = &[];

pub(super) static VERILOG: [&[VerilogFault]; 0] = [];
