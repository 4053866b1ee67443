//! Faults of the emitted Verilog, such as a person makes: `>` for `>=`, the wrong slice, a reset forgotten.

mod control;
mod groups;
mod manager;
mod power;
mod selection;

use powar_config::Deterministic::{self, Set, Single};

/// One wrong expression.
pub struct VerilogFault {
    /// The block whose module it is in, and which is put under the lock-step check.
    pub block: &'static str,
    /// What is wrong.
    pub name: &'static str,
    /// A piece of the module's text that occurs once.
    pub find: &'static str,
    /// The expression in it that is changed; occurs once in it.
    pub right: &'static str,
    /// What it is changed to.
    pub wrong: &'static str,
    /// The configuration it shows at.
    pub deterministic: Deterministic,
}

const fn fault(
    block: &'static str,
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    VerilogFault { block, name, find, right, wrong, deterministic: Single }
}

/// A fault of a selector whose deterministic set may hold several ports.
const fn set_fault(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    VerilogFault { block: "selector", name, find, right, wrong, deterministic: Set }
}

/// All of them, by block.
pub fn faults() -> impl Iterator<Item = &'static VerilogFault> {
    [selection::FAULTS, groups::FAULTS, power::FAULTS, manager::FAULTS, control::FAULTS].into_iter().flatten()
}
