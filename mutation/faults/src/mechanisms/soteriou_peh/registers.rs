//! Faults of the control registers in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "soteriou_peh_control_registers",
        "a window has 8 bits",
        "window_d = write_data[15:0];",
        "write_data[15:0]",
        "{8'd0, write_data[7:0]}",
    ),
    fault(
        "soteriou_peh_control_registers",
        "the threshold for off has 16 bits",
        "sleep_load_d = write_data[19:0];",
        "write_data[19:0]",
        "{4'd0, write_data[15:0]}",
    ),
    fault(
        "soteriou_peh_control_registers",
        "the step for on is odd",
        "wake_step_d = write_data[19:0];",
        "write_data[19:0]",
        "{write_data[19:1], 1'b1}",
    ),
    fault(
        "soteriou_peh_control_registers",
        "the upper half is taken",
        "age_limit_d = write_data[15:0];",
        "write_data[15:0]",
        "write_data[31:16]",
    ),
    fault(
        "soteriou_peh_control_registers",
        "idle times are shared",
        "idle_2_d = idle_2_q;",
        "idle_2_q",
        "(write_enable & (write_address == IDLE_1_AT) ? write_data[22:0] : idle_2_q)",
    ),
    fault(
        "soteriou_peh_control_registers",
        "words are written without being asked for",
        "if (write_enable) begin",
        "write_enable",
        "(write_enable | (write_address == T_TRANS_AT))",
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
    fault(
        "soteriou_peh_control_registers",
        "words without a register show the policy",
        "read_data = 32'd0;",
        "32'd0",
        "{30'd0, policy_q}",
    ),
    fault(
        "soteriou_peh_control_registers",
        "the policy after a reset is another",
        "policy_q     <= 2'd3;",
        "2'd3",
        "2'd1",
    ),
    fault(
        "soteriou_peh_control_registers",
        "the time of a transition survives a reset",
        "t_trans_q    <= 24'd15;",
        "24'd15",
        "t_trans_q",
    ),
];
