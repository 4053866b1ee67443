//! What came of all proofs.

use crate::binding::DoesNotFit;
use crate::library::Properties;
use crate::parallel::with_each;
use crate::plan::{LeftOut, Plan, Proof};
use crate::proof::{Outcome, Violation, prove};
use crate::section::{Section, by_name};
use anyhow::{Context, Result, ensure};
use powar_testbenches::waves::{CounterexampleFiles, ViolatedProperty, counterexample};
use powar_tools::{Progress, Tool, ToolError, Tools};
use serde::Serialize;
use std::time::Instant;

/// A tool and its version.
#[derive(Clone, Debug, Serialize)]
pub struct ToolUsed {
    pub name: String,
    pub version: Option<String>,
}

/// What a block's page promises, and what says it.
#[derive(Clone, Debug, Serialize)]
pub struct PromiseReport {
    pub promise: String,
    /// The properties that say it; none if it is not covered.
    pub properties: Vec<String>,
    /// Why it is not covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// A block and its proofs.
#[derive(Clone, Debug, Serialize)]
pub struct BlockReport {
    pub block: String,
    /// The page in `docs/microarchitecture/`.
    pub page: String,
    pub promises: Vec<PromiseReport>,
    /// Why a proof is bounded.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    pub outcomes: Vec<Outcome>,
}

/// A dump of a run that violates a property.
#[derive(Clone, Debug, Serialize)]
pub struct Wave {
    pub block: String,
    pub configuration: String,
    pub property: String,
    pub step: u32,
    /// The dump in the report's folder; GTKWave's file has the same name and ends in `.gtkw`.
    pub file: String,
}

/// What came of all proofs.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Every property holds as far as was asked for, and every cover was reached.
    pub holds: bool,
    pub seconds: f64,
    /// The command that makes it; empty if a library call did.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Of `powar`.
    pub version: &'static str,
    pub tools: Vec<ToolUsed>,
    pub blocks: Vec<BlockReport>,
    pub left_out: Vec<LeftOut>,
    /// Of properties that fail.
    pub waves: Vec<Wave>,
    /// What was asked for beside the proofs.
    #[serde(serialize_with = "by_name", skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    #[serde(skip)]
    pub(crate) wave_files: Vec<(String, String)>,
}

/// Does all proofs of a plan, so many at once; `done` hears of each.
///
/// # Errors
/// Properties that don't fit their block, a tool that is missing.
pub fn prove_all(plan: &Plan, tools: &Tools, jobs: usize, progress: &Progress) -> Result<Report> {
    let begun = Instant::now();
    let results = with_each("Proving properties", &plan.proofs, jobs, progress, Proof::place, |proof| {
        result_of(proof, tools, plan.limit_of(proof))
    })?;
    let mut report = Report::new(tools, &[Tool::Yosys, Tool::Smtbmc, Tool::Z3]);
    report.left_out.clone_from(&plan.left_out);
    report.seconds = begun.elapsed().as_secs_f64();
    for (proof, result) in plan.proofs.iter().zip(results) {
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(left_out) => {
                report.left_out.push(left_out);
                continue;
            }
        };
        report.holds &= outcome.holds();
        report.add_waves(proof.properties, &outcome)?;
        match report.blocks.last_mut().filter(|last| last.block == outcome.block) {
            Some(block) => block.outcomes.push(outcome),
            None => report.blocks.push(BlockReport::new(proof.properties, outcome)),
        }
    }
    let reasons: Vec<String> = report.left_out.iter().map(|LeftOut { block, why }| format!("{block}: {why}")).collect();
    // A plan may be of blocks that are named for their mutants alone.
    ensure!(plan.proofs.is_empty() || !report.blocks.is_empty(), "nothing to prove: {}", reasons.join("; "));
    Ok(report)
}

