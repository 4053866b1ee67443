//! One proof: the properties of a block in a configuration.

use crate::binding::{Bound, bind};
use crate::job::{Job, Search};
use crate::library::Properties;
use crate::manifest::{Engine, Manifest};
use crate::solver::{Met, PATIENCE, Reachability, SMT_MODEL, named, of_the_block};
use anyhow::{Context, Result};
use powar_config::Config;
use powar_testbenches::twins;
use powar_tools::Tools;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// What is known of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Verdict {
    /// It holds in every cycle of every run.
    Proved,
    /// It holds in the first `depth` cycles of every run.
    Bounded { depth: u32 },
    /// It fails in this cycle of some run, from 0 on.
    Failed { step: u32 },
    /// Neither is known.
    Undecided { why: String },
    /// The properties' module leaves it out at the sizes of this configuration.
    Absent,
}

/// A property and what is known of it.
#[derive(Clone, Debug, Serialize)]
pub struct Property {
    pub name: String,
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// Whether what a property speaks of happens.
#[derive(Clone, Debug, Serialize)]
pub struct Cover {
    pub name: String,
    /// The first cycle in which it does, from 0 on; none if not within the cycles that were looked at.
    pub step: Option<u32>,
    /// It is part of the properties' module at the sizes of this configuration.
    pub present: bool,
}

/// A run that violates a property.
#[derive(Clone, Debug)]
pub struct Violation {
    pub property: String,
    /// The cycle in which it fails, from 0 on.
    pub step: u32,
    /// The run as a dump in VCD: ten ticks a cycle.
    pub dump: String,
}

/// What came of a proof.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub block: String,
    /// Name of its module, with a size behind it where there are several.
    pub module: String,
    /// Name of the configuration.
    pub configuration: String,
    pub engine: Engine,
    /// Cycles in which covers were looked for.
    pub cover_depth: u32,
    pub properties: Vec<Property>,
    pub covers: Vec<Cover>,
    pub seconds: f64,
    #[serde(skip)]
    pub violations: Vec<Violation>,
}

impl Outcome {
    /// Every property is known to hold, as far as was asked for, and every cover was reached.
    pub fn holds(&self) -> bool {
        let holds = |verdict: &Verdict| !matches!(verdict, Verdict::Failed { .. } | Verdict::Undecided { .. });
        self.properties.iter().all(|property| holds(&property.verdict)) && self.unreached().next().is_none()
    }

    /// Covers that are there and were not reached.
    pub fn unreached(&self) -> impl Iterator<Item = &Cover> {
        self.covers.iter().filter(|cover| cover.present && cover.step.is_none())
    }
}

/// Proves the properties of a block's module in a configuration, which is called `design` among those of its manifest.
///
/// # Errors
/// Properties that don't fit the block or that Yosys doesn't take; a tool that is missing.
pub(crate) fn prove(
    properties: &Properties,
    module: &str,
    config: &Config,
    design: &str,
    tools: &Tools,
) -> Result<Outcome> {
    let begun = Instant::now();
    let bound = bind(properties, &twins::design(config, module)?, config, design)?;
    let job = Job::new(&bound, tools)?;
    let mut proof = ProofOf { properties, job, failed: BTreeMap::new(), gave_up: false };
    let rest = proof.run(&|_| false)?;
    let (asserted, covered) = proof.present()?;
    let search = proof.job.search(Search::Covers(properties.manifest.cover_depth))?;
    let step_of = |name: &str| search.met.iter().find(|met| met.name == name).map(|met| met.step);
    let covers = properties.covers().map(|name| Cover {
        name: name.to_owned(),
        step: step_of(name),
        present: covered.contains(name),
    });
    let verdict = |name: &str| match proof.failed.get(name) {
        Some((step, _)) => Verdict::Failed { step: *step },
        None if asserted.contains(name) => rest.clone(),
        None => Verdict::Absent,
    };
    let named = properties.names().map(|name| Property { name: name.to_owned(), verdict: verdict(name) });
    let (named, covers) = (named.collect(), covers.collect());
    let violation = |(property, (step, dump))| Violation { property, step, dump };
    Ok(Outcome {
        block: properties.block.clone(),
        module: module.to_owned(),
        configuration: config.name.clone(),
        engine: properties.manifest.engine,
        cover_depth: properties.manifest.cover_depth,
        properties: named,
        covers,
        seconds: begun.elapsed().as_secs_f64(),
        violations: proof.failed.into_iter().map(violation).collect(),
    })
}

