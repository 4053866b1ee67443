//! Faults of the routing units.

use super::{VerilogFault, fault, fault_at};
use powar_testbenches::test_switches::TestSwitch::{Boards, DragonflyUgal, LeastOccupied, LongTorus};

const fn ugal(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(DragonflyUgal, "dragonfly_ugal_routing", name, find, right, wrong)
}

const fn boards(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Boards, "boards_routing", name, find, right, wrong)
}

const fn least(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(LeastOccupied, "least_occupied_routing", name, find, right, wrong)
}

const fn limited(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(LongTorus, "torus_limited_routing", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    least("the branch is always digit 0", "        case (stage)\n            4'd0: branch", "stage", "4'd0"),
    limited("packets from switches wait for room, too", "(input_port)", "input_port", "6'd9"),
    ugal(
        "occupancies are those of the port before",
        "narrow = occupancy[(q + 2)*13 +: 13];",
        "(q + 2)*13",
        "(q + 1)*13",
    ),
    boards("boards are counted the other way round", "further = to - from;", "to - from", "from - to"),
    fault(
        "route_register",
        "the VCs of D come a cycle early",
        "assign deterministic_vcs = deterministic_vcs_q;",
        "deterministic_vcs_q",
        "new_deterministic_vcs",
    ),
];
