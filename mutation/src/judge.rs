//! Which mutants are killed: each is hunted in its own block, or in others that reach its place; what survives that
//! and what none reaches is left to unit tests.

use crate::rewrite::Mutant;
use crate::runner::{Effort, Pair, Reach, Runner};
use crate::unit_tests::UnitTests;
use crate::verdict::Verdict;
use anyhow::Result;
use powar_tools::Progress;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;
use std::time::Duration;

/// Cycles in which it is looked which places a block reaches.
const REACH_CYCLES: u64 = 3000;
/// Blocks that a mutant outside of the file of a block is hunted in: the smallest that reach it.
const MOST_PAIRS: usize = 6;
/// Mutants that one process hunts: its Verilog is loaded once for them.
const CHUNK: usize = 40;
/// How many times as long what has survived is hunted once more.
const LONGER: u64 = 6;
/// Values in the frames of a block that is hunted in for longer, and at the sizes of other switches.
const MEDIUM: usize = 300;
/// Values in the frames of a block that is hunted in for what only larger ones around it look at.
const LARGE: usize = 1300;
/// Values in the frames of a block that is run with patience; what larger ones wait for, small ones in them do.
const SMALL: usize = 64;

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

/// The verdict of each mutant in lock-step, in their order.
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
    // What takes rounds of many cycles takes long to show.
    let longer = Effort { cycles: LONGER * plan.cycles, limit: LONGER as u32 * plan.limit, ..effort };
    let first = |index: usize| candidates[index].first().copied().filter(|&pair| pairs[pair].slots <= MEDIUM);
    hunt_round(runner, &pairs, mutants, (longer, plan.jobs), first, &mut verdicts, progress)?;
    // Its own block at the sizes of presets and designs, if it is small.
    let is_other = |pair: &usize| pairs[*pair].is_other && pairs[*pair].slots <= MEDIUM;
    let others = |index: usize| own_pairs(&pairs, &mutants[index].file).into_iter().filter(is_other).collect();
    hunt_in_more(runner, &pairs, mutants, (effort, plan.jobs), others, &mut verdicts, progress)?;
    // Blocks that the place is a part of: they look at what its own, in the networks that it is tried in, has no use for.
    let around = largest(&pairs);
    let new = |index: usize| around.iter().copied().filter(|pair| !candidates[index].contains(pair)).collect();
    hunt_in_more(runner, &pairs, mutants, (effort, plan.jobs), new, &mut verdicts, progress)?;
    if plan.patience != 0 {
        // The stimuli before it have been tried.
        let effort = Effort { cycles: 1, patience: plan.patience, limit: 10 * plan.limit };
        let hunts = |index: usize| candidates[index].iter().copied().find(|&pair| pairs[pair].slots <= SMALL);
        hunt_round(runner, &pairs, mutants, (effort, plan.jobs), hunts, &mut verdicts, progress)?;
    }
    Ok(verdicts)
}

/// Hunts what is left in the pairs that `more` says of each mutant, as far as they reach it.
fn hunt_in_more(
    runner: &Runner,
    pairs: &[Pair],
    mutants: &[&Mutant],
    (effort, jobs): (Effort, usize),
    more: impl Fn(usize) -> Vec<usize>,
    verdicts: &mut [Verdict],
    progress: &Progress,
) -> Result<()> {
    let left: Vec<usize> = (0..mutants.len()).filter(|&index| verdicts[index] == Verdict::Survived).collect();
    if left.is_empty() {
        return Ok(());
    }
    let reach = reach_of(runner, pairs, &left.iter().flat_map(|&index| more(index)).collect(), jobs, progress)?;
    let reaching = |&index: &usize| {
        let reaches = |pair: &usize| reach[pair].run.binary_search(&mutants[index].number).is_ok();
        (index, more(index).into_iter().filter(reaches).collect::<Vec<usize>>())
    };
    let candidates: HashMap<usize, Vec<usize>> = left.iter().map(reaching).collect();
    for round in 0..candidates.values().map(Vec::len).max().unwrap_or(0) {
        let hunts = |index: usize| candidates.get(&index)?.get(round).copied();
        hunt_round(runner, pairs, mutants, (effort, jobs), hunts, verdicts, progress)?;
    }
    Ok(())
}

/// The two largest blocks of each network that are not too large, such as all that steers power, and the switch; small networks come first.
fn largest(pairs: &[Pair]) -> Vec<usize> {
    let mut of_networks: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.slots <= LARGE) {
        of_networks.entry(&pair.network).or_default().push(index);
    }
    let mut all: Vec<usize> = vec![];
    for mut of_network in of_networks.into_values() {
        of_network.sort_by_key(|&index| Reverse(pairs[index].slots));
        all.extend(of_network.into_iter().take(2));
    }
    all.sort_by_key(|&index| pairs[index].slots);
    all
}

