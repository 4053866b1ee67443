//! Looks for a fault under all stimuli.

use super::{CYCLES, scenarios};
use crate::dut::Dut;
use crate::lockstep::{self, Outcome};
use anyhow::Result;
use powar_config::CycleModel;

/// Where a fault came to light.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// Index into [`scenarios`].
    pub scenario: usize,
    pub cycle: u64,
    /// The first signal that differed.
    pub signal: String,
}

/// Runs fresh pairs of models under each of [`scenarios`] in turn for up to [`CYCLES`] cycles, until they differ. None: they
/// never do.
///
/// # Errors
/// A model can't be built, or the two do not show the same signals.
pub fn hunt(
    golden: impl Fn() -> Result<Box<dyn CycleModel + Send>>,
    dut: impl Fn() -> Result<Box<dyn Dut>>,
) -> Result<Option<Caught>> {
    for (scenario, parameters) in scenarios().iter().enumerate() {
        let (mut golden, mut dut) = (golden()?, dut()?);
        let mut stimulus = parameters.stimulus(golden.layout());
        if let Outcome::Different(difference) =
            lockstep::run(&mut *golden, &mut *dut, &mut stimulus, CYCLES, &mut |_| ())?
        {
            return Ok(Some(Caught { scenario, cycle: difference.cycle, signal: difference.signal }));
        }
    }
    Ok(None)
}
