//! Faults of the routings when links are off.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch::{LastTurns, Stairs};

const fn turns(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(LastTurns, "west_last_east_last_routing", name, find, right, wrong)
}

const fn limit(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Stairs, "injection_limit", name, find, right, wrong)
}

pub const FAULTS: &[VerilogFault] = &[
    limit(
        "packets from switches wait for room, too",
        "assign from_switch = input_port < 6'd4;",
        "input_port < 6'd4",
        "1'b0",
    ),
    turns("columns are ever-on both ways", "assign ever_on[3:2] = street;", "street", "2'd3"),
];
