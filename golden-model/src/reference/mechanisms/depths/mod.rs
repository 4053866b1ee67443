//! Depths: POWAR with two depths of sleep, light after the power-down threshold and deep after a second one.

pub mod depth_registers;
#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod depths;
pub mod sleep_depth;

pub use depth_registers::DepthRegisters;
pub use depths::Depths;
pub use sleep_depth::SleepDepth;

use super::powar::{self, Powar};
use super::{Entry, Twin, twin};
use crate::reference::power::mechanism::MechanismBlock;
use powar_config::Config;
use powar_config::mechanism::depths::DepthsValues;

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry { name: "depths", build: |config| Box::new(Depths::new(config)), blocks };

/// `powar` with all of its own, and two.
fn blocks(config: &Config) -> Vec<(String, Twin)> {
    let reset = DepthsValues::of(config);
    let mechanism = Box::new(Powar::with(config, reset.powar));
    let mut twins = vec![
        ("sleep_depth".into(), twin(SleepDepth::new())),
        ("depth_registers".into(), twin(DepthRegisters::new(reset))),
        (powar::ENTRY.name.into(), twin(MechanismBlock::new(config.ports, mechanism))),
    ];
    twins.extend(powar::blocks(config, reset.powar));
    twins
}