/// What comes of a proof. In a configuration that the manifest does not name, its properties may not fit, and it is left out; and a tool that one
/// large block is too much for must not take what is known of the others with it.
fn result_of(proof: &Proof, tools: &Tools, limit: u32) -> Result<Result<Outcome, LeftOut>> {
    let error = match prove(proof, tools, limit) {
        Ok(outcome) => return Ok(Ok(outcome)),
        Err(error) => error,
    };
    let is_strange = !proof.ends_here();
    if let (true, Some(DoesNotFit { what, .. })) = (is_strange, error.downcast_ref()) {
        let why = format!("its properties are not made for {}: {what}", proof.design);
        return Ok(Err(LeftOut { block: proof.module.clone(), why }));
    }
    match error.downcast_ref() {
        Some(ToolError::TooLong { .. }) => Ok(Ok(Outcome::not_decided(proof, &error))),
        Some(ToolError::Failed { .. }) if is_strange => Ok(Ok(Outcome::not_decided(proof, &error))),
        _ => Err(error.context(proof.place())),
    }
}

fn tools_used(tools: &Tools, used: &[Tool]) -> Vec<ToolUsed> {
    let versions = used.iter().map(|&tool| tools.version(tool));
    versions.map(|tool| ToolUsed { name: tool.name.to_owned(), version: tool.version }).collect()
}

impl BlockReport {
    fn new(properties: &Properties, outcome: Outcome) -> BlockReport {
        let manifest = &properties.manifest;
        let promises = manifest.promises.iter().map(|(promise, said)| PromiseReport {
            promise: promise.clone(),
            properties: said.properties().to_vec(),
            missing: manifest.missing.get(promise).cloned(),
        });
        BlockReport {
            block: properties.block.clone(),
            page: manifest.page.clone(),
            promises: promises.collect(),
            reason: manifest.reason.clone(),
            outcomes: vec![outcome],
        }
    }
}

impl Report {
    /// The blocks that are left out, for each reason.
    pub fn left_out(&self) -> Vec<(Vec<&str>, &str)> {
        let mut all: Vec<(Vec<&str>, &str)> = vec![];
        for LeftOut { block, why } in &self.left_out {
            match all.iter_mut().find(|(_, reason)| reason == why) {
                Some((blocks, _)) => blocks.push(block),
                None => all.push((vec![block], why)),
            }
        }
        all
    }

    /// One in which nothing is proved, for what runs in Verilator.
    pub fn without_proofs(tools: &Tools) -> Report {
        Report::new(tools, &[Tool::Verilator])
    }

    /// One of nothing, made with these of the tools.
    fn new(tools: &Tools, used: &[Tool]) -> Report {
        Report {
            holds: true,
            seconds: 0.0,
            command: String::new(),
            version: env!("CARGO_PKG_VERSION"),
            tools: tools_used(tools, used),
            blocks: vec![],
            left_out: vec![],
            waves: vec![],
            sections: vec![],
            wave_files: vec![],
        }
    }

    /// Adds what was asked for beside the proofs.
    pub fn add(&mut self, section: Section) {
        self.holds &= section.holds;
        self.sections.push(section);
    }

    fn add_waves(&mut self, properties: &Properties, outcome: &Outcome) -> Result<()> {
        for violation in &outcome.violations {
            let Outcome { module, configuration, .. } = outcome;
            let name = format!("waves/{module}-{configuration}-{}", violation.property);
            let file = self.keep_wave(properties, violation, &name)?;
            self.waves.push(Wave {
                block: module.clone(),
                configuration: configuration.clone(),
                property: violation.property.clone(),
                step: violation.step,
                file,
            });
        }
        Ok(())
    }

    /// Keeps the wave of a violation, which is called so without its ending; returns the name of the dump.
    pub(crate) fn keep_wave(&mut self, properties: &Properties, violation: &Violation, name: &str) -> Result<String> {
        let violated = ViolatedProperty {
            name: &violation.property,
            place: &properties.place(&violation.property),
            step: violation.step.into(),
        };
        let (_, dump) = name.rsplit_once('/').context("waves are in a folder of their own")?;
        let files = counterexample(&violation.dump, &violated, &format!("{dump}.vcd"))?;
        let CounterexampleFiles { vcd, gtkw, sucl } = files;
        let texts = [("vcd", vcd), ("gtkw", gtkw), ("sucl", sucl)];
        self.wave_files.extend(texts.map(|(ending, text)| (format!("{name}.{ending}"), text)));
        Ok(format!("{name}.vcd"))
    }

    /// Properties that were looked at, in all configurations.
    pub fn properties(&self) -> usize {
        self.outcomes().map(|outcome| outcome.properties.len()).sum()
    }

    /// All proofs, block by block.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.blocks.iter().flat_map(|block| &block.outcomes)
    }
}
