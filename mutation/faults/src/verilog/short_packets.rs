//! Faults of what switches for short packets alone have: next routes, and ports that are let go of at once, or chosen
//! while they are held.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch::ShortPackets;

const fn short(
    block: &'static str,
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    fault_at(ShortPackets, block, name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    short(
        "route_register",
        "with an accept the ports of the packet that goes are shown",
        "adaptive = next_adaptive_q;",
        "next_adaptive_q",
        "adaptive_q",
    ),
    short(
        "route_register",
        "the next packet is as long as the one that comes",
        "            length_d = next_length_q;",
        "next_length_q",
        "new_length",
    ),
    short(
        "virtual_channel",
        "the accepted packet is as long as the one in the head register",
        "remaining_now = accepted_length;",
        "accepted_length",
        "length_q",
    ),
    short(
        "virtual_channel",
        "the length that is shown is that of the packet that is read",
        "assign length_shown = length_q;",
        "length_q",
        "remaining_q",
    ),
];
