//! The RTL blocks, one file each, written from `docs/microarchitecture.md`.
//!
//! Every file opens with the block's contract; the back end prints it above the Verilog module.

pub mod allocator;
pub mod awake_first_arbiter;
pub mod check_timer;
pub mod control_registers;
pub mod credit_counter;
pub mod crossbar;
pub mod flit_counter;
pub mod input_port;
pub mod output_port;
pub mod policy_table;
pub mod port_arbiter;
pub mod port_group;
pub mod port_power_fsm;
pub mod port_statistics;
pub mod powar_switch;
pub mod power_controller;
pub mod power_manager;
pub mod register_bus;
pub mod registry;
pub mod round_robin_arbiter;
pub mod routing;
pub mod selectable_ports;
pub mod selector;
pub mod threshold_comparator;
pub mod vc_arbiter;
pub mod vc_queue;
pub mod virtual_channel;

pub use allocator::Allocator;
pub use awake_first_arbiter::AwakeFirstArbiter;
pub use check_timer::CheckTimer;
pub use control_registers::ControlRegisters;
pub use credit_counter::CreditCounter;
pub use crossbar::Crossbar;
pub use flit_counter::FlitCounter;
pub use input_port::InputPort;
pub use output_port::OutputPort;
pub use port_arbiter::PortArbiter;
pub use port_group::PortGroup;
pub use port_power_fsm::{PortPowerFsm, PowerState};
pub use port_statistics::PortStatistics;
pub use power_controller::PowerController;
pub use power_manager::PowerManager;
pub use register_bus::RegisterBus;
pub use round_robin_arbiter::RoundRobinArbiter;
pub use selectable_ports::SelectablePorts;
pub use selector::Selector;
pub use threshold_comparator::ThresholdComparator;
pub use vc_arbiter::VcArbiter;
pub use vc_queue::VcQueue;
pub use virtual_channel::VirtualChannel;

/// A vector of `n` default signals or registers.
pub(crate) fn vector<T: Default>(n: usize) -> Vec<T> {
    (0..n).map(|_| T::default()).collect()
}

/// A register for a one-hot round-robin pointer over `n` places, at place 0 after reset.
pub(crate) fn one_hot_register(n: usize) -> crate::primitives::BitRegister {
    crate::primitives::BitRegister::new((0..n).map(|place| place == 0).collect())
}
