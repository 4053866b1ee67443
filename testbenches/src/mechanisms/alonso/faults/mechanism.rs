use crate::faults::verilog::VerilogFault;
pub(super) const FAULTS: &[VerilogFault] = &[];
