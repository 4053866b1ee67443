//! Faults of a virtual channel: its headers, the packet that is read, and when it lets go of its port.

use super::{VerilogFault, fault, fault_at};
use powar_testbenches::test_switches::TestSwitch::LeastOccupied;

/// A fault that shows where the routing sees the header.
const fn header(
    block: &'static str,
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    fault_at(LeastOccupied, block, name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    header(
        "virtual_channel",
        "the user's bits are those of the next packet",
        "header_shown[31:26] = user_q;",
        "user_q",
        "user_d",
    ),
    fault(
        "virtual_channel",
        "a packet is as long as what is left of the one before",
        "remaining_now = length_q;",
        "length_q",
        "remaining_q",
    ),
    fault(
        "virtual_channel",
        "the port is that of the packet before",
        "assign port_d = port_now;",
        "port_now",
        "port_q",
    ),
];
