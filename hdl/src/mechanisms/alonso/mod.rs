//! Alonso: links go off and on with the load of a switch, around a Minimal Tree that is never off.

#[allow(clippy::module_inception)]
pub mod alonso;
pub mod control_registers;
pub mod link_fsm;
pub mod link_group;

pub use alonso::Alonso;
pub use control_registers::ControlRegisters;
pub use link_fsm::LinkFsm;
pub use link_group::LinkGroup;

use crate::power::Entry;
use crate::power::mechanism::Builder;
use crate::registry::sizes_of_groups;
use powar_config::Config;
use powar_config::mechanism::alonso::{AlonsoValues, MECHANISM};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry { mechanism: &MECHANISM, build: |config| Box::new(Alonso::new(config)), blocks };

/// That of groups once for each size of a group.
fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let mut blocks: Vec<(String, Builder)> = vec![
        ("link_fsm".into(), Box::new(|| Box::new(LinkFsm::new()))),
        (control_registers::NAME.into(), Box::new(move || Box::new(ControlRegisters::new(&AlonsoValues::of(config))))),
    ];
    for (size, suffix) in sizes_of_groups(config) {
        blocks.push((format!("link_group{suffix}"), Box::new(move || Box::new(LinkGroup::new(size)))));
    }
    blocks
}
