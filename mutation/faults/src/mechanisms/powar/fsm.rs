//! Faults of POWAR's FSM of a port in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "port_power_fsm",
        "bit 1 of T_w turns with bit 7",
        "limit = t_wake;",
        "t_wake",
        "t_wake ^ {22'd0, t_wake[7], 1'b0}",
    ),
    fault("port_power_fsm", "bit 18 of PDT is 0", "limit = pdt;", "pdt", "pdt & 24'hfbffff"),
    fault("port_power_fsm", "bit 18 of T_r is 0", "limit = t_refresh;", "t_refresh", "t_refresh & 24'hfbffff"),
    fault("port_power_fsm", "T_w is taken for T_s", "limit = t_sleep;", "t_sleep", "t_wake"),
    fault("port_power_fsm", "PDT is taken for T_w", "limit = t_wake;", "t_wake", "pdt"),
];
