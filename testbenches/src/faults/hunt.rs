//! Looks for a fault under all stimuli.

use super::stimuli;
use crate::dut::Dut;
use crate::lockstep::{self, Outcome};
use anyhow::Result;
use powar_config::{Config, CycleModel};

/// Where a fault came to light.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// Index into [`stimuli`].
    pub scenario: usize,
    pub cycle: u64,
    /// The first signal that differed.
    pub signal: String,
}

/// Runs fresh pairs of models under each of the block's [`stimuli`] in turn for up to so many cycles, until they differ. None: they
/// never do.
///
/// # Errors
/// A model can't be built, or the two do not show the same signals.
pub fn hunt(
    config: &Config,
    block: &str,
    cycles: u64,
    golden: impl Fn() -> Result<Box<dyn CycleModel + Send>>,
    dut: impl Fn() -> Result<Box<dyn Dut>>,
) -> Result<Option<Caught>> {
    for (scenario, mut stimulus) in stimuli(config, block, golden()?.layout())?.into_iter().enumerate() {
        let (mut golden, mut dut) = (golden()?, dut()?);
        if let Outcome::Different(difference) =
            lockstep::run(&mut *golden, &mut *dut, &mut *stimulus, cycles, &mut |_| ())?
        {
            return Ok(Some(Caught { scenario, cycle: difference.cycle, signal: difference.signal }));
        }
    }
    Ok(None)
}
