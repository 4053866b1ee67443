//! How a cycle-accurate model shows itself: named signals, and one call a cycle.
//!
//! The golden model, rust-hdl's simulation of the RTL and the emitted Verilog in Verilator all implement [`CycleModel`];
//! the lock-step harness knows nothing else of them.

use crate::signal::{Role, SignalDecl};
use anyhow::{Context, Result};

/// The signals of a block and where each lies in its two frames.
///
/// A frame is a slice of `u64` slots. The input frame holds the inputs, in declaration order; the observed frame holds
/// outputs and registers, in declaration order. A signal of n rows takes n slots; bits above its width are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pub inputs: Vec<SignalDecl>,
    pub observed: Vec<SignalDecl>,
}

impl Layout {
    /// Sorts a list of declarations into the two frames; `clk` is never declared, `rst` is the first input.
    pub fn new(signals: impl IntoIterator<Item = SignalDecl>) -> Self {
        let (inputs, observed) = signals.into_iter().partition(|signal| signal.role == Role::Input);
        Layout { inputs, observed }
    }

    /// Slots of the input frame.
    pub fn input_slots(&self) -> usize {
        self.inputs.iter().map(|signal| signal.rows).sum()
    }

    /// Slots of the observed frame.
    pub fn observed_slots(&self) -> usize {
        self.observed.iter().map(|signal| signal.rows).sum()
    }

    /// First slot of an input.
    pub fn input(&self, name: &str) -> Option<usize> {
        slot_of(&self.inputs, |signal| signal.name == name)
    }

    /// First slot of an output or a register.
    pub fn observed(&self, role: Role, name: &str) -> Option<usize> {
        slot_of(&self.observed, |signal| signal.role == role && signal.name == name)
    }

    /// First slot of a signal that must be there, in the frame of its role.
    ///
    /// # Errors
    /// There is no such signal; it is named.
    pub fn slot(&self, role: Role, name: &str) -> Result<usize> {
        let (slot, kind) = match role {
            Role::Input => (self.input(name), "input"),
            Role::Output => (self.observed(role, name), "output"),
            Role::Register => (self.observed(role, name), "register"),
        };
        slot.with_context(|| format!("{name}: the block has no such {kind}"))
    }

    /// The signal and the row that a slot of the observed frame belongs to.
    pub fn observed_at(&self, slot: usize) -> Option<(&SignalDecl, usize)> {
        let mut first = 0;
        for signal in &self.observed {
            if slot < first + signal.rows {
                return Some((signal, slot - first));
            }
            first += signal.rows;
        }
        None
    }
}

fn slot_of(signals: &[SignalDecl], wanted: impl Fn(&SignalDecl) -> bool) -> Option<usize> {
    let mut first = 0;
    for signal in signals {
        if wanted(signal) {
            return Some(first);
        }
        first += signal.rows;
    }
    None
}

/// A model that runs cycle by cycle.
pub trait CycleModel {
    /// The model's signals. Constant over its life.
    fn layout(&self) -> &Layout;

    /// One cycle: takes the cycle's inputs, fills in its outputs and registers (as they are *during* the cycle), then
    /// passes the rising clock edge. Slice lengths are those of [`CycleModel::layout`].
    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_follow_declaration_order() {
        let layout = Layout::new([
            SignalDecl::new(Role::Input, "rst", 1, 1),
            SignalDecl::new(Role::Output, "busy", 1, 4),
            SignalDecl::new(Role::Input, "adaptive", 3, 4),
            SignalDecl::new(Role::Register, "busy", 1, 4),
            SignalDecl::new(Role::Register, "fsm.state", 4, 2),
        ]);
        assert_eq!((layout.input_slots(), layout.observed_slots()), (4, 6));
        assert_eq!(layout.input("adaptive"), Some(1));
        assert_eq!(layout.observed(Role::Register, "busy"), Some(1));
        assert_eq!(layout.slot(Role::Register, "busy").unwrap(), 1);
        assert_eq!(layout.slot(Role::Input, "busy").unwrap_err().to_string(), "busy: the block has no such input");
        assert_eq!(layout.observed_at(4).map(|(signal, row)| (signal.name.as_str(), row)), Some(("fsm.state", 2)));
        assert_eq!(layout.observed_at(6), None);
    }
}
