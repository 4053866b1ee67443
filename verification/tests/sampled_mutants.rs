//! Some mutants of every block, drawn with a seed: lock-step notices each, but for those in `verification/unnoticed.toml`, each with the reason.
//!
//! `POWAR_FAULTS=NAME,NAME cargo test -p powar-verification --test all sampled_mutants` tries those of these blocks; `POWAR_WRITE=1` before it
//! judges what is not in the list by its longest stimuli, properties and proofs, and writes the list anew.

use powar_testbenches::trials::{blocks, switches_of};
use powar_testbenches::twins::DEMONSTRATOR;
use powar_tools::{Progress, Tools, tools_or_skip};
use powar_verification::{Draw, Effort, Fate, Judged, Library, Score, choose_mutants, try_mutants};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// Mutants that are tried of a block, for each switch that it is tried at.
const COUNT: usize = 8;

/// What the reason of an entry begins with that was written by hand, because no proof comes to its end.
const BY_HAND: &str = "reason: ";

/// A mutant that lock-step does not notice in a short run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unnoticed {
    block: String,
    configuration: String,
    signal: String,
    before: String,
    after: String,
    because: String,
}

impl Unnoticed {
    fn place(&self) -> [&str; 5] {
        [&self.block, &self.configuration, &self.signal, &self.before, &self.after]
    }

    fn is(&self, block: &str, mutant: &Judged) -> bool {
        let place = &mutant.place;
        self.place() == [block, &mutant.configuration, &place.signal, &place.before, &place.after]
    }
}

/// What the list's file holds.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    mutant: Vec<Unnoticed>,
}

const HEAD: &str = "\
# Mutants of the sample (verification/tests/sampled_mutants.rs) that lock-step does not notice in a short run, and what is known of them instead.
# Written by: POWAR_WRITE=1 cargo test -p powar-verification --test all sampled_mutants

";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("unnoticed.toml")
}

fn listed() -> List {
    toml::from_str(&std::fs::read_to_string(path()).unwrap_or_default()).unwrap()
}

/// The blocks whose mutants are tried: all but the whole demonstrator, which is told what to do bit by bit and so takes as long as all others.
fn chosen() -> Vec<String> {
    let named = std::env::var("POWAR_FAULTS").ok();
    let is_named = |block: &str| named.as_ref().is_none_or(|named| named.split(',').any(|name| name == block));
    blocks().into_iter().filter(|block| block != DEMONSTRATOR && is_named(block)).collect()
}

/// A sample of these blocks and what lock-step says of it.
fn sampled(blocks: &[String], tools: &Tools) -> Vec<Score> {
    let mut by_switches: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for block in blocks {
        by_switches.entry(switches_of(block).len()).or_default().push(block.clone());
    }
    let of_group = |(switches, blocks): (usize, Vec<String>)| {
        let count = COUNT * switches;
        let scores = tried(&blocks, &Draw::Seeded { count, seed: 1 }, Effort::LOCK_STEP, tools);
        for score in &scores {
            assert_eq!(score.mutants.len(), count.min(score.all), "{}", score.block);
        }
        scores
    };
    by_switches.into_iter().flat_map(of_group).collect()
}

fn tried(blocks: &[String], draw: &Draw, effort: Effort, tools: &Tools) -> Vec<Score> {
    let library = Library::built_in().unwrap();
    let jobs = available_parallelism().map_or(1, usize::from);
    let chosen = choose_mutants(&library, blocks, draw, tools, jobs, &Progress::silent()).unwrap();
    try_mutants(&chosen, effort, tools, jobs, &Progress::silent()).unwrap()
}

