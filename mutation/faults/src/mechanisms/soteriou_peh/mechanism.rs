//! Faults of the mechanism as a whole in the emitted Verilog: at a switch of any network, and at one of a mesh.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] =
    &[fault("soteriou_peh", "links on their way on serve", "assign serves = grantable;", "grantable", "choice_active")];
