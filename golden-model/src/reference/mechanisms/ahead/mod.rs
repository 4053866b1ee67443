//! Ahead: POWAR with a budget for waiting, so that what packets wait for a port is bounded whatever the traffic.

#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod ahead;
pub mod budget_registers;
pub mod wait_budget;

pub use ahead::Ahead;
pub use budget_registers::BudgetRegisters;
pub use wait_budget::WaitBudget;

use super::powar::{self, Powar};
use super::{Entry, Twin, twin};
use crate::reference::power::mechanism::MechanismBlock;
use powar_config::Config;
use powar_config::mechanism::ahead::AheadValues;

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry {
    name: "ahead",
    build: |config| Box::new(Ahead::new(config)),
    blocks: |config| blocks(config, AheadValues::of(config)),
};

/// The blocks that `ahead` is built of, with these values of the control registers after reset: `powar` with all of its own, and two.
pub(super) fn blocks(config: &Config, reset: AheadValues) -> Vec<(String, Twin)> {
    let mechanism = Box::new(Powar::with(config, reset.powar));
    let mut twins = vec![
        ("wait_budget".into(), twin(WaitBudget::new(reset.cap))),
        ("budget_registers".into(), twin(BudgetRegisters::new(reset))),
        (powar::ENTRY.name.into(), twin(MechanismBlock::new(config.ports, mechanism))),
    ];
    twins.extend(powar::blocks(config, reset.powar));
    twins
}
