//! Faults of the control of one wavelength, and of the monitor of what waits, in the emitted Verilog.

use super::fault;
use crate::verilog::VerilogFault;

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "link_controller",
        "the last cycle of a window counts twice",
        "busy_d = busy_count_q;",
        "busy_count_q",
        "(busy_count_q + {11'd0, carries})",
    ),
    fault(
        "queue_monitor",
        "the last cycle of a window counts twice",
        "waited_d = count_q;",
        "count_q",
        "(count_q + {11'd0, waits})",
    ),
];
