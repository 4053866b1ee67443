//! Faults of the blocks of an output port: its credits and its link.

use super::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] =
    &[fault("output_port", "a port is open a cycle early", "assign open = open_q;", "open_q", "open_d")];
