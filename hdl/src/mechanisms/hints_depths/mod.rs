//! Hints and depths: Wake hints, whose ports sleep lightly or deeply, and deeply only with a budget for it.

pub mod deep_budget;
pub mod deep_registers;
pub mod deep_reserve;
#[allow(clippy::module_inception)]
pub mod hints_depths;

pub use deep_budget::DeepBudget;
pub use deep_registers::DeepRegisters;
pub use deep_reserve::DeepReserve;
pub use hints_depths::HintsDepths;

use super::depths::SleepDepth;
use super::{ahead, wake_hints};
use crate::power::Entry;
use crate::power::mechanism::Builder;
use powar_config::Config;
use powar_config::mechanism::hints_depths::{HintsDepthsValues, MECHANISM};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry { mechanism: &MECHANISM, build: |config| Box::new(HintsDepths::new(config)), blocks };

/// `powar` and its blocks, those of the budget, of hints and of depth, and the three in which budget and depth meet.
fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let reset = HintsDepthsValues::of(config);
    let mut blocks: Vec<(String, Builder)> = vec![
        ("deep_budget".into(), Box::new(|| Box::new(DeepBudget::new()))),
        ("deep_reserve".into(), Box::new(move || Box::new(DeepReserve::new(&reset)))),
        ("deep_registers".into(), Box::new(move || Box::new(DeepRegisters::new(&reset)))),
        ("sleep_depth".into(), Box::new(|| Box::new(SleepDepth::new()))),
    ];
    blocks.extend(wake_hints::blocks_of_hints(config, &MECHANISM, reset.hints));
    blocks.extend(ahead::blocks(config, reset.hints.ahead));
    blocks
}
