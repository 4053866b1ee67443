//! Arbiters: who is next.

pub mod awake_first_arbiter;
pub mod port_arbiter;
pub mod round_robin_arbiter;
pub mod vc_arbiter;

pub use awake_first_arbiter::awake_first;
pub use port_arbiter::PortArbiter;
pub use round_robin_arbiter::round_robin;
pub use vc_arbiter::VcArbiter;
