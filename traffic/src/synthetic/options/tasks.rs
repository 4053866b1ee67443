//! What the model `tasks` is told.

use super::self_similar::SelfSimilarOptions;
use crate::synthetic::timeline::LAST_CYCLE;
use anyhow::{Result, ensure};
use powar_config::units::Nanoseconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most tasks under way in the mean.
const MOST_TASKS: f64 = 1e6;
/// Most sources of a task.
const MOST_SOURCES: u32 = 1024;

/// Tasks, and the sources within them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TasksOptions {
    /// Tasks under way in the mean, above 0 up to a million; need not be whole.
    pub concurrent: f64,
    /// How long a task lasts in the mean; a cycle to 2^48 cycles.
    pub duration: Nanoseconds,
    /// How durations are distributed.
    pub durations: Durations,
    /// Shape of Pareto durations, 1.01 to 1.99.
    pub alpha: f64,
    /// Probability, 0 to 1, with which a task's destination is within the sphere of locality of its node.
    pub locality: f64,
    /// Radius of that sphere: links between switches on the way to a node, at the fewest; 0 are the nodes of the same switch.
    pub radius: u32,
    /// ON/OFF sources of a task, 1 to 1024.
    pub sources: u32,
    /// Shapes of their ON and OFF periods, 1.01 to 1.99.
    pub alpha_on: f64,
    pub alpha_off: f64,
    /// Length of an ON period in the mean, cycles, 1 to 1e9.
    pub mean_on: f64,
    /// Flits a cycle of a source in an ON period; at least its load, at most 64.
    pub burst_load: f64,
    /// Packets that the whole network is offered a cycle, instead of the traffic's `load`, which is this times the flits of a packet over the
    /// nodes.
    pub packets_per_cycle: Option<f64>,
}

/// How long tasks last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Durations {
    #[default]
    Pareto,
    Exponential,
}

impl Default for TasksOptions {
    /// A hundred tasks of 1 us. The paper has no parameters of locality and sources: four of five tasks stay within two links (12 of 63 nodes
    /// of an 8 x 8 torus), and a task's 8 sources send some ten packets at the rate of a link before they are silent; H = 0.8 on both levels.
    fn default() -> Self {
        TasksOptions {
            concurrent: 100.0,
            duration: Nanoseconds(1000.0),
            durations: Durations::Pareto,
            alpha: 1.4,
            locality: 0.8,
            radius: 2,
            sources: 8,
            alpha_on: 1.4,
            alpha_off: 1.4,
            mean_on: 50.0,
            burst_load: 1.0,
            packets_per_cycle: None,
        }
    }
}

impl TasksOptions {
    /// Checks what sources don't check themselves.
    pub(crate) fn check(&self, cycle_ns: f64) -> Result<()> {
        let TasksOptions { concurrent, duration, alpha, locality, sources, .. } = *self;
        ensure!(
            concurrent > 0.0 && concurrent <= MOST_TASKS,
            "tasks.concurrent is `{concurrent}`, expected a number above 0 up to {MOST_TASKS}"
        );
        let cycles = duration.0 / cycle_ns;
        ensure!(
            (1.0..=LAST_CYCLE as f64).contains(&cycles),
            "tasks.duration is `{duration}`, expected 1 to {LAST_CYCLE} cycles of {cycle_ns} ns"
        );
        ensure!((1.01..=1.99).contains(&alpha), "tasks.alpha is `{alpha}`, expected a number from 1.01 to 1.99");
        ensure!((0.0..=1.0).contains(&locality), "tasks.locality is `{locality}`, expected a number from 0 to 1");
        ensure!((1..=MOST_SOURCES).contains(&sources), "tasks.sources is `{sources}`, expected 1 to {MOST_SOURCES}");
        Ok(())
    }

    /// Those of its sources.
    pub(crate) fn bursts(&self) -> SelfSimilarOptions {
        let TasksOptions { alpha_on, alpha_off, mean_on, burst_load, .. } = *self;
        SelfSimilarOptions { alpha_on, alpha_off, mean_on, burst_load }
    }
}
