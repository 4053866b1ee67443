//! Deliberate faults of Soteriou and Peh's mechanism.

mod golden;
mod links;
mod mechanism;
mod registers;
mod statistics;

use crate::faults::golden::GoldenFault;
use crate::faults::verilog::VerilogFault;

pub(super) const GOLDEN: &[GoldenFault] = golden::FAULTS;
pub(super) static VERILOG: [&[VerilogFault]; 4] =
    [statistics::FAULTS, links::FAULTS, registers::FAULTS, mechanism::FAULTS];
