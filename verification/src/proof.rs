//! One proof: the properties of a block in a configuration.

use crate::abc::Reachability;
use crate::binding::{Bound, bind};
use crate::job::{Job, Search};
use crate::library::Properties;
use crate::manifest::{Engine, Manifest};
use crate::plan::Proof;
use crate::solver::{LIMIT, Met, SMT_MODEL, named, of_the_block};
use anyhow::{Context, Error, Result};
use powar_testbenches::twins;
use powar_tools::Tools;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Cycles from reset on that are looked at where no proof without a bound ends, if time allows.
const DEEP: u32 = 200;

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
    /// Neither is known, but that it holds in the first `depth` cycles of every run.
    Undecided { why: String, depth: u32 },
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
    /// The configuration is one of the manifest's, where the proof comes to an end: that it does not is a failure.
    pub ends_here: bool,
    /// Cycles in which covers were looked for.
    pub cover_depth: u32,
    /// The search for covers was given up.
    pub covers_given_up: bool,
    pub properties: Vec<Property>,
    pub covers: Vec<Cover>,
    pub seconds: f64,
    #[serde(skip)]
    pub violations: Vec<Violation>,
}

impl Outcome {
    /// Of a proof of which nothing is known.
    fn new(proof: &Proof) -> Outcome {
        let manifest = &proof.properties.manifest;
        Outcome {
            block: proof.properties.block.clone(),
            module: proof.module.clone(),
            configuration: proof.config.name.clone(),
            engine: manifest.engine,
            ends_here: proof.ends_here(),
            cover_depth: manifest.cover_depth,
            covers_given_up: false,
            properties: vec![],
            covers: vec![],
            seconds: 0.0,
            violations: vec![],
        }
    }

    /// Of a proof that a tool failed in.
    pub(crate) fn not_decided(proof: &Proof, error: &Error) -> Outcome {
        let verdict = Verdict::Undecided { why: format!("{error:#}"), depth: 0 };
        let undecided = |name: &str| Property { name: name.to_owned(), verdict: verdict.clone() };
        Outcome { properties: proof.properties.names().map(undecided).collect(), ..Outcome::new(proof) }
    }

    /// Every property is known to hold, as far as was asked for, and every cover was reached. In a configuration that the manifest does not
    /// name, some cycles are enough of what finds no end, and covers may need more cycles than their depth, or not happen at all.
    pub fn holds(&self) -> bool {
        let holds = |verdict: &Verdict| match verdict {
            Verdict::Failed { .. } => false,
            Verdict::Undecided { depth, .. } => !self.ends_here && *depth > 0,
            Verdict::Proved | Verdict::Bounded { .. } | Verdict::Absent => true,
        };
        let is_reached = self.unreached().next().is_none() || !self.ends_here;
        self.properties.iter().all(|property| holds(&property.verdict)) && is_reached
    }

    /// Less is known than of a configuration that the manifest names: cycles from reset on alone, or covers that were not reached.
    pub fn is_cut_short(&self) -> bool {
        let undecided = |property: &Property| matches!(property.verdict, Verdict::Undecided { .. });
        self.properties.iter().any(undecided) || self.unreached().next().is_some()
    }

    /// Covers that are there and were not reached.
    pub fn unreached(&self) -> impl Iterator<Item = &Cover> {
        self.covers.iter().filter(|cover| cover.present && cover.step.is_none())
    }
}

