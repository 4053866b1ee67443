//! Which mutants are killed: each is hunted in its own block first, then in others that reach its place.

use crate::rewrite::Mutant;
use crate::runner::{Effort, Pair, Reach, Runner};
use anyhow::Result;
use powar_tools::{Progress, Step};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// Cycles in which it is looked which places a block reaches.
const REACH_CYCLES: u64 = 3000;
/// Blocks that a mutant outside of the file of a block is hunted in: the smallest that reach it.
const MOST_PAIRS: usize = 6;
/// Mutants that one process hunts: its Verilog is loaded once for them.
const CHUNK: usize = 40;
/// Values in the frames of a block that is run with patience; what larger ones wait for, small ones in them do.
const SMALL: usize = 64;

/// What came of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Verdict {
    Killed {
        block: String,
        network: String,
        by: String,
    },
    Survived,
    /// No block's run comes to its place.
    NotReached,
}

/// How the mutants are hunted.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Of each stimulus.
    pub cycles: u64,
    /// Values of signals with the patient stimulus, in the blocks that wait or count.
    pub patience: u64,
    /// Processes.
    pub jobs: usize,
    /// A hunt that takes longer has killed its mutant; with patience ten times as long.
    pub limit: Duration,
}

impl Verdict {
    pub(crate) fn killed(pair: &Pair, by: &str) -> Verdict {
        Verdict::Killed { block: pair.block.clone(), network: pair.network.clone(), by: by.to_owned() }
    }

    pub fn is_killed(&self) -> bool {
        matches!(self, Verdict::Killed { .. })
    }
}

/// The verdict of each mutant, in their order.
///
/// # Errors
/// Golden model and Verilog differ without a mutant; a missing tool.
pub fn judge(runner: &Runner, mutants: &[&Mutant], plan: Plan, progress: &Progress) -> Result<Vec<Verdict>> {
    let pairs = runner.pairs()?;
    let candidates = candidates(runner, &pairs, mutants, plan.jobs, progress)?;
    let mut verdicts: Vec<Verdict> = (candidates.iter())
        .map(|pairs| if pairs.is_empty() { Verdict::NotReached } else { Verdict::Survived })
        .collect();
    let effort = Effort { cycles: plan.cycles, patience: 0, limit: plan.limit };
    let rounds = candidates.iter().map(Vec::len).max().unwrap_or(0);
    for round in 0..rounds {
        let hunts = |index: usize| candidates[index].get(round).copied();
        hunt_round(runner, &pairs, mutants, (effort, plan.jobs), hunts, &mut verdicts, progress)?;
    }
    if plan.patience != 0 {
        // The stimuli before it have been tried.
        let effort = Effort { cycles: 1, patience: plan.patience, limit: 10 * plan.limit };
        let hunts = |index: usize| candidates[index].iter().copied().find(|&pair| pairs[pair].slots <= SMALL);
        hunt_round(runner, &pairs, mutants, (effort, plan.jobs), hunts, &mut verdicts, progress)?;
    }
    Ok(verdicts)
}

/// Hunts each mutant that lives in the pair that `hunts` says, if any.
fn hunt_round(
    runner: &Runner,
    pairs: &[Pair],
    mutants: &[&Mutant],
    (effort, jobs): (Effort, usize),
    hunts: impl Fn(usize) -> Option<usize>,
    verdicts: &mut [Verdict],
    progress: &Progress,
) -> Result<()> {
    let mut by_pair: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in (0..mutants.len()).filter(|&index| verdicts[index] == Verdict::Survived) {
        if let Some(pair) = hunts(index) {
            by_pair.entry(pair).or_default().push(mutants[index].number);
        }
    }
    let units: Vec<(usize, &[usize])> =
        by_pair.iter().flat_map(|(&pair, numbers)| numbers.chunks(CHUNK).map(move |chunk| (pair, chunk))).collect();
    let total = by_pair.values().map(Vec::len).sum::<usize>();
    if total == 0 {
        return Ok(());
    }
    let step = progress.counted("hunting mutants", total as u64);
    let index_of: HashMap<usize, usize> =
        mutants.iter().enumerate().map(|(index, mutant)| (mutant.number, index)).collect();
    let told = Mutex::new(verdicts);
    let result = in_parallel(&units, jobs, |&(pair, numbers)| {
        step.detail(format!("{} in {}", pairs[pair].block, pairs[pair].network));
        runner.hunt(&pairs[pair], effort, numbers, &mut |number, verdict| {
            told.lock().expect("no hunt panics")[index_of[&number]] = verdict;
            step.advance();
        })
    });
    step.finish();
    result.map(|_| ())
}

/// The pairs that each mutant is hunted in: those of the block whose file it is in, or else the smallest that reach it.
fn candidates(
    runner: &Runner,
    pairs: &[Pair],
    mutants: &[&Mutant],
    jobs: usize,
    progress: &Progress,
) -> Result<Vec<Vec<usize>>> {
    let own: Vec<Vec<usize>> = mutants.iter().map(|mutant| own_pairs(pairs, mutant)).collect();
    if own.iter().all(|own| !own.is_empty()) {
        return Ok(own);
    }
    let step = progress.counted("what the blocks reach", pairs.len() as u64);
    let all: Vec<usize> = (0..pairs.len()).collect();
    let reach = in_parallel(&all, jobs, |&pair| reach_of(runner, &pairs[pair], &step))?;
    step.finish();
    let mut by_size = all;
    by_size.sort_by_key(|&pair| pairs[pair].slots);
    let reaching = |mutant: &Mutant| -> Vec<usize> {
        let some = |list: fn(&Reach) -> &Vec<usize>| -> Vec<usize> {
            let reached = by_size.iter().filter(|&&pair| list(&reach[pair]).binary_search(&mutant.number).is_ok());
            reached.take(MOST_PAIRS).copied().collect()
        };
        let run = some(|reach| &reach.run);
        if run.is_empty() { some(|reach| &reach.built) } else { run }
    };
    Ok(own.into_iter().zip(mutants).map(|(own, mutant)| if own.is_empty() { reaching(mutant) } else { own }).collect())
}

fn reach_of(runner: &Runner, pair: &Pair, step: &Step) -> Result<Reach> {
    let reach = runner.reach(pair, REACH_CYCLES)?;
    step.advance();
    Ok(reach)
}

/// Those of the block that has the file's name.
fn own_pairs(pairs: &[Pair], mutant: &Mutant) -> Vec<usize> {
    let name = Path::new(&mutant.file).file_stem();
    (0..pairs.len()).filter(|&pair| name.is_some_and(|name| *pairs[pair].block == *name)).collect()
}

/// Does `work` for all items in so many threads; the results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> Result<R> + Sync) -> Result<Vec<R>> {
    let next = Mutex::new(0..items.len());
    let done: Mutex<Vec<(usize, Result<R>)>> = Mutex::new(vec![]);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let Some(index) = next.lock().expect("taking one can't panic").next() else { return };
                    let result = work(&items[index]);
                    if result.is_err() {
                        // The others are of no use any more.
                        next.lock().expect("taking one can't panic").by_ref().for_each(drop);
                    }
                    done.lock().expect("adding one can't panic").push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("adding one can't panic");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn results_are_in_order_and_the_first_error_ends_all() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(in_parallel(&items, 3, |&item| Ok(item * 2)).unwrap()[99], 198);
        let failed = in_parallel(&items, 1, |&item| if item == 3 { bail!("no {item}") } else { Ok(item) });
        assert_eq!(failed.unwrap_err().to_string(), "no 3");
    }
}
