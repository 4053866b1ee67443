//! Ahead: POWAR with a budget for waiting, so that what packets wait for a port is bounded whatever the traffic.

#[allow(clippy::module_inception)]
pub mod ahead;
pub mod budget_registers;
pub mod wait_budget;

pub use ahead::Ahead;
pub use budget_registers::BudgetRegisters;
pub use wait_budget::WaitBudget;

use super::powar::{self, Powar};
use crate::power::Entry;
use crate::power::mechanism::Builder;
use powar_config::Config;
use powar_config::mechanism::ahead::{AheadValues, MECHANISM};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry {
    mechanism: &MECHANISM,
    build: |config| Box::new(Ahead::new(config)),
    blocks: |config| blocks(config, AheadValues::of(config)),
};

/// `powar` and its blocks, and the two of the budget, with these values after reset.
pub(super) fn blocks(config: &Config, reset: AheadValues) -> Vec<(String, Builder<'_>)> {
    let mut blocks: Vec<(String, Builder)> = vec![
        ("wait_budget".into(), Box::new(move || Box::new(WaitBudget::new(reset.cap)))),
        ("budget_registers".into(), Box::new(move || Box::new(BudgetRegisters::new(&reset)))),
        (powar::ENTRY.mechanism.name.into(), Box::new(move || Box::new(Powar::with(config, &reset.powar)))),
    ];
    blocks.extend(powar::blocks(config, reset.powar));
    blocks
}
