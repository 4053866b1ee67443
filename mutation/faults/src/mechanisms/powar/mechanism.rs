//! Faults of POWAR's registers, and of the wiring of its blocks, in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault("control_registers", "T_q is read as T_r", "read_data = {8'd0, t_quiet_q};", "t_quiet_q", "t_refresh_q"),
    fault(
        "powar",
        "the check period is PDT's",
        ".period (registers_check_period),",
        "registers_check_period",
        "registers_pdt[15:0]",
    ),
    fault(
        "powar",
        "the highest bit of T_w does not get to the ports",
        ".t_wake          (registers_t_wake),\n                .t_quiet ",
        "registers_t_wake",
        "registers_t_wake & 24'h7fffff",
    ),
    fault(
        "powar",
        "the highest bit of T_r does not get to the ports",
        ".t_refresh       (registers_t_refresh),\n                .short_durations ",
        "registers_t_refresh",
        "registers_t_refresh & 24'h7fffff",
    ),
    fault(
        "powar",
        "T_w is taken for T_s",
        ".t_sleep         (registers_t_sleep),\n                .t_wake ",
        "(registers_t_sleep)",
        "(registers_t_wake)",
    ),
];
