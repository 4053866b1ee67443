//! Faults of the control registers in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "soteriou_peh_control_registers",
        "idle times are shared",
        "idle_2_d = idle_2_q;",
        "idle_2_q",
        "(write_enable & (write_address == IDLE_1_AT) ? write_data[22:0] : idle_2_q)",
    ),
    fault(
        "soteriou_peh_control_registers",
        "idle times are read one for the other",
        "read_data = {9'd0, idle_3_q};",
        "idle_3_q",
        "idle_4_q",
    ),
    fault(
        "soteriou_peh_control_registers",
        "the policy is read with one bit",
        "read_data = {30'd0, policy_q};",
        "policy_q",
        "{1'b0, policy_q[0]}",
    ),
];
