//! The blocks of `docs/microarchitecture.md`, sections 3 and 5: one file a block, under the block's name.
//!
//! Every clocked block has the same shape: its registers are public fields holding the values of the cycle under way,
//! plain methods are its outputs in this cycle, `clock` is the rising edge that ends it, and `reset` is that edge with
//! `rst` = 1.

pub mod allocator;
pub mod awake_first_arbiter;
pub mod check_timer;
pub mod control_registers;
pub mod credit_counter;
pub mod crossbar;
pub mod fat_tree_routing;
pub mod flit_counter;
pub mod input_port;
pub mod memory;
pub mod output_port;
pub mod port_arbiter;
pub mod port_group;
pub mod port_power_fsm;
pub mod port_statistics;
pub mod powar_switch;
pub mod power_controller;
pub mod power_manager;
pub mod register_bus;
pub mod round_robin_arbiter;
pub mod routing;
pub mod selectable_ports;
pub mod selector;
pub mod star_routing;
pub mod threshold_comparator;
pub mod torus_routing;
pub mod vc_arbiter;
pub mod vc_queue;
pub mod virtual_channel;

pub use allocator::Allocator;
pub use awake_first_arbiter::awake_first;
pub use check_timer::CheckTimer;
pub use control_registers::ControlRegisters;
pub use credit_counter::CreditCounter;
pub use crossbar::Crossbar;
pub use flit_counter::FlitCounter;
pub use input_port::InputPort;
pub use output_port::OutputPort;
pub use port_arbiter::PortArbiter;
pub use port_group::PortGroup;
pub use port_power_fsm::PortPowerFsm;
pub use port_statistics::PortStatistics;
pub use powar_switch::StepwiseSwitch;
pub use power_controller::StepwiseController;
pub use power_manager::PowerManager;
pub use register_bus::RegisterBus;
pub use round_robin_arbiter::round_robin;
pub use routing::RoutingBlock;
pub use selectable_ports::SelectablePorts;
pub use selector::Selector;
pub use threshold_comparator::ThresholdComparator;
pub use vc_arbiter::VcArbiter;
pub use vc_queue::VcQueue;
pub use virtual_channel::VirtualChannel;

/// Largest value of the 24-bit registers.
const MAX_24: u32 = (1 << 24) - 1;
