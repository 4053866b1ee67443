//! Faults of the control registers in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "alonso_control_registers",
        "T_on is written to T_off too",
        "t_off_d = t_off_q;",
        "t_off_q",
        "(write_enable & (write_address == T_ON_AT) ? write_data[23:0] : t_off_q)",
    ),
    fault(
        "alonso_control_registers",
        "U_off is read for U_on",
        "read_data = {16'd0, on_flits_q};",
        "on_flits_q",
        "off_flits_q",
    ),
    fault(
        "alonso_control_registers",
        "the policy is read with one bit",
        "read_data = {30'd0, policy_q};",
        "policy_q",
        "{1'b0, policy_q[0]}",
    ),
];
