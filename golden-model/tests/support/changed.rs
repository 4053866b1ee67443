//! A mechanism with one rule changed in what it holds.

use powar_config::{Mechanism, Sees};
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use powar_golden::register_rows::{RegisterRows, Registers};

/// The mechanism, block by block.
#[derive(Clone, Debug)]
pub struct Changed<M> {
    pub mechanism: M,
    /// Gets it before and behind each clock edge.
    pub change: fn(&M, &mut M),
}

impl<M: PowerMechanism + Clone + 'static> PowerMechanism for Changed<M> {
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
        let before = self.mechanism.clone();
        self.mechanism.clock(inputs);
        (self.change)(&before, &mut self.mechanism);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl<M: Registers> Registers for Changed<M> {
    fn list(&self, rows: &mut RegisterRows) {
        self.mechanism.list(rows);
    }
}
