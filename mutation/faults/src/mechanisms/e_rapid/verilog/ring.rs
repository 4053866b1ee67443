//! Faults of a board's place on the ring in the emitted Verilog.

use super::fault;
use crate::verilog::VerilogFault;

pub(super) const FAULTS: &[VerilogFault] = &[fault(
    "ring_station",
    "words of wrong parity are taken",
    "assign sound = ~odd & (ring_in[39] ^ ring_in[40]) & ({1'b0, ring_in[38:36]} < 4'd3) & ({1'b0, ring_in[35:33]} < 4'd3);",
    "~odd",
    "1'b1",
)];
