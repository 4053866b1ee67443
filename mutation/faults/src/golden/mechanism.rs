//! Golden models of whole mechanisms with a fault.

use powar_config::{Config, CycleModel, Mechanism, Sees};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use powar_golden::reference::power::{MechanismBlock, PowerMechanism};
use powar_golden::register_rows::{RegisterRows, Registers};

/// A mechanism with outputs or registers that are put wrong.
#[derive(Clone, Debug)]
struct Wrong<M> {
    mechanism: M,
    /// Gets the outputs.
    outputs: fn(&M, &mut MechanismOutputs),
    /// Gets the mechanism before and after the edge.
    registers: fn(&M, &mut M),
}

impl<M: PowerMechanism + Clone + 'static> PowerMechanism for Wrong<M> {
    fn entry(&self) -> &'static Mechanism {
        self.mechanism.entry()
    }

    fn sees(&self) -> Sees {
        self.mechanism.sees()
    }

    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs {
        let mut outputs = self.mechanism.outputs(inputs);
        (self.outputs)(&self.mechanism, &mut outputs);
        outputs
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
        (self.registers)(&before, &mut self.mechanism);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl<M: Registers> Registers for Wrong<M> {
    fn list(&self, rows: &mut RegisterRows) {
        self.mechanism.list(rows);
    }
}

fn wrong<M: PowerMechanism + Clone + 'static>(config: &Config, wrong: Wrong<M>) -> Box<dyn CycleModel + Send> {
    Box::new(LockStep::new(MechanismBlock::new(config.ports, Box::new(wrong))))
}

/// A mechanism whose outputs are spoilt in every cycle.
pub(crate) fn wrong_outputs<M: PowerMechanism + Clone + 'static>(
    config: &Config,
    mechanism: M,
    outputs: fn(&M, &mut MechanismOutputs),
) -> Box<dyn CycleModel + Send> {
    wrong(config, Wrong { mechanism, outputs, registers: |_, _| () })
}

/// A mechanism whose registers are spoilt after each edge; `registers` gets it before and after.
pub(crate) fn wrong_registers<M: PowerMechanism + Clone + 'static>(
    config: &Config,
    mechanism: M,
    registers: fn(&M, &mut M),
) -> Box<dyn CycleModel + Send> {
    wrong(config, Wrong { mechanism, outputs: |_, _| (), registers })
}
