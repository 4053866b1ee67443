//! Alonso: links go off and on with the load of a switch, around a Minimal Tree that is never off.

#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod alonso;
pub mod control_registers;
pub mod link_fsm;
pub mod link_group;

pub use alonso::Alonso;
pub use control_registers::ControlRegisters;
pub use link_fsm::LinkFsm;
pub use link_group::LinkGroup;

use super::{Entry, Twin, twin};
use crate::reference::power::{CheckTimer, FlitCounter};
use powar_config::Config;
use powar_config::mechanism::alonso::AlonsoValues;

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry { name: "alonso", build: |config| Box::new(Alonso::new(config)), blocks };

/// The blocks that `alonso` is built of.
///
/// Those that depend on the size of a group (`flit_counter`, `link_group`) come once for every size that occurs, as `link_group_4`
/// and so on if there are several; a configuration without groups has none of them.
fn blocks(config: &Config) -> Vec<(String, Twin)> {
    let mut twins = vec![
        ("check_timer".to_owned(), twin(CheckTimer::new())),
        ("alonso_control_registers".into(), twin(ControlRegisters::new(AlonsoValues::of(config)))),
        ("link_fsm".into(), twin(LinkFsm::new())),
    ];
    let mut sizes: Vec<usize> = config.groups.iter().map(|group| group.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for &size in &sizes {
        let name = |block: &str| if sizes.len() == 1 { block.into() } else { format!("{block}_{size}") };
        twins.push((name("flit_counter"), twin(FlitCounter::new(size))));
        twins.push((name("link_group"), twin(LinkGroup::new(size))));
    }
    twins
}
