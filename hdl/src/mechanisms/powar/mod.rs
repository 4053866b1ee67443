//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

pub mod control_registers;
mod policy_table;
pub mod port_group;
pub mod port_power_fsm;
#[allow(clippy::module_inception)]
pub mod powar;
pub mod selectable_ports;
pub mod threshold_comparator;

pub use control_registers::ControlRegisters;
pub use port_group::PortGroup;
pub use port_power_fsm::{PortPowerFsm, PowerState};
pub use powar::Powar;
pub use selectable_ports::SelectablePorts;
pub use threshold_comparator::ThresholdComparator;

use crate::power::Entry;
use crate::power::mechanism::Builder;
use crate::registry::sizes_of_groups;
use powar_config::mechanism::powar::MECHANISM;
use powar_config::{Config, PowarValues};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry {
    mechanism: &MECHANISM,
    build: |config| Box::new(Powar::new(config)),
    blocks: |config| blocks(config, PowarValues::of(config)),
};

/// The blocks that it is made of, with these values after reset; those of groups once for each size of a group.
pub(super) fn blocks(config: &Config, reset: PowarValues) -> Vec<(String, Builder<'_>)> {
    let mut blocks: Vec<(String, Builder)> = vec![
        ("port_power_fsm".into(), Box::new(|| Box::new(PortPowerFsm::new()))),
        ("control_registers".into(), Box::new(move || Box::new(ControlRegisters::new(&reset)))),
    ];
    let sizes = sizes_of_groups(config);
    if !sizes.is_empty() {
        blocks.push(("threshold_comparator".into(), Box::new(|| Box::new(ThresholdComparator::new()))));
    }
    for (size, suffix) in sizes {
        blocks.push((format!("selectable_ports{suffix}"), Box::new(move || Box::new(SelectablePorts::new(size)))));
        blocks.push((format!("port_group{suffix}"), Box::new(move || Box::new(PortGroup::new(size)))));
    }
    blocks
}