/// Proves the properties of a block's module in a configuration. A search is given up after `limit` seconds.
///
/// # Errors
/// Properties that don't fit the block or that Yosys doesn't take; a tool that is missing.
pub(crate) fn prove(proof: &Proof, tools: &Tools, limit: u32) -> Result<Outcome> {
    let begun = Instant::now();
    let properties = proof.properties;
    let bound = bind(properties, &twins::design(&proof.config, &proof.module)?, &proof.config, &proof.design)?;
    let mut at_work = ProofOf::new(properties, Job::new(&bound, tools, limit)?);
    let rest = at_work.run(&|_| false)?;
    let (asserted, covered) = at_work.present()?;
    let search = at_work.job.search(Search::Covers(properties.manifest.cover_depth))?;
    let step_of = |name: &str| search.met.iter().find(|met| met.name == name).map(|met| met.step);
    let covers = properties.covers().map(|name| Cover {
        name: name.to_owned(),
        step: step_of(name),
        present: covered.contains(name),
    });
    let verdict = |name: &str| match at_work.failed.get(name) {
        Some((step, _)) => Verdict::Failed { step: *step },
        None if asserted.contains(name) => rest.clone(),
        None => Verdict::Absent,
    };
    let named = properties.names().map(|name| Property { name: name.to_owned(), verdict: verdict(name) });
    let (named, covers) = (named.collect(), covers.collect());
    let violation = |(property, (step, dump))| Violation { property, step, dump };
    Ok(Outcome {
        cover_depth: if search.gave_up { search.gone_through } else { properties.manifest.cover_depth },
        covers_given_up: search.gave_up,
        properties: named,
        covers,
        seconds: begun.elapsed().as_secs_f64(),
        violations: at_work.failed.into_iter().map(violation).collect(),
        ..Outcome::new(proof)
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
    let mut proof = ProofOf::new(properties, Job::new(bound, tools, LIMIT)?);
    proof.run(&|failed| failed.contains_key(property))?;
    let found = proof.failed.remove(property);
    Ok(found.map(|(step, dump)| Violation { property: property.to_owned(), step, dump }))
}

/// What the properties say of a design, in so many seconds a search: the first that is found to fail, if one is.
///
/// # Errors
/// As of [`prove`].
pub(crate) fn opinion(properties: &Properties, bound: &Bound, limit: u32, tools: &Tools) -> Result<Opinion> {
    let mut proof = ProofOf::new(properties, Job::new(bound, tools, limit)?);
    let rest = proof.run(&|failed| !failed.is_empty())?;
    let failed = proof.failed.into_iter().map(|(property, (step, _))| (step, property)).min();
    Ok(match (failed, rest) {
        (Some((step, property)), _) => Opinion::Fails { property, step },
        (None, Verdict::Proved) => Opinion::Proved,
        (None, _) if proof.no_induction => Opinion::NoInduction,
        (None, _) => Opinion::Unknown,
    })
}

/// See [`opinion`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opinion {
    /// It fails in this cycle of some run, from 0 on.
    Fails { property: String, step: u32 },
    /// All hold in every cycle of every run.
    Proved,
    /// None was found to fail, and the induction does not hold.
    NoInduction,
    /// A search came to no end, or was for so many cycles only.
    Unknown,
}

/// Properties that fail: the cycle and the dump.
type Failed = BTreeMap<String, (u32, String)>;

struct ProofOf<'a> {
    properties: &'a Properties,
    job: Job<'a>,
    failed: Failed,
    /// Why the last search for failures came to no end.
    given_up: Option<String>,
    /// The last induction came to its end, and does not hold.
    no_induction: bool,
    /// The cycles from reset on in which what has not failed is known to hold.
    depth: u32,
}

impl<'a> ProofOf<'a> {
    fn new(properties: &'a Properties, job: Job<'a>) -> ProofOf<'a> {
        ProofOf { properties, job, failed: BTreeMap::new(), given_up: None, no_induction: false, depth: 0 }
    }

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
        match (manifest.engine, reachability) {
            (Engine::Pdr, Reachability::Proved) => Ok(Verdict::Proved),
            (Engine::Pdr, Reachability::Unknown) => {
                let why = self.no_answer();
                self.cycles_alone(why, DEEP)
            }
            // What is read back has the same steps, but for registers that one of the tools adds.
            (Engine::Pdr, Reachability::Fails(step)) => match self.look_for_failures(step + 2)? {
                true => Ok(self.undecided("another property fails".into())),
                false => Ok(self.undecided(format!("ABC finds a run of {step} cycles that violates one, z3 does not"))),
            },
            (Engine::Bounded | Engine::Induction, _) => self.search_from_reset(),
        }
    }

    /// The proof with the solver: from reset on, then by induction if that is asked for.
    fn search_from_reset(&mut self) -> Result<Verdict> {
        let Manifest { engine, depth, cover_depth, .. } = self.properties.manifest;
        if self.look_for_failures(depth)? {
            return Ok(self.undecided("another property fails".into()));
        }
        if let Some(why) = self.given_up.clone() {
            return Ok(self.undecided(why));
        }
        if engine == Engine::Bounded {
            return Ok(Verdict::Bounded { depth });
        }
        let induction = self.job.search(Search::Induction(depth))?;
        self.no_induction = !induction.passed && !induction.gave_up;
        if induction.passed {
            return Ok(Verdict::Proved);
        }
        // An induction that fails says nothing; a run from reset on would, and inductions are shorter than what runs need.
        let why = if induction.gave_up { self.no_answer() } else { format!("no induction over {depth} cycles") };
        self.cycles_alone(why, depth.max(cover_depth))
    }

    /// Looks for failures where a proof without a bound has found no end.
    fn cycles_alone(&mut self, why: String, cycles: u32) -> Result<Verdict> {
        match self.look_for_failures(cycles)? {
            true => Ok(self.undecided("another property fails".into())),
            false => Ok(self.undecided(why)),
        }
    }

    fn undecided(&self, why: String) -> Verdict {
        Verdict::Undecided { why, depth: self.depth }
    }

    fn no_answer(&self) -> String {
        format!("no answer in {} s", self.job.limit())
    }

    /// Whether properties fail in so many cycles; what fails is added.
    fn look_for_failures(&mut self, cycles: u32) -> Result<bool> {
        let found = self.job.search(Search::Failures(cycles))?;
        self.given_up = found.gave_up.then(|| self.no_answer());
        let all = if found.gave_up { found.gone_through } else { cycles };
        self.depth = found.met.iter().map(|met| met.step).min().unwrap_or(all);
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
