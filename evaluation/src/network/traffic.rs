//! What the nodes of a simulated network send, as an experiment's file or the command line describes it.

use anyhow::{Context, Result, bail, ensure};
use powar_config::document;
use powar_config::topology::graph::Names;
use powar_config::units::Nanoseconds;
use powar_traffic::jobs::{Mix, Program};
use powar_traffic::synthetic::SyntheticOptions;
use powar_traffic::{Placement, RankPlacement, ReplayOptions, Trace};
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use std::path::PathBuf;

/// What the nodes send.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one in a simulation, and whoever writes one should not have to box it"
)]
pub enum Traffic {
    /// A pattern and an arrival process, or requests and responses.
    Synthetic(SyntheticOptions),
    /// An MPI program, whose messages wait for each other as they did.
    Trace(TraceOptions),
    /// Several of them, which a scheduler gives nodes.
    Jobs(JobsOptions),
}

/// The values of `kind`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TrafficKind {
    Synthetic,
    Trace,
    Jobs,
}

impl<'de> Deserialize<'de> for Traffic {
    /// What serde makes of a tag within the table forgets which of the fields it is that is wrong.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = serde_json::Map::deserialize(deserializer)?;
        let kind = table.remove("kind").ok_or_else(|| D::Error::missing_field("kind"))?;
        match read_part(kind).map_err(|error| D::Error::custom(format!("kind: {error}")))? {
            TrafficKind::Synthetic => read_part(table.into()).map(Traffic::Synthetic),
            TrafficKind::Trace => read_part(table.into()).map(Traffic::Trace),
            TrafficKind::Jobs => read_part(table.into()).map(Traffic::Jobs),
        }
        .map_err(D::Error::custom)
    }
}

/// What a part of a description says; or what is wrong with it, behind the path within it.
fn read_part<T: DeserializeOwned>(part: serde_json::Value) -> Result<T, String> {
    serde_path_to_error::deserialize(part)
        .map_err(|error| document::at(&error.path().to_string(), &error.inner().to_string()))
}

impl Default for Traffic {
    fn default() -> Self {
        Traffic::Synthetic(SyntheticOptions::default())
    }
}

/// An MPI program, a trace or a skeleton, and how it is replayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TraceOptions {
    /// A trace, in any format that is read; empty if there is a skeleton.
    pub input: PathBuf,
    /// A skeleton and its parameters, such as `hpl:n=4096,p=8,q=8`.
    pub skeleton: Option<String>,
    /// Ranks on a node; their messages to each other stay off the network.
    pub ranks_per_node: u32,
    /// Where ranks run: `linear`, `round-robin`, `random:SEED` and so on, or a file with the node of a rank a line; linear unless given.
    // What is kept of simulations without it has no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<RankPlacement>,
    /// Compute gaps, costs of MPI, algorithms of collectives.
    pub replay: ReplayOptions,
}

impl Default for TraceOptions {
    fn default() -> Self {
        TraceOptions {
            input: PathBuf::new(),
            skeleton: None,
            ranks_per_node: 1,
            placement: None,
            replay: ReplayOptions::default(),
        }
    }
}

impl TraceOptions {
    /// What error messages call it: the trace's path, or the skeleton.
    pub fn name(&self) -> String {
        self.skeleton.clone().unwrap_or_else(|| self.input.display().to_string())
    }

    /// Opens the trace or makes the skeleton.
    ///
    /// # Errors
    /// Neither or both are given, or what is given makes no sense.
    pub fn open(&self) -> Result<Trace> {
        match &self.skeleton {
            Some(skeleton) if self.input.as_os_str().is_empty() => Trace::skeleton(skeleton),
            Some(_) => bail!("skeleton: beside an input, expected one of them"),
            None if self.input.as_os_str().is_empty() => bail!("input: the path of a trace is needed, or a skeleton"),
            None => Trace::open(&self.input),
        }
    }

    /// Where so many ranks run on a network of this name and so many nodes.
    ///
    /// # Errors
    /// They don't fit; a file with nodes that can't be read or that makes no sense.
    pub fn placed(&self, ranks: u32, topology: &str, nodes: u32) -> Result<Placement> {
        let placement = self.placement.clone().unwrap_or_default();
        // Only files that a user wrote call nodes by their names.
        let names = placement.file().map(|_| Names::of(topology)).transpose()?.unwrap_or_default();
        placement.place(ranks, self.ranks_per_node, nodes, &names.nodes)
    }
}

/// A mix of jobs, and the machine that it runs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct JobsOptions {
    /// The mix's file.
    pub mix: PathBuf,
    /// Of the scheduler's draws.
    pub seed: u64,
    /// Cores of a node; each task has one (Andújar et al. 2023, section 3.3: 8).
    pub tasks_per_node: u32,
    /// Factor on the compute gaps of all jobs, beside what the mix says of each.
    #[serde(skip_serializing_if = "is_one")]
    pub gap_scale: f64,
    /// [`ReplayOptions::lead`] of the jobs of which the mix says none.
    #[serde(skip_serializing_if = "is_no_time")]
    pub lead: Nanoseconds,
}

impl Default for JobsOptions {
    fn default() -> Self {
        JobsOptions { mix: PathBuf::new(), seed: 1, tasks_per_node: 8, gap_scale: 1.0, lead: Nanoseconds(0.0) }
    }
}

impl JobsOptions {
    /// The mix as its file has it.
    ///
    /// # Errors
    /// No file is given, it can't be read, or makes no sense.
    pub fn read(&self) -> Result<Mix> {
        ensure!(!self.mix.as_os_str().is_empty(), "mix: the path of a mix of jobs is needed");
        Mix::from_file(&self.mix)
    }

    /// The programs of the mix.
    ///
    /// # Errors
    /// As of [`JobsOptions::read`]; a program of it can't be opened; a job's gaps are scaled by nothing that makes sense.
    pub fn open(&self) -> Result<Vec<Program>> {
        let alone = ReplayOptions { gap_scale: self.gap_scale, lead: self.lead, ..ReplayOptions::default() };
        alone.check()?;
        let mut programs = self.read()?.open().with_context(|| self.mix.display().to_string())?;
        for Program { name, replay, .. } in &mut programs {
            replay.gap_scale *= self.gap_scale;
            if is_no_time(&replay.lead) {
                replay.lead = self.lead;
            }
            replay.check().with_context(|| format!("job `{name}`, its own factor included"))?;
        }
        Ok(programs)
    }
}

/// What is kept of jobs that compute as long as their mix says has no such field.
fn is_one(factor: &f64) -> bool {
    *factor == 1.0
}

/// What is kept of jobs that foretell nothing has no such field.
pub(super) fn is_no_time(time: &Nanoseconds) -> bool {
    time.0 == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kept results are found by what is written of their simulation.
    #[test]
    fn what_is_not_said_of_programs_is_not_written() {
        let written = serde_json::to_string(&TraceOptions::default()).unwrap();
        assert!(!written.contains("placement"), "{written}");
        let options = TraceOptions { placement: Some("random:7".to_owned().into()), ..TraceOptions::default() };
        let written = serde_json::to_string(&options).unwrap();
        assert!(written.contains(r#""placement":"random:7""#), "{written}");
        assert_eq!(serde_json::from_str::<TraceOptions>(&written).unwrap(), options);
    }
}
