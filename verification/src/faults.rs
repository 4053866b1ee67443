//! Faults that stand beside the properties, put into a block one at a time: a property that can't fail proves nothing.

use crate::binding::bind;
use crate::library::{Library, Properties};
use crate::manifest::Broken;
use crate::parallel::with_each;
use crate::plan::{Plan, modules};
use crate::proof::{Violation, first_failure};
use crate::report::Report;
use crate::section::{Section, Table};
use anyhow::{Context, Result};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use serde::Serialize;

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

/// What came of a fault.
#[derive(Clone, Debug, Serialize)]
struct Tried {
    block: String,
    right: String,
    wrong: String,
    property: String,
    /// The cycle in which the property fails, from 0 on; none if it holds all the same.
    step: Option<u32>,
    /// The dump of the run in the report's folder.
    wave: Option<String>,
}

/// Tries every fault that stands beside the properties of a plan's blocks, so many at once, and adds what came of them to the report, with
/// a wave of each: a fault that is not found makes the report fail.
///
/// # Errors
/// As of [`find_fault`].
pub fn try_faults(
    library: &Library,
    plan: &Plan,
    tools: &Tools,
    jobs: usize,
    progress: &Progress,
    report: &mut Report,
) -> Result<()> {
    let mut blocks: Vec<&Properties> = plan.proofs.iter().map(|proof| proof.properties).collect();
    blocks.dedup_by_key(|properties| &properties.block);
    let of_block = |properties| {
        let properties: &Properties = properties;
        properties.manifest.broken.iter().map(move |broken| (properties, broken))
    };
    let faults: Vec<(&Properties, &Broken)> = blocks.into_iter().flat_map(of_block).collect();
    let name = |&(properties, broken): &(&Properties, &Broken)| format!("{}: {}", properties.block, broken.property);
    let found: Vec<Option<Violation>> =
        with_each("Trying faults", &faults, jobs, progress, name, |&(properties, broken)| {
            find_fault(library, properties, broken, tools).with_context(|| properties.block.clone())
        })?;
    let mut tried = vec![];
    for (number, (&(properties, broken), violation)) in faults.iter().zip(found).enumerate() {
        let name = format!("broken/{}-{number}-{}", properties.block, broken.property);
        let wave = violation.as_ref().map(|violation| report.keep_wave(properties, violation, &name)).transpose()?;
        tried.push(Tried {
            block: properties.block.clone(),
            right: broken.right.clone(),
            wrong: broken.wrong.clone(),
            property: broken.property.clone(),
            step: violation.map(|violation| violation.step),
            wave,
        });
    }
    report.add(section(&tried)?);
    Ok(())
}

fn section(tried: &[Tried]) -> Result<Section> {
    let missed = tried.iter().filter(|one| one.step.is_none()).count();
    let mut table = Table::new("", &["block", "in place of", "the fault", "property", "fails in step"]);
    for Tried { block, right, wrong, property, step, .. } in tried {
        let step = step.map_or("HOLDS ALL THE SAME".into(), |step| step.to_string());
        table.row([format!("`{block}`"), format!("`{right}`"), format!("`{wrong}`"), format!("`{property}`"), step]);
    }
    let found = match missed {
        0 => "each makes the property fail that is to find it".into(),
        missed => format!("{missed} are NOT FOUND"),
    };
    Ok(Section {
        name: "broken",
        title: "Faults put into the blocks".into(),
        summary: format!("{} faults: {found}.", tried.len()),
        holds: missed == 0,
        tables: vec![table],
        details: serde_json::to_value(tried)?,
    })
}
