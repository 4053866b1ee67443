//! What a power mechanism is to the switch, and what the switch has around any of them.

pub mod check_timer;
pub mod control_registers;
pub mod counter_slots;
pub mod flit_counter;
pub mod held_ports;
pub mod mechanism;
pub mod port_counters;
pub mod power_manager;
pub mod surroundings;

pub use check_timer::CheckTimer;
pub use control_registers::ControlRegisters;
pub use counter_slots::CounterSlots;
pub use flit_counter::FlitCounter;
pub use held_ports::HeldPorts;
pub use mechanism::{MechanismBlock, PowerMechanism};
pub use port_counters::PortCounters;
pub use power_manager::PowerManager;
pub use surroundings::Surroundings;
