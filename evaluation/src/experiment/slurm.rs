//! Experiments on a cluster: an experiment's simulations as a job array of Slurm, and its results from what the tasks have left.
//!
//! A task runs a share of the simulations one after the other and keeps each in the results folder as soon as it has finished, whole or not at all. So
//! a task that was killed goes on where it was, and what the folder has is never computed again.

use super::plan::Plan;
use super::results::Results;
use super::runner::name;
use super::store::Store;
use crate::network::simulate;
use anyhow::{Context, Result, ensure};
use powar_tools::{plain_name, shell_word, write_atomic};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Most tasks of an array: Slurm's own limit unless a cluster has another (`MaxArraySize`, 1001, is one more).
pub const MOST_TASKS: usize = 1000;

/// One of `of` shares of an experiment's simulations: those at the places `number`, `number + of` and so on, since neighbours take about as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// 0 to `of` - 1.
    pub number: usize,
    pub of: usize,
}

impl Share {
    fn places(self, all: usize) -> impl Iterator<Item = usize> {
        (self.number..all).step_by(self.of)
    }
}

impl FromStr for Share {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Share> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let (number, of) = parts.filter(|&(number, of)| number < of && of <= MOST_TASKS).with_context(|| {
            format!("`{text}` is no share; expected N/T with N in 0..T, T in 1..={MOST_TASKS}, such as 3/24")
        })?;
        Ok(Share { number, of })
    }
}

/// A job array that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobArray {
    /// The script for `sbatch`.
    pub script: PathBuf,
    /// Tasks with something to do.
    pub tasks: usize,
    /// Simulations without a result, and all.
    pub missing: usize,
    pub all: usize,
}

/// What a job array's script runs.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// The `powar` executable, absolute.
    pub program: &'a Path,
    /// The experiment's file, absolute.
    pub experiment: &'a Path,
}

/// Writes the script of a job array for the simulations that `folder`, absolute, has no result of. `per_task` simulations make a task, as few as
/// [`MOST_TASKS`] allows unless given. Without anything left to do no script is written.
///
/// # Errors
/// So few a task that there would be more than [`MOST_TASKS`]; a path that is not UTF-8 or has a line break; a file that can't be written.
pub fn write_job_array(
    plan: &Plan,
    command: Command,
    folder: &Path,
    per_task: Option<usize>,
) -> Result<Option<JobArray>> {
    let all = plan.simulations.len();
    let least = all.div_ceil(MOST_TASKS).max(1);
    let per_task = per_task.unwrap_or(least);
    ensure!(
        per_task >= least,
        "per_task: {per_task} is out of range {least}..; there would be more than {MOST_TASKS} tasks"
    );
    let of = all.div_ceil(per_task).max(1);
    let store = Store::open(folder)?;
    let missing: Vec<bool> = plan.simulations.iter().map(|(key, _)| store.load(key).is_none()).collect();
    let left = |number: &usize| Share { number: *number, of }.places(all).any(|place| missing[place]);
    let tasks: Vec<usize> = (0..of).filter(left).collect();
    if tasks.is_empty() {
        return Ok(None);
    }
    let path = folder.join(format!("{}.sbatch", plan.name));
    write_atomic(&path, script(plan, command, folder, &tasks, of)?)?;
    let missing = missing.into_iter().filter(|missing| *missing).count();
    Ok(Some(JobArray { script: path, tasks: tasks.len(), missing, all }))
}

fn script(plan: &Plan, command: Command, folder: &Path, tasks: &[usize], of: usize) -> Result<String> {
    let [program, experiment, results] =
        [command.program, command.experiment, folder].map(|path| text(path).map(shell_word));
    let (program, experiment, results) = (program?, experiment?, results?);
    // Slurm replaces %a and the like in names of files.
    let log = format!("{}/log-%a.txt", text(folder)?.replace('%', "%%"));
    Ok(format!(
        r#"#!/bin/sh
# {title}: what is left of its simulations, as a job array.
#
#     sbatch {script}
#     powar experiment {experiment} --collect {results}
#
# A task that was killed is put into the queue again, three times at most, and goes on where it was. The folders of the experiment, of the results
# and of the program must be there on every node.
#SBATCH --job-name={name}
#SBATCH --array={array}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="{log}"
{program} experiment {experiment} --slurm {results} --task "$SLURM_ARRAY_TASK_ID/{of}"
status=$?
# 2 is bad input, and would be the next time.
if [ $status -ne 0 ] && [ $status -ne 2 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt 3 ]; then
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"
fi
exit $status
"#,
        title = plan.file.title.replace('\n', " "),
        script = shell_word(text(&folder.join(format!("{}.sbatch", plan.name)))?),
        name = plain_name(&plan.name),
        array = ranges(tasks),
    ))
}

/// A path in a script.
fn text(path: &Path) -> Result<&str> {
    let text = path.to_str().filter(|text| !text.contains(['\n', '"']));
    text.with_context(|| {
        format!("path: {path:?} can't stand in a script; expected UTF-8 without quotation marks and line breaks")
    })
}

/// Numbers that rise as Slurm's `--array` has them: `0-3,5`.
fn ranges(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = vec![];
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let written = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    ranges.iter().map(written).collect::<Vec<_>>().join(",")
}

/// Runs the simulations of a share that `folder` has no result of, one after the other; `observe` is told of each that has finished, by its key.
///
/// # Errors
/// A simulation that can't be run to its end, a result that can't be written, an error of `observe`.
pub fn run_share(plan: &Plan, folder: &Path, share: Share, observe: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
    let store = Store::open(folder)?;
    for place in share.places(plan.simulations.len()) {
        let (key, simulation) = &plan.simulations[place];
        if store.load(key).is_none() {
            let outcome = simulate(simulation, &mut |_| {}).with_context(|| name(plan, place))?;
            store.save(key, simulation, &outcome)?;
            observe(key)?;
        }
    }
    Ok(())
}

/// The results of an experiment of which `folder` has all simulations.
///
/// # Errors
/// Some are not there: how many.
pub fn collect(plan: &Plan, folder: &Path) -> Result<Results> {
    let store = Store::to_read(folder);
    let outcomes: Vec<_> = plan.simulations.iter().filter_map(|(key, _)| store.load(key)).collect();
    let (all, missing) = (plan.simulations.len(), plan.simulations.len() - outcomes.len());
    ensure!(
        missing == 0,
        "collect: {missing} of {all} simulations have no result in {} yet; --slurm writes a job array for what is left",
        folder.display()
    );
    Results::new(plan, outcomes, Some(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_every_simulation_once() {
        for (all, of) in [(1, 1), (7, 3), (5, 8), (1000, 1000)] {
            let mut places: Vec<usize> = (0..of).flat_map(|number| Share { number, of }.places(all)).collect();
            places.sort_unstable();
            assert_eq!(places, (0..all).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_share_is_written_as_a_fraction() {
        assert_eq!("3/24".parse::<Share>().unwrap(), Share { number: 3, of: 24 });
        for wrong in ["", "3", "24/24", "-1/2", "0/0", "0/1001", "1/x"] {
            let error = wrong.parse::<Share>().unwrap_err().to_string();
            assert!(error.contains("expected N/T with N in 0..T, T in 1..=1000"), "{error}");
        }
    }

    #[test]
    fn arrays_are_written_in_ranges() {
        assert_eq!(ranges(&[0]), "0");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }

    #[test]
    fn a_path_stands_in_a_script() {
        assert!(text(Path::new("/a\nb")).is_err());
    }
}
