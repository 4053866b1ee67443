//! Deliberate faults of Alonso's mechanism.

mod fsm;
mod golden;
mod group;
mod mechanism;
mod registers;

use crate::faults::golden::GoldenFault;
use crate::faults::verilog::VerilogFault;

pub(super) const GOLDEN: &[GoldenFault] = golden::FAULTS;
pub(super) static VERILOG: [&[VerilogFault]; 4] = [fsm::FAULTS, group::FAULTS, registers::FAULTS, mechanism::FAULTS];
