//! Depths: POWAR with two depths of sleep, light after the power-down threshold and deep after a second one.

pub mod depth_registers;
#[allow(clippy::module_inception)]
pub mod depths;
pub mod sleep_depth;

pub use depth_registers::DepthRegisters;
pub use depths::Depths;
pub use sleep_depth::SleepDepth;

use super::powar::{self, Powar};
use crate::power::Entry;
use crate::power::mechanism::Builder;
use powar_config::Config;
use powar_config::mechanism::depths::{DepthsValues, MECHANISM};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry { mechanism: &MECHANISM, build: |config| Box::new(Depths::new(config)), blocks };

/// `powar` and its blocks, and the two of depth.
fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let reset = DepthsValues::of(config);
    let mut blocks: Vec<(String, Builder)> = vec![
        ("sleep_depth".into(), Box::new(|| Box::new(SleepDepth::new()))),
        ("depth_registers".into(), Box::new(move || Box::new(DepthRegisters::new(&reset)))),
        (powar::ENTRY.mechanism.name.into(), Box::new(move || Box::new(Powar::with(config, &reset.powar)))),
    ];
    blocks.extend(powar::blocks(config, reset.powar));
    blocks
}
