//! POWAR: idle ports sleep after a power-down threshold, and only as many are selectable as the load needs.

pub mod control_registers;
pub mod port_group;
pub mod port_power_fsm;
#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod powar;
pub mod selectable_ports;
pub mod threshold_comparator;

pub use control_registers::ControlRegisters;
pub use port_group::PortGroup;
pub use port_power_fsm::PortPowerFsm;
pub use powar::Powar;
pub use selectable_ports::SelectablePorts;
pub use threshold_comparator::ThresholdComparator;

use super::{Entry, Twin, twin};
use crate::reference::power::{CheckTimer, FlitCounter};
use powar_config::{Config, PowarValues};

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry {
    name: "powar",
    build: |config| Box::new(Powar::new(config)),
    blocks: |config| blocks(config, PowarValues::of(config)),
};

/// The blocks that `powar` is built of, with these values after reset.
///
/// Those that depend on the size of a port group (`flit_counter`, `selectable_ports`, `port_group`) come once for every size that
/// occurs, as `port_group_4` and so on if there are several; a configuration without groups has none of them and no
/// `threshold_comparator`.
pub(super) fn blocks(config: &Config, reset: PowarValues) -> Vec<(String, Twin)> {
    let mut twins = vec![
        ("check_timer".to_owned(), twin(CheckTimer::new())),
        ("control_registers".into(), twin(ControlRegisters::new(reset))),
        ("port_power_fsm".into(), twin(PortPowerFsm::new())),
    ];
    let mut sizes: Vec<usize> = config.groups.iter().map(|group| group.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if !sizes.is_empty() {
        twins.push(("threshold_comparator".into(), twin(ThresholdComparator::new())));
    }
    for &size in &sizes {
        let name = |block: &str| if sizes.len() == 1 { block.into() } else { format!("{block}_{size}") };
        twins.push((name("flit_counter"), twin(FlitCounter::new(size))));
        twins.push((name("selectable_ports"), twin(SelectablePorts::new(size))));
        twins.push((name("port_group"), twin(PortGroup::new(size))));
    }
    twins
}