#[test]
fn lock_step_notices_a_sample_of_every_block() {
    let Some(tools) = tools_or_skip("lock_step_notices_a_sample_of_every_block") else { return };
    let blocks = chosen();
    let scores = sampled(&blocks, &tools);
    let unnoticed: Vec<(&str, &Judged)> =
        scores.iter().flat_map(|score| score.holes().map(|mutant| (&*score.block, mutant))).collect();
    println!(
        "{} mutants, {} of them not noticed",
        scores.iter().map(|score| score.mutants.len()).sum::<usize>(),
        unnoticed.len()
    );

    let known = listed().mutant;
    let is_new = |&&(block, mutant): &&(&str, &Judged)| !known.iter().any(|known| known.is(block, mutant));
    let new: Vec<(&str, &Judged)> = unnoticed.iter().filter(is_new).copied().collect();
    let is_stale = |known: &&Unnoticed| {
        blocks.contains(&known.block) && !unnoticed.iter().any(|(block, mutant)| known.is(block, mutant))
    };
    if std::env::var_os("POWAR_WRITE").is_some() {
        let mut mutant: Vec<Unnoticed> = known.iter().filter(|known| !is_stale(known)).cloned().collect();
        let (judged, holes) = judged(&new, &tools);
        mutant.extend(judged);
        mutant.sort();
        let text = toml::to_string(&List { mutant }).unwrap();
        std::fs::write(path(), format!("{HEAD}{text}")).unwrap();
        assert!(holes.is_empty(), "nothing notices them; an entry by hand says why (`{BY_HAND}..`): {holes:#?}");
        return;
    }
    let again = "POWAR_WRITE=1 cargo test -p powar-verification --test all sampled_mutants";
    let stale: Vec<&Unnoticed> = known.iter().filter(is_stale).collect();
    assert!(stale.is_empty(), "listed, and noticed or not drawn any more: {stale:#?}\n{again}");
    assert!(new.is_empty(), "not noticed: {new:#?}\n{again}");
}

/// What is known of mutants that lock-step does not notice, and those of which nothing is.
fn judged<'a>(unnoticed: &[(&str, &'a Judged)], tools: &Tools) -> (Vec<Unnoticed>, Vec<&'a Judged>) {
    let (mut judged, mut holes) = (vec![], vec![]);
    for &(block, mutant) in unnoticed {
        let draw = Draw::Numbers([mutant.number].into());
        let scores = tried(&[block.to_owned()], &draw, Effort::FULL, tools);
        let because = match &scores[0].mutants[0].fate {
            Fate::Equivalent { assuming: false } => "equal to the sound block, proved by pdr".to_owned(),
            Fate::Equivalent { assuming: true } => {
                "equal to the sound block for inputs that there are, proved by pdr".to_owned()
            }
            Fate::Property { property, .. } => format!("violates the property {property}"),
            Fate::Unproved => "the block's properties are no longer inductive".to_owned(),
            Fate::LockStep { .. } => "noticed under the long stimuli".to_owned(),
            Fate::Survives { .. } | Fate::Undecided { .. } => {
                holes.push(mutant);
                continue;
            }
        };
        println!("{block} {}: {because}", mutant.number);
        let place = mutant.place.clone();
        judged.push(Unnoticed {
            block: block.to_owned(),
            configuration: mutant.configuration.clone(),
            signal: place.signal,
            before: place.before,
            after: place.after,
            because,
        });
    }
    (judged, holes)
}

/// `./test --long` judges all of the list again.
#[test]
#[ignore = "an hour of proofs"]
fn the_list_says_what_is_so() {
    let Some(tools) = tools_or_skip("the_list_says_what_is_so") else { return };
    let blocks = chosen();
    let scores = sampled(&blocks, &tools);
    let unnoticed: Vec<(&str, &Judged)> =
        scores.iter().flat_map(|score| score.holes().map(|mutant| (&*score.block, mutant))).collect();
    let known: Vec<Unnoticed> = listed().mutant.into_iter().filter(|known| blocks.contains(&known.block)).collect();
    let (by_hand, known): (Vec<Unnoticed>, Vec<Unnoticed>) =
        known.into_iter().partition(|known| known.because.starts_with(BY_HAND));
    let (mut judged, _) = judged(&unnoticed, &tools);
    // What somebody has given a reason for, a machine with more time may prove as well.
    judged.retain(|one| !by_hand.iter().any(|known| known.place() == one.place()));
    judged.sort();
    assert_eq!(judged, known);
}
