//! Looks for a fault under all stimuli.

use super::stimuli;
use crate::dut::Dut;
use crate::lockstep::{self, Outcome};
use crate::stimulus::{Patient, Stimulus};
use anyhow::Result;
use powar_config::{Config, CycleModel};

/// Where a fault came to light.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// Index into [`stimuli`]; one more than the last of them stands for [`Patient`].
    pub scenario: usize,
    pub cycle: u64,
    /// The first signal that differed.
    pub signal: String,
}

/// Runs fresh pairs of models under each of the block's [`stimuli`] in turn for up to so many cycles, until they differ; then, if the block
/// waits or counts, with [`Patient`] until they have shown and been shown `patience` values. None: they never differ.
///
/// # Errors
/// A model can't be built, or the two do not show the same signals.
pub fn hunt(
    config: &Config,
    block: &str,
    (cycles, patience): (u64, u64),
    golden: impl Fn() -> Result<Box<dyn CycleModel + Send>>,
    dut: impl Fn() -> Result<Box<dyn Dut>>,
) -> Result<Option<Caught>> {
    let layout = golden()?.layout().clone();
    let patient = Patient::new(config, &layout, 1).filter(|_| patience != 0);
    let slots = (layout.input_slots() + layout.observed_slots()) as u64;
    let patient = patient.map(|patient| (Box::new(patient) as Box<dyn Stimulus + Send>, patience / slots));
    let others = stimuli(config, block, &layout)?.into_iter().map(|stimulus| (stimulus, cycles));
    for (scenario, (mut stimulus, cycles)) in others.chain(patient).enumerate() {
        let (mut golden, mut dut) = (golden()?, dut()?);
        if let Outcome::Different(difference) =
            lockstep::run(&mut *golden, &mut *dut, &mut *stimulus, cycles, &mut |_| ())?
        {
            return Ok(Some(Caught { scenario, cycle: difference.cycle, signal: difference.signal }));
        }
    }
    Ok(None)
}
