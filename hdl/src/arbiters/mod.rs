//! Arbiters: who is next.

pub mod port_arbiter;
pub mod preferred_first_arbiter;
pub mod round_robin_arbiter;
pub mod vc_arbiter;

pub use port_arbiter::PortArbiter;
pub use preferred_first_arbiter::PreferredFirstArbiter;
pub use round_robin_arbiter::RoundRobinArbiter;
pub use vc_arbiter::VcArbiter;
