//! Hints and depths: hints, a budget and two depths of sleep, of which a port takes the deep one while its budget pays for
//! the wake-up.

pub mod deep_budget;
pub mod deep_registers;
pub mod deep_reserve;
#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod hints_depths;

pub use deep_budget::DeepBudget;
pub use deep_registers::DeepRegisters;
pub use deep_reserve::DeepReserve;
pub use hints_depths::HintsDepths;

use super::ahead::{BudgetRegisters, WaitBudget};
use super::depths::SleepDepth;
use super::powar::{self, Powar};
use super::wake_hints::of_lanes;
use super::{Entry, Twin, twin};
use crate::reference::power::mechanism::MechanismBlock;
use powar_config::Config;
use powar_config::mechanism::hints_depths::HintsDepthsValues;

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry { name: "hints_depths", build: |config| Box::new(HintsDepths::new(config)), blocks };

/// `powar` with all of its own, what Ahead, Depths and Wake hints have beside it, and three.
fn blocks(config: &Config) -> Vec<(String, Twin)> {
    let reset = HintsDepthsValues::of(config);
    let ahead = reset.hints.ahead;
    let mechanism = Box::new(Powar::with(config, ahead.powar));
    let mut twins = vec![
        ("deep_registers".into(), twin(DeepRegisters::new(reset))),
        ("deep_reserve".into(), twin(DeepReserve::new(&reset))),
        ("deep_budget".into(), twin(DeepBudget::new())),
        ("sleep_depth".into(), twin(SleepDepth::new())),
        ("wait_budget".into(), twin(WaitBudget::new(ahead.cap))),
        ("budget_registers".into(), twin(BudgetRegisters::new(ahead))),
        (powar::ENTRY.name.into(), twin(MechanismBlock::new(config.ports, mechanism))),
    ];
    twins.extend(of_lanes(config, reset.hints));
    twins.extend(powar::blocks(config, ahead.powar));
    twins
}
