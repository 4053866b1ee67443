//! Faults of the blocks of the demonstrator.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch;

const fn generator(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(TestSwitch::Star, "traffic_generator", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[generator(
    "the head flit is not counted",
    "assign flits = {6'd0, beats} + 16'd1;",
    "{6'd0, beats} + 16'd1",
    "{6'd0, beats}",
)];
