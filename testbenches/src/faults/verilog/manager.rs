//! Faults of the power manager: ports and groups together.

use super::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "power_manager",
        "every flit frees its port",
        "& ~(flit_valid & released));",
        "flit_valid & released",
        "flit_valid",
    ),
    fault(
        "power_manager",
        "a port is released without a flit",
        "& ~(flit_valid & released));",
        "flit_valid & released",
        "released",
    ),
    fault("power_manager", "no port is released", "& ~(flit_valid & released));", "flit_valid & released", "8'd0"),
    fault("power_manager", "a given port is not held", "assign busy_d = given | (", "given", "8'd0"),
    fault(
        "power_manager",
        "a release beats the next packet",
        "assign busy_d = given | (busy_q & ~(flit_valid & released));",
        "given | (busy_q & ~(flit_valid & released))",
        "(given | busy_q) & ~(flit_valid & released)",
    ),
    fault("power_manager", "a sleeping port may send", "assign transmit = busy_q & awake;", "busy_q & awake", "busy_q"),
    fault(
        "power_manager",
        "a flit on the port is no use of it",
        "assign fsm_in_use = busy_q | flit_valid;",
        "busy_q | flit_valid",
        "busy_q",
    ),
    fault(
        "power_manager",
        "RoundRobin does not let ports sleep",
        "assign sleep_enable = SLEEPS[policy];",
        "SLEEPS[policy]",
        "policy[1]",
    ),
    fault(
        "power_manager",
        "the group's ports are the lower half",
        "assign selectable = {group_selectable, 4'd15};",
        "{group_selectable, 4'd15}",
        "{4'd15, group_selectable}",
    ),
    fault(
        "power_manager",
        "the group counts the flits of other ports",
        "(flit_valid[7:4])",
        "flit_valid[7:4]",
        "flit_valid[3:0]",
    ),
    fault(
        "power_manager",
        "the statistics are never cleared",
        "(clear_statistics),\n                .active_cycles",
        "clear_statistics",
        "1'b0",
    ),
    fault(
        "power_manager",
        "a held port is woken, not a given one",
        ".wake_request (given[i]),",
        "given[i]",
        "busy_q[i]",
    ),
    fault(
        "power_manager",
        "T_w is taken for T_s",
        ".t_sleep      (t_sleep),\n                .t_wake ",
        "(t_sleep)",
        "(t_wake)",
    ),
    fault(
        "power_manager",
        "the statistics count transmit",
        ".flit            (flit_valid[i]),",
        "flit_valid[i]",
        "transmit[i]",
    ),
    fault(
        "power_manager",
        "T_on reaches the group as T_off",
        ".off_flits  (off_flits),\n        .selectable",
        "(off_flits)",
        "(on_flits)",
    ),
    fault("power_manager", "held ports survive a reset", "busy_q <= 8'd0;", "8'd0", "busy_q"),
];
