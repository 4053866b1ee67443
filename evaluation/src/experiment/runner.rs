//! Runs the simulations of an experiment over the cores, and keeps each as soon as it has finished.

use super::plan::{Plan, PointRun};
use super::results::Results;
use super::store::Store;
use crate::network::{Outcome, simulate};
use anyhow::{Context, Result, ensure};
use rayon::ThreadPoolBuilder;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How an experiment is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// Simulations at a time; the cores if not given.
    pub jobs: Option<usize>,
    /// Takes no notice of results that are there.
    pub fresh: bool,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Simulations that have finished, those of earlier runs included.
    pub done: usize,
    pub all: usize,
    /// Those of earlier runs.
    pub kept: usize,
}

/// Runs the simulations of an experiment of which `folder` has no result yet, and puts the results of all together.
///
/// A result is written as soon as there is one: a run that was killed goes on where it was. `observe` is called at the beginning
/// and behind every simulation; an error of it ends the run behind those under way.
///
/// # Errors
/// A simulation that can't be run to its end, a result that can't be written, an error of `observe`.
pub fn run(
    plan: &Plan,
    folder: &Path,
    options: &RunOptions,
    observe: &(dyn Fn(Status) -> Result<()> + Sync),
) -> Result<Results> {
    run_in(plan, Some(folder), options, observe)
}

/// The same without a folder: nothing is kept, and rows have no commands that repeat them.
///
/// # Errors
/// A simulation that can't be run to its end, an error of `observe`.
pub fn run_in_memory(
    plan: &Plan,
    options: &RunOptions,
    observe: &(dyn Fn(Status) -> Result<()> + Sync),
) -> Result<Results> {
    run_in(plan, None, options, observe)
}

fn run_in(
    plan: &Plan,
    folder: Option<&Path>,
    options: &RunOptions,
    observe: &(dyn Fn(Status) -> Result<()> + Sync),
) -> Result<Results> {
    ensure!(options.jobs != Some(0), "jobs: 0 is out of range, jobs >= 1");
    let store = folder.map(Store::open).transpose()?;
    let kept = store.as_ref().filter(|_| !options.fresh);
    let load = |(key, _): &(String, _)| kept.and_then(|store| store.load(key));
    let mut outcomes: Vec<Option<Outcome>> = plan.simulations.iter().map(load).collect();
    let missing: Vec<usize> = (0..outcomes.len()).filter(|&place| outcomes[place].is_none()).collect();
    let kept = outcomes.len() - missing.len();
    observe(Status { done: kept, all: outcomes.len(), kept })?;
    let state = Mutex::new((kept, &mut outcomes));
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let one = |place: usize| -> Result<()> {
        let (key, simulation) = &plan.simulations[place];
        let outcome = simulate(simulation, &mut |_| {}).with_context(|| name(plan, place))?;
        if let Some(store) = &store {
            store.save(key, simulation, &outcome)?;
        }
        let mut state = state.lock().expect("no other thread has panicked");
        state.0 += 1;
        let done = state.0;
        state.1[place] = Some(outcome);
        let all = state.1.len();
        observe(Status { done, all, kept })
    };
    let worker = || -> Result<()> {
        while !stop.load(Ordering::Relaxed) {
            let Some(&place) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            one(place).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    };
    let threads = options.jobs.unwrap_or(0);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().context("can't start the threads")?;
    pool.broadcast(|_| worker()).into_iter().collect::<Result<()>>()?;
    let outcomes = outcomes.into_iter().collect::<Option<Vec<_>>>().context("simulations were left out")?;
    Results::new(plan, outcomes, folder)
}

/// The first point that needs a simulation.
pub(super) fn name(plan: &Plan, simulation: usize) -> String {
    let needs = |run: &PointRun| run.simulation == simulation || run.baseline == Some(simulation);
    let point = plan.points.iter().find(|point| point.runs.iter().any(needs));
    let labels = point.map(|point| &point.labels).into_iter().flatten();
    let named = plan.file.sweeps.iter().zip(labels);
    let parts = named.filter_map(|(sweep, label)| Some(format!("{} = {}", sweep.name, label.as_ref()?)));
    let repetition = plan.file.repeat.as_ref().zip(point).and_then(|(repeat, point)| {
        let value = &repeat.values[point.runs.iter().position(needs)?];
        Some(format!("{} = {value}", repeat.key))
    });
    format!("point {}", parts.chain(repetition).collect::<Vec<_>>().join(", "))
}
