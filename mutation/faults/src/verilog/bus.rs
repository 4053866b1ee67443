//! Faults of the register bus.

use super::{VerilogFault, fault};

const fn bus(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("register_bus", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[bus(
    "the address goes on while its word is on the way",
    "assign read_address = read_address_q;",
    "read_address_q",
    "read_address_d",
)];
