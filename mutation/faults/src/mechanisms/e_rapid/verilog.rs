//! Faults of E-RAPID's mechanism in the emitted Verilog: at a switch of three boards.

mod links;
mod mechanism;
mod ring;

use crate::verilog::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch::Boards;

pub(super) static FAULTS: [&[VerilogFault]; 3] = [links::FAULTS, ring::FAULTS, mechanism::FAULTS];

/// One at such a switch.
const fn fault(
    block: &'static str,
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    fault_at(Boards, block, name, find, right, wrong)
}
