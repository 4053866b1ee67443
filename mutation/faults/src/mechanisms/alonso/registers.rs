//! Faults of the control registers in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "alonso_control_registers",
        "the check period has 12 bits",
        "check_period_d = write_data[15:0];",
        "write_data[15:0]",
        "{4'd0, write_data[11:0]}",
    ),
    fault(
        "alonso_control_registers",
        "the upper half is taken",
        "off_flits_d = write_data[15:0];",
        "write_data[15:0]",
        "write_data[31:16]",
    ),
    fault(
        "alonso_control_registers",
        "T_on is written to T_off too",
        "t_off_d = t_off_q;",
        "t_off_q",
        "(write_enable & (write_address == T_ON_AT) ? write_data[23:0] : t_off_q)",
    ),
    fault(
        "alonso_control_registers",
        "any bit sets litmus",
        "litmus_d = write_data[0];",
        "write_data[0]",
        "|write_data",
    ),
    fault(
        "alonso_control_registers",
        "start can't be cleared",
        "start_d = write_data[0];",
        "write_data[0]",
        "write_data[0] | start_q",
    ),
    fault(
        "alonso_control_registers",
        "words are written without being asked for",
        "if (write_enable) begin",
        "write_enable",
        "(write_enable | (write_address == T_OFF_AT))",
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
    fault("alonso_control_registers", "start is read at litmus", "read_data[0] = litmus_q;", "litmus_q", "start_q"),
    fault(
        "alonso_control_registers",
        "words without a register show the policy",
        "read_data = 32'd0;",
        "32'd0",
        "{30'd0, policy_q}",
    ),
    fault("alonso_control_registers", "the policy after a reset is another", "policy_q       <= 2'd2;", "2'd2", "2'd1"),
    fault("alonso_control_registers", "T_on survives a reset", "t_on_q         <= 24'd20;", "24'd20", "t_on_q"),
];
