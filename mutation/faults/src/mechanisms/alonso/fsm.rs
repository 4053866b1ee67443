//! Faults of the FSM of a link in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "link_fsm",
        "a link drains for one cycle only",
        "end else if (in_use | (elapsed_q == 24'd1)) begin",
        "in_use | (elapsed_q == 24'd1)",
        "in_use",
    ),
    fault("link_fsm", "a link that has drained for a cycle begins again", "elapsed_d = 24'd2;", "24'd2", "24'd1"),
    fault(
        "link_fsm",
        "phases end a cycle late: > for >=",
        "assign over = elapsed_q >= limit;",
        "elapsed_q >= limit",
        "elapsed_q > limit",
    ),
    fault(
        "link_fsm",
        "a duration made shorter is missed: == for >=",
        "assign over = elapsed_q >= limit;",
        "elapsed_q >= limit",
        "elapsed_q == limit",
    ),
    fault("link_fsm", "T_on is taken for T_off", "? t_off : t_on;", "t_off", "t_on"),
    fault(
        "link_fsm",
        "a link in use does not drain",
        "end else if (in_use | (elapsed_q == 24'd1)) begin",
        "in_use",
        "1'b0",
    ),
    fault(
        "link_fsm",
        "a link that is not in use does not go off",
        "end else if (in_use | (elapsed_q == 24'd1)) begin",
        "in_use | (elapsed_q == 24'd1)",
        "1'b1",
    ),
    fault("link_fsm", "Draining is left out", "phase_d = PHASE_DRAINING;", "PHASE_DRAINING", "PHASE_GOING_OFF"),
    fault(
        "link_fsm",
        "a link that drains takes T_on to be on again",
        "if (active) begin\n                phase_d = PHASE_ON;",
        "PHASE_ON",
        "PHASE_COMING_ON",
    ),
    fault(
        "link_fsm",
        "going off can't be turned back",
        "end else if (active) begin\n            phase_d = PHASE_COMING_ON;",
        "active",
        "active & (phase_q == PHASE_OFF)",
    ),
    fault(
        "link_fsm",
        "a link that is off is on at once",
        "phase_d = PHASE_COMING_ON;",
        "PHASE_COMING_ON",
        "(phase_q == PHASE_OFF ? PHASE_ON : PHASE_COMING_ON)",
    ),
    fault("link_fsm", "what comes on is not announced", "coming_on = 1'b1;", "1'b1", "phase_q == PHASE_OFF"),
    fault("link_fsm", "the cycles go on from phase to phase", "elapsed_d = 24'd1;", "24'd1", "elapsed_q"),
    fault("link_fsm", "cycles count twice", "elapsed_d = elapsed_q + 24'd1;", "elapsed_q + 24'd1", "elapsed_q + 24'd2"),
    fault("link_fsm", "T_off has 5 bits", "? t_off : t_on;", "t_off", "{19'd0, t_off[4:0]}"),
    fault("link_fsm", "the cycles survive a reset", "elapsed_q <= 24'd1;", "24'd1", "elapsed_q"),
    fault(
        "link_fsm",
        "a reset leaves a link off",
        "phase_q   <= 3'd0;",
        "3'd0",
        "(phase_q == PHASE_OFF ? PHASE_OFF : 3'd0)",
    ),
];
