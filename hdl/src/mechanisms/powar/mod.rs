//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

pub mod check_timer;
pub mod control_registers;
pub mod flit_counter;
pub mod policy_table;
pub mod port_group;
pub mod port_power_fsm;
pub mod power_manager;
pub mod selectable_ports;
pub mod threshold_comparator;

pub use check_timer::CheckTimer;
pub use control_registers::ControlRegisters;
pub use flit_counter::FlitCounter;
pub use port_group::PortGroup;
pub use port_power_fsm::{PortPowerFsm, PowerState};
pub use power_manager::PowerManager;
pub use selectable_ports::SelectablePorts;
pub use threshold_comparator::ThresholdComparator;
