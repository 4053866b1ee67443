//! A mechanism with one rule changed in what it holds.

use powar_config::{Mechanism, Sees};
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use powar_golden::register_rows::{RegisterRows, Registers};

/// The mechanism, block by block.
#[derive(Clone, Debug)]
pub struct Changed<M, C> {
    pub mechanism: M,
    pub change: C,
}

/// What is other at a clock edge.
pub trait Change<M>: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// The edge, with the change.
    fn clock(self, mechanism: &mut M, inputs: &MechanismInputs);
}

/// Gets the mechanism before and behind the edge.
impl<M: PowerMechanism + Clone + 'static> Change<M> for fn(&M, &mut M) {
    fn clock(self, mechanism: &mut M, inputs: &MechanismInputs) {
        let before = mechanism.clone();
        mechanism.clock(inputs);
        self(&before, mechanism);
    }
}

impl<M: PowerMechanism + Clone + 'static, C: Change<M>> PowerMechanism for Changed<M, C> {
    fn entry(&self) -> &'static Mechanism {
        self.mechanism.entry()
    }

    fn sees(&self) -> Sees {
        self.mechanism.sees()
    }

    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs {
        self.mechanism.outputs(inputs)
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        self.mechanism.waking(inputs)
    }

    fn read(&self, address: u16) -> u32 {
        self.mechanism.read(address)
    }

    fn reset(&mut self) {
        self.mechanism.reset();
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        self.change.clock(&mut self.mechanism, inputs);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl<M: Registers, C> Registers for Changed<M, C> {
    fn list(&self, rows: &mut RegisterRows) {
        self.mechanism.list(rows);
    }
}
