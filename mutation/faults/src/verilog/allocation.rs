//! Faults of allocation and of the crossbar.

use super::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault("vc_arbiter", "VC 0 always comes first", ".pointer (pointer_q),", "pointer_q", "4'b0001"),
    fault(
        "allocator",
        "a port was ready before once it has been",
        "ready_before_d = ready;",
        " ready",
        " ready | ready_before_q",
    ),
    fault(
        "allocator",
        "the VC arbiter moves with every pick",
        ".accept  (accept_q[i*4 +: 4]),",
        "accept_q[i*4 +: 4]",
        "picked_q[i*4 +: 4]",
    ),
    fault("crossbar", "the head mark is a cycle early", "assign head = head_q;", "head_q", "departing_head"),
    fault("crossbar", "a flit comes out a cycle early", "assign valid = valid_q;", "valid_q", "departing"),
    fault(
        "crossbar",
        "the source is that of the next port",
        "assign source_d = number;",
        "number",
        "{number[41:0], number[47:42]}",
    ),
    fault(
        "allocator",
        "a grant is adaptive if the next pick is",
        "assign grant_adaptive_d = picked_adaptive_q;",
        "picked_adaptive_q",
        "pick_adaptive",
    ),
    fault(
        "allocator",
        "a packet is dropped if the next pick is to be",
        "assign grant_drop_d = picked_drop_q;",
        "picked_drop_q",
        "pick_drop",
    ),
    fault(
        "allocator",
        "the pointer of a selector moves past the port that is granted next",
        ".granted          (selector_granted[i*8 +: 8]),",
        "selector_granted[i*8 +: 8]",
        "won[i/4*8 +: 8]",
    ),
    fault(
        "allocator",
        "a packet that is dropped leaves the next pick as it is",
        "assign served_d = serves;",
        "serves",
        "wins",
    ),
    fault(
        "crossbar",
        "the source stays while nothing departs",
        "assign source_d = number;",
        "number",
        "((|departing) ? number : source_q)",
    ),
    fault(
        "allocator",
        "a pick is stale as long as the port is served",
        "assign stale_d = pick_stale;",
        "pick_stale",
        "served_q",
    ),
];
