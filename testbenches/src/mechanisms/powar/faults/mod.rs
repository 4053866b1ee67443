//! Deliberate faults of POWAR's blocks.

mod fsm;
mod golden;
mod groups;
mod mechanism;

use crate::faults::golden::GoldenFault;
use crate::faults::verilog::VerilogFault;

pub(super) const GOLDEN: &[GoldenFault] = golden::FAULTS;
pub(super) static VERILOG: [&[VerilogFault]; 3] = [fsm::FAULTS, groups::FAULTS, mechanism::FAULTS];
