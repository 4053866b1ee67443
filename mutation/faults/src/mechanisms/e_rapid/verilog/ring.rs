//! Faults of a board's place on the ring in the emitted Verilog.

use super::fault;
use crate::verilog::VerilogFault;

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "ring_station",
        "the parity's own bit is not looked at",
        "assign odd = ^ring_in;",
        "^ring_in",
        "^ring_in[40:0]",
    ),
    fault("ring_station", "errors count twice", "(ring_errors_q + 16'd1)", "16'd1", "16'd2"),
    fault(
        "ring_station",
        "words of wrong parity are taken",
        "assign sound = ~odd & (ring_in[39] ^ ring_in[40]) & ({1'b0, ring_in[38:36]} < 4'd3) & ({1'b0, ring_in[35:33]} < 4'd3);",
        "~odd",
        "1'b1",
    ),
    fault(
        "ring_station",
        "the unused kind is a message",
        "assign sound = ~odd & (ring_in[39] ^ ring_in[40]) & ({1'b0, ring_in[38:36]} < 4'd3) & ({1'b0, ring_in[35:33]} < 4'd3);",
        "ring_in[39] ^ ring_in[40]",
        "ring_in[39] | ring_in[40]",
    ),
    fault(
        "ring_station",
        "an owner that is no board is taken",
        "assign sound = ~odd & (ring_in[39] ^ ring_in[40]) & ({1'b0, ring_in[38:36]} < 4'd3) & ({1'b0, ring_in[35:33]} < 4'd3);",
        "({1'b0, ring_in[38:36]} < 4'd3)",
        "1'b1",
    ),
    fault(
        "ring_station",
        "a wavelength that there is not is taken",
        "assign sound = ~odd & (ring_in[39] ^ ring_in[40]) & ({1'b0, ring_in[38:36]} < 4'd3) & ({1'b0, ring_in[35:33]} < 4'd3);",
        "({1'b0, ring_in[35:33]} < 4'd3)",
        "1'b1",
    ),
    fault(
        "ring_station",
        "the wavelength is taken for the owner",
        "assign ours = word_q[38:36] == me;",
        "word_q[38:36]",
        "word_q[35:33]",
    ),
    fault(
        "ring_station",
        "a message waits for the place that its own has left",
        "assign sent = send & ~passes;",
        "~passes",
        "~present",
    ),
    fault("ring_station", "only requests come back", "assign own = present & ours;", "present", "word_q[39]"),
    fault("ring_station", "responses are filled in", "if (word_q[39]) begin", "word_q[39]", "1'b1"),
    fault(
        "ring_station",
        "the claim is filled in by the holder",
        "passed = (word_q & KEPT_BITS) | (({21'd0, filled} << 12) & FILLED_BITS) | {30'd0, waited};",
        "FILLED_BITS",
        "42'h1ffffffff",
    ),
    fault(
        "ring_station",
        "the holder wipes a claim out",
        "passed = (word_q & KEPT_BITS) | (({21'd0, filled} << 12) & FILLED_BITS) | {30'd0, waited};",
        "KEPT_BITS",
        "42'h3fe00000000",
    ),
    fault(
        "ring_station",
        "how packets wait is not filled in",
        "passed = (word_q & KEPT_BITS) | (({21'd0, filled} << 12) & FILLED_BITS) | {30'd0, waited};",
        "waited",
        "word_q[11:0]",
    ),
    fault("ring_station", "the holder alone may claim", "if (claims) begin", "claims", "claims & fills"),
    fault(
        "ring_station",
        "the controller's message has the way",
        "if (passes) begin\n            outgoing = passed;",
        "passes",
        "passes & ~send",
    ),
    fault(
        "ring_station",
        "the parity that came in goes out",
        "assign ring_out_d = {^outgoing[40:0], outgoing[40:0]};",
        "^outgoing[40:0]",
        "outgoing[41]",
    ),
    fault("ring_station", "a word survives a reset", "word_q        <= 42'd0;", "42'd0", "word_q"),
    fault("ring_station", "errors survive a reset", "ring_errors_q <= 16'd0;", "16'd0", "ring_errors_q"),
];
