//! Equality by table: from every state that a block can reach, every input, the golden model and the emitted Verilog side by side. For a block of
//! few states that is a proof that the two are equal, of that configuration and whatever its surroundings do.
//!
//! A block with wide inputs, such as times, has too many of them to try all. These are held at each combination of the small values
//! `HELD`, and nothing is said of others.

mod explore;
mod walk;

use crate::parallel::with_each;
use crate::plan::{Plan, Proof};
use crate::section::{Section, Table};
use anyhow::Result;
use explore::{Explored, Outcome, explore};
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::collections::BTreeSet;

pub use explore::HELD;

/// What came of a block of a configuration.
#[derive(Clone, Debug, Serialize)]
struct Compared {
    block: String,
    configuration: String,
    #[serde(flatten)]
    outcome: Outcome,
}

/// Compares what can be compared by a table of a plan's blocks, so many at once, as a section of the report.
///
/// # Errors
/// A model that can't be built, a tool that is missing; registers that do not say a model's whole state.
pub fn compare_by_table(plan: &Plan, tools: &Tools, jobs: usize, progress: &Progress) -> Result<Section> {
    let mut seen = BTreeSet::new();
    let proofs: Vec<&Proof> =
        plan.proofs.iter().filter(|proof| seen.insert((proof.module.clone(), proof.design.clone()))).collect();
    let name = |proof: &&Proof| proof.place();
    let compared = with_each("Comparing by table", &proofs, jobs, progress, name, |proof| {
        let outcome = explore(&proof.config, &proof.module, tools)?;
        Ok(Compared { block: proof.module.clone(), configuration: proof.design.clone(), outcome })
    })?;
    section(&compared)
}

fn section(compared: &[Compared]) -> Result<Section> {
    let mut table = Table::new("", &["block", "configuration", "inputs tried", "states", "cycles", "outcome"]);
    let (mut large, mut different) = (BTreeSet::new(), 0);
    for Compared { block, configuration, outcome } in compared {
        let (Explored { held, inputs, states, cycles, .. }, outcome) = match outcome {
            Outcome::TooLarge { .. } => {
                large.insert(format!("`{block}`"));
                continue;
            }
            Outcome::Equal(explored) => (explored, "equal".to_owned()),
            Outcome::Different { explored, difference } => {
                different += 1;
                (explored, format!("DIFFERENT: {difference}"))
            }
        };
        let tried = match held.is_empty() {
            true => format!("all {inputs}"),
            false => format!("{inputs}, with {HELD:?} held at {}", held.join(", ")),
        };
        let name = format!("`{block}`");
        table.row([name, configuration.clone(), tried, states.to_string(), cycles.to_string(), outcome]);
    }
    let found = match different {
        0 => "golden model and Verilog are equal in every state, for every input tried".to_owned(),
        different => format!("{different} are DIFFERENT"),
    };
    let rows = table.rows.len();
    let large: Vec<String> = large.into_iter().collect();
    Ok(Section {
        name: "equality",
        title: "Equality by table".into(),
        summary: format!("{rows} blocks: {found}. Too large for a table: {}.", large.join(", ")),
        holds: different == 0,
        tables: vec![table],
        details: serde_json::to_value(compared)?,
    })
}