/// The run in which one of the properties fails; none if it holds.
///
/// # Errors
/// As of [`prove`].
pub(crate) fn first_failure(
    properties: &Properties,
    bound: &Bound,
    property: &str,
    tools: &Tools,
) -> Result<Option<Violation>> {
    let job = Job::new(bound, tools)?;
    let mut proof = ProofOf { properties, job, failed: BTreeMap::new(), gave_up: false };
    proof.run(&|failed| failed.contains_key(property))?;
    let found = proof.failed.remove(property);
    Ok(found.map(|(step, dump)| Violation { property: property.to_owned(), step, dump }))
}

/// The first property that is found to fail, and in which cycle, from 0 on; none if none is found in so many seconds a search.
///
/// # Errors
/// As of [`prove`].
pub(crate) fn any_failure(
    properties: &Properties,
    bound: &Bound,
    patience: u32,
    tools: &Tools,
) -> Result<Option<(String, u32)>> {
    let job = Job::new(bound, tools)?.with_patience(patience)?;
    let mut proof = ProofOf { properties, job, failed: BTreeMap::new(), gave_up: false };
    proof.run(&|failed| !failed.is_empty())?;
    let failed = proof.failed.into_iter().map(|(name, (step, _))| (name, step));
    Ok(failed.min_by_key(|(_, step)| *step))
}

/// Properties that fail: the cycle and the dump.
type Failed = BTreeMap<String, (u32, String)>;

struct ProofOf<'a> {
    properties: &'a Properties,
    job: Job<'a>,
    failed: Failed,
    /// The last search came to no end.
    gave_up: bool,
}

impl ProofOf<'_> {
    /// Looks for properties that fail until the others are known to hold, or `enough` have been found; returns what is known of the others.
    fn run(&mut self, enough: &dyn Fn(&Failed) -> bool) -> Result<Verdict> {
        loop {
            let known = self.failed.len();
            let verdict = self.round()?;
            if self.failed.len() == known || enough(&self.failed) {
                return Ok(verdict);
            }
        }
    }

    /// One proof of what has not failed yet; what fails now is added.
    fn round(&mut self) -> Result<Verdict> {
        let manifest = &self.properties.manifest;
        let without: BTreeSet<String> = self.failed.keys().cloned().collect();
        let reachability = self.job.model(&without, manifest.engine == Engine::Pdr)?;
        if self.present()?.0.is_empty() {
            return Ok(Verdict::Proved);
        }
        let undecided = |why: String| Ok(Verdict::Undecided { why });
        let gave_up = || format!("no answer in {PATIENCE} s");
        match (manifest.engine, reachability) {
            (Engine::Pdr, Reachability::Proved) => Ok(Verdict::Proved),
            (Engine::Pdr, Reachability::Unknown) => undecided(gave_up()),
            // What is read back has the same steps, but for registers that one of the tools adds.
            (Engine::Pdr, Reachability::Fails(step)) => match self.look_for_failures(step + 2)? {
                true => undecided("another property fails".into()),
                false => undecided(format!("ABC finds a run of {step} cycles that violates one, z3 does not")),
            },
            (Engine::Bounded | Engine::Induction, _) => self.search_from_reset(),
        }
    }

    /// The proof with the solver: from reset on, then by induction if that is asked for.
    fn search_from_reset(&mut self) -> Result<Verdict> {
        let Manifest { engine, depth, cover_depth, .. } = self.properties.manifest;
        let undecided = |why: String| Ok(Verdict::Undecided { why });
        if self.look_for_failures(depth)? {
            return undecided("another property fails".into());
        }
        if self.gave_up {
            return undecided(format!("no answer in {PATIENCE} s"));
        }
        if engine == Engine::Bounded {
            return Ok(Verdict::Bounded { depth });
        }
        if self.job.search(Search::Induction(depth))?.passed {
            return Ok(Verdict::Proved);
        }
        // An induction that fails says nothing; a run from reset on would, and inductions are shorter than what runs need.
        match self.look_for_failures(depth.max(cover_depth))? {
            true => undecided("another property fails".into()),
            false => undecided(format!("no induction over {depth} cycles")),
        }
    }

    /// Whether properties fail in so many cycles; what fails is added.
    fn look_for_failures(&mut self, cycles: u32) -> Result<bool> {
        let found = self.job.search(Search::Failures(cycles))?;
        self.gave_up = found.gave_up;
        for Met { name, step, dump } in &found.met {
            let dump = self.job.read(dump).with_context(|| format!("the run that violates {name}"))?;
            self.failed.insert(name.clone(), (*step, of_the_block(&dump)));
        }
        Ok(!found.met.is_empty())
    }

    /// Properties and covers of the whole model.
    fn present(&self) -> Result<(BTreeSet<String>, BTreeSet<String>)> {
        let model = self.job.read(SMT_MODEL)?;
        Ok((named(&model, "assert"), named(&model, "cover")))
    }
}