/// Runs the golden model's own tests, which `tests` compiles, on what no block's run reaches, such as the power model,
/// and on what has survived, such as a count that takes millions of cycles to fill.
///
/// # Errors
/// The tests do not compile.
pub fn try_unit_tests(
    tests: impl FnOnce() -> Result<UnitTests>,
    mutants: &[&Mutant],
    plan: Plan,
    verdicts: &mut [Verdict],
    progress: &Progress,
) -> Result<()> {
    let left: Vec<usize> = (0..mutants.len()).filter(|&index| !verdicts[index].is_killed()).collect();
    if left.is_empty() {
        return Ok(());
    }
    let tests = tests()?;
    let step = progress.counted("unit tests of what no block shows", left.len() as u64);
    let judged = in_parallel(&left, plan.jobs, |&index| {
        let failed = tests.judge(mutants[index], plan.limit)?;
        step.advance();
        Ok((index, failed))
    })?;
    step.finish();
    for (index, failed) in judged {
        if let Some(failed) = failed {
            verdicts[index] = failed;
        }
    }
    Ok(())
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
    let is_of_faults = |pair: &usize| !pairs[*pair].is_other;
    let own = |mutant: &&Mutant| own_pairs(pairs, &mutant.file).into_iter().filter(is_of_faults).collect();
    let own: Vec<Vec<usize>> = mutants.iter().map(own).collect();
    let of_own: BTreeSet<usize> = own.iter().flatten().copied().collect();
    let mut reach = reach_of(runner, pairs, &of_own, jobs, progress)?;
    let reaching = |reach: &BTreeMap<usize, Reach>, own: &[usize], number: usize| -> Vec<usize> {
        own.iter().copied().filter(|pair| reach[pair].run.binary_search(&number).is_ok()).collect()
    };
    let by_own = |index: usize| reaching(&reach, &own[index], mutants[index].number);
    let mut candidates: Vec<Vec<usize>> = (0..mutants.len()).map(by_own).collect();
    if candidates.iter().all(|pairs| !pairs.is_empty()) {
        return Ok(candidates);
    }
    let others = (0..pairs.len()).filter(|pair| is_of_faults(pair) && !of_own.contains(pair)).collect();
    reach.extend(reach_of(runner, pairs, &others, jobs, progress)?);
    let mut by_size: Vec<usize> = reach.keys().copied().collect();
    by_size.sort_by_key(|&pair| pairs[pair].slots);
    for ((candidates, own), mutant) in
        candidates.iter_mut().zip(own).zip(mutants).filter(|((pairs, _), _)| pairs.is_empty())
    {
        *candidates = reaching(&reach, &by_size, mutant.number);
        candidates.truncate(MOST_PAIRS);
        // What is only done while a block is built is done in all runs: of one block all are built.
        let is_built = reach.values().any(|reach| reach.built.binary_search(&mutant.number).is_ok());
        if candidates.is_empty() && is_built {
            *candidates = own;
        }
    }
    Ok(candidates)
}

/// What some of the pairs reach.
fn reach_of(
    runner: &Runner,
    pairs: &[Pair],
    of: &BTreeSet<usize>,
    jobs: usize,
    progress: &Progress,
) -> Result<BTreeMap<usize, Reach>> {
    let of: Vec<usize> = of.iter().copied().collect();
    let step = progress.counted(format!("what {} blocks reach", of.len()), of.len() as u64);
    let reached = in_parallel(&of, jobs, |&pair| {
        let reach = runner.reach(&pairs[pair], REACH_CYCLES)?;
        step.advance();
        Ok((pair, reach))
    })?;
    step.finish();
    Ok(reached.into_iter().collect())
}

/// Those of the block that has the file's name: with its folder's before it, its own, or its folder's for what is in no other file.
fn own_pairs(pairs: &[Pair], file: &str) -> Vec<usize> {
    let mut names = file.trim_end_matches(".rs").rsplit('/');
    let (name, folder) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    let of = |block: &str| -> Vec<usize> { (0..pairs.len()).filter(|&pair| pairs[pair].block == block).collect() };
    let name = if name == "mod" { folder } else { name };
    let of_both = of(&format!("{folder}_{name}"));
    if of_both.is_empty() { of(name) } else { of_both }
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
    fn a_file_belongs_to_the_block_of_its_name() {
        let pair = |block: &str| Pair { block: block.into(), network: "Star".into(), is_other: false, slots: 1 };
        let pairs = ["alonso", "control_registers", "alonso_control_registers", "alonso"].map(pair);
        let of = |file: &str| own_pairs(&pairs, file);
        assert_eq!(of("mechanisms/alonso/control_registers.rs"), [2]);
        assert_eq!(of("mechanisms/powar/control_registers.rs"), [1]);
        assert_eq!(of("mechanisms/alonso/alonso.rs"), [0, 3]);
        assert_eq!(of("mechanisms/alonso/mod.rs"), [0, 3]);
        assert_eq!(of("routing/mod.rs"), [0; 0]);
    }

    #[test]
    fn the_largest_blocks_of_a_network_are_those_around_the_others() {
        let pair = |network: &str, slots| Pair { block: "b".into(), network: network.into(), is_other: false, slots };
        let pairs = [pair("Star", 9), pair("Star", 3), pair("Star", 5), pair("Ring", LARGE + 1), pair("Ring", 2)];
        assert_eq!(largest(&pairs), [4, 2, 0]);
    }

    #[test]
    fn results_are_in_order_and_the_first_error_ends_all() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(in_parallel(&items, 3, |&item| Ok(item * 2)).unwrap()[99], 198);
        let failed = in_parallel(&items, 1, |&item| if item == 3 { bail!("no {item}") } else { Ok(item) });
        assert_eq!(failed.unwrap_err().to_string(), "no 3");
    }
}
