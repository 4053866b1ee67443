//! Faults of the control registers in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "alonso_control_registers",
        "turn_on is written to turn_off too",
        "turn_off_d = turn_off_q;",
        "turn_off_q",
        "(write_enable & (write_address == TURN_ON_AT) ? write_data[23:0] : turn_off_q)",
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
