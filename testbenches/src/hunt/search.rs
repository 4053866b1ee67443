//! Looks for a fault under all stimuli.

use super::stimuli;
use crate::dut::Dut;
use crate::lockstep::{self, Outcome};
use crate::stimulus::{Patient, Stimulus};
use anyhow::Result;
use powar_config::{Config, CycleModel, Layout};

/// Where a fault came to light.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// Index into [`stimuli`]; one more than the last of them stands for [`Patient`], two for [`Patient::to_the_end`].
    pub scenario: usize,
    pub cycle: u64,
    /// The first signal that differed.
    pub signal: String,
}

impl Caught {
    /// Values of signals in the frames up to this one: with so much patience it comes to light again.
    pub fn patience(&self, layout: &Layout) -> u64 {
        (self.cycle + 1) * slots(layout)
    }
}

/// Values of signals in a frame.
fn slots(layout: &Layout) -> u64 {
    (layout.input_slots() + layout.observed_slots()) as u64
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
    let patient = patient.map(|patient| (Box::new(patient) as Box<dyn Stimulus + Send>, patience / slots(&layout)));
    let others = stimuli(config, block, &layout)?.into_iter().map(|stimulus| (stimulus, cycles));
    for (scenario, (mut stimulus, cycles)) in others.chain(patient).enumerate() {
        let caught = caught(scenario, &mut *stimulus, cycles, &mut *golden()?, &mut *dut()?)?;
        if caught.is_some() {
            return Ok(caught);
        }
    }
    Ok(None)
}

/// Runs a fresh pair of models with [`Patient::to_the_end`] for so many cycles at most. None: they never differ, or nobody tells the block how long
/// to wait.
///
/// # Errors
/// As of [`hunt`].
pub fn hunt_to_the_end(
    config: &Config,
    block: &str,
    cycles: u64,
    golden: impl Fn() -> Result<Box<dyn CycleModel + Send>>,
    dut: impl Fn() -> Result<Box<dyn Dut>>,
) -> Result<Option<Caught>> {
    let mut golden = golden()?;
    let layout = golden.layout().clone();
    let Some(mut stimulus) = Patient::to_the_end(config, &layout, 1) else { return Ok(None) };
    let scenario = stimuli(config, block, &layout)?.len() + 1;
    caught(scenario, &mut stimulus, cycles, &mut *golden, &mut *dut()?)
}

fn caught(
    scenario: usize,
    stimulus: &mut (dyn Stimulus + Send),
    cycles: u64,
    golden: &mut (dyn CycleModel + Send),
    dut: &mut dyn Dut,
) -> Result<Option<Caught>> {
    Ok(match lockstep::run(golden, dut, stimulus, cycles, &mut |_| ())? {
        Outcome::Different(difference) => Some(Caught { scenario, cycle: difference.cycle, signal: difference.signal }),
        _ => None,
    })
}
