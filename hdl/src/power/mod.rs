//! What a power mechanism is to the switch, what the switch has around any of them, and blocks to build mechanisms from.

pub mod check_timer;
pub mod counter_slots;
pub mod flit_counter;
pub mod held_ports;
pub mod mechanism;
pub mod port_counters;
pub mod power_manager;

pub use check_timer::CheckTimer;
pub use counter_slots::CounterSlots;
pub use flit_counter::FlitCounter;
pub use held_ports::HeldPorts;
pub use mechanism::{Entry, MechanismPorts, PowerMechanism, if_seen, phase_code, policy_code};
pub use port_counters::PortCounters;
pub use power_manager::PowerManager;
