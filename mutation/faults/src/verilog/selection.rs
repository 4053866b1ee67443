//! Faults of the blocks that choose ports and requesters.

use super::{VerilogFault, fault, set_fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    set_fault("D is searched from rrp", ".pointer   (drp_q),", "drp_q", "rrp_q"),
    fault(
        "selector",
        "the port of D is chosen only if it is preferred",
        "assign fallback = deterministic;",
        "deterministic",
        "(deterministic & preferred)",
    ),
];
