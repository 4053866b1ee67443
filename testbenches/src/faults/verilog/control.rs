//! Faults of the registers and of the controller around the power manager.

use super::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "control_registers",
        "off_flits is the upper half of what is written",
        "off_flits_d = write_data[15:0];",
        "write_data[15:0]",
        "write_data[31:16]",
    ),
    fault(
        "control_registers",
        "t_refresh has no address",
        "write_address == T_REFRESH_AT)",
        "T_REFRESH_AT",
        "T_QUIET_AT",
    ),
    fault(
        "control_registers",
        "address 9 writes PDT too",
        "(write_address == PDT_AT)",
        "write_address == PDT_AT",
        "write_address[2:0] == 3'd1",
    ),
    fault(
        "control_registers",
        "PDT has 16 bits",
        "pdt_d = write_data[23:0];",
        "write_data[23:0]",
        "{8'd0, write_data[15:0]}",
    ),
    fault(
        "control_registers",
        "the policy is read one bit too high",
        "policy_d = write_data[1:0];",
        "write_data[1:0]",
        "write_data[2:1]",
    ),
    fault(
        "control_registers",
        "abort_sleep takes any bit",
        "abort_sleep_d = write_data[0];",
        "write_data[0]",
        "|write_data",
    ),
    fault("control_registers", "clear_statistics stays", "clear_statistics_d = 1'b0;", "1'b0", "clear_statistics_q"),
    fault("control_registers", "writes need no write_enable", "if (write_enable) begin", "write_enable", "1'b1"),
    fault("control_registers", "T_s starts as T_w", "t_sleep_q          <= 24'd1800;", "24'd1800", "24'd2600"),
    fault("control_registers", "the policy is not reset", "policy_q           <= 2'd3;", "2'd3", "policy_q"),
    fault("power_controller", "a held port is given again", "assign arbiter_free = ~busy;", "~busy", "8'hff"),
    fault(
        "power_controller",
        "a grant of the last port is not noticed",
        "accepted[r] = |grant[r*8 +: 8];",
        "grant[r*8 +: 8]",
        "grant[r*8 +: 7]",
    ),
    fault(
        "power_controller",
        "requesters and ports are mixed up",
        "arbiter_request[p*8 + r] = selector_choice[r*8 + p];",
        "selector_choice[r*8 + p]",
        "selector_choice[p*8 + r]",
    ),
    fault(
        "power_controller",
        "the requester holds the port's place",
        ".given            (given),",
        "(given)",
        "(accepted)",
    ),
    fault("power_controller", "every flit frees its port", ".released         (flit_tail),", "flit_tail", "flit_valid"),
    fault(
        "power_controller",
        "the statistics are never cleared",
        "(registers_clear_statistics),\n        .given",
        "registers_clear_statistics",
        "1'b0",
    ),
    fault(
        "power_controller",
        "T_w is taken for T_s",
        ".t_sleep          (registers_t_sleep),\n        .t_wake           (registers_t_wake),\n        .t_quiet          \
         (registers_t_quiet),\n        .t_refresh        (registers_t_refresh),\n        .abort_sleep      \
         (registers_abort_sleep),\n        .clear_statistics (registers_clear_statistics),\n        .given",
        "(registers_t_sleep)",
        "(registers_t_wake)",
    ),
    fault(
        "power_controller",
        "the selectors do not see which ports sleep",
        ".awake           (awake),\n                .selectable",
        "(awake)",
        "(busy)",
    ),
];
