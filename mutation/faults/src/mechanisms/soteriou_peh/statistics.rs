//! Faults of the statistics in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "window_sums",
        "buffers hold 15 flits at most",
        "own_fill = fill[i*13 +: 13];",
        "fill[i*13 +: 13]",
        "{9'd0, fill[i*13 +: 4]}",
    ),
    fault("load_predictor", "input ports are output ports", "ins_d = in_ports;", "in_ports", "out_ports"),
    fault(
        "age_monitor",
        "the limit has 8 bits",
        "{16'd0, past_departures_q[15:0]} * {16'd0, age_limit}",
        "{16'd0, age_limit}",
        "{24'd0, age_limit[7:0]}",
    ),
];
