//! Faults of the controller around the power manager.

use super::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] =
    &[fault("power_controller", "every flit frees its port", ".released      (flit_tail),", "flit_tail", "flit_valid")];
