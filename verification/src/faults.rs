//! Faults that stand beside the properties, put into a block one at a time: a property that can't fail proves nothing.

use crate::binding::bind;
use crate::library::{Library, Properties};
use crate::manifest::Broken;
use crate::plan::modules;
use crate::proof::{Violation, first_failure};
use anyhow::{Context, Result};
use powar_testbenches::twins;
use powar_tools::Tools;

/// Puts a fault of its manifest into a block: into its design, or the first in which the expression occurs once. Returns the run in which the
/// property fails that it is to be found by; none if that holds.
///
/// # Errors
/// The expression occurs in no design, or more than once; properties that don't fit the block; a tool that is missing.
pub fn find_fault(
    library: &Library,
    properties: &Properties,
    broken: &Broken,
    tools: &Tools,
) -> Result<Option<Violation>> {
    let designs = broken.design.as_slice();
    let designs = if designs.is_empty() { &properties.manifest.designs[..] } else { designs };
    let mut refused = None;
    for name in designs {
        let config = library.design(name)?;
        for module in modules(&properties.block, &config) {
            let bound = bind(properties, &twins::design(&config, &module)?, &config, name)?;
            match bound.spoilt(&broken.right, &broken.wrong) {
                Ok(spoilt) => return first_failure(properties, &spoilt, &broken.property, tools),
                Err(error) => refused = Some(error),
            }
        }
    }
    let none = || format!("broken: {} is no block of {}", properties.block, designs.join(", "));
    Err(refused.with_context(none)?)
}
