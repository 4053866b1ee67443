//! Mutants of small blocks are noticed or proved to be none, and what nothing notices is said.

use powar_tools::{Progress, Tools, tools_or_skip};
use powar_verification::{Draw, Effort, Fate, Library, Score, choose_mutants, mutation_section, try_mutants};
use std::thread::available_parallelism;

/// None of the blocks here waits for anything.
const QUICK: Effort = Effort { patience: 0, to_the_end: 0, ..Effort::FULL };

fn scores_with(library: &Library, blocks: &[&str], draw: Draw, effort: Effort, tools: &Tools) -> Vec<Score> {
    let blocks: Vec<String> = blocks.iter().map(|block| (*block).to_owned()).collect();
    let jobs = available_parallelism().map_or(1, usize::from);
    let progress = Progress::silent();
    let chosen = choose_mutants(library, &blocks, &draw, tools, jobs, &progress).unwrap();
    try_mutants(&chosen, effort, tools, jobs, &progress).unwrap()
}

fn scores(blocks: &[&str], draw: Draw, effort: Effort, tools: &Tools) -> Vec<Score> {
    scores_with(&Library::built_in().unwrap(), blocks, draw, effort, tools)
}

fn seeded(count: usize) -> Draw {
    Draw::Seeded { count, seed: 1 }
}

#[test]
fn mutants_of_small_blocks_are_noticed_or_equivalent() {
    let Some(tools) = tools_or_skip("mutants_of_small_blocks_are_noticed_or_equivalent") else { return };
    let scores = scores(&["vc_arbiter", "port_arbiter", "round_robin_arbiter"], seeded(25), QUICK, &tools);
    for score in &scores {
        let holes: Vec<_> = score.holes().collect();
        assert!(holes.is_empty(), "{}: {holes:#?}", score.block);
        assert!(
            score.mutants.len() == 25 && score.all > 25,
            "{}: {} of {}",
            score.block,
            score.mutants.len(),
            score.all
        );
        let by_lock_step = score.of(|fate| matches!(fate, Fate::LockStep { .. }));
        assert!(by_lock_step > 12, "{}: {by_lock_step} by lock-step", score.block);
    }
    let section = mutation_section(&scores, &seeded(25)).unwrap();
    assert!(section.holds && section.summary.starts_with("75 mutants, drawn with seed 1: "), "{}", section.summary);
}

/// Without a cycle of lock-step the miter has to find that they differ.
const WITHOUT_LOCK_STEP: Effort = Effort { cycles: 0, patience: 0, to_the_end: 0, ..Effort::FULL };

#[test]
fn what_nothing_notices_survives() {
    let Some(tools) = tools_or_skip("what_nothing_notices_survives") else { return };
    let mut library = Library::built_in().unwrap();
    library.blocks.retain(|properties| properties.block != "vc_arbiter");
    let scores = scores_with(&library, &["vc_arbiter"], seeded(8), WITHOUT_LOCK_STEP, &tools);
    let survivors = scores[0].of(|fate| matches!(fate, Fate::Survives { .. }));
    let equivalent = scores[0].of(|fate| matches!(fate, Fate::Equivalent { .. }));
    assert!(survivors > 0 && survivors + equivalent == 8, "{scores:#?}");
    let section = mutation_section(&scores, &seeded(8)).unwrap();
    assert!(!section.holds, "{}", section.summary);
    let text = section.text();
    let hole = scores[0].holes().next().unwrap();
    assert!(text.contains(&format!("powar verify --block vc_arbiter --mutant {}", hole.number)), "{text}");
}

#[test]
fn what_no_stimulus_reaches_is_for_the_properties() {
    let Some(tools) = tools_or_skip("what_no_stimulus_reaches_is_for_the_properties") else { return };
    let scores = scores(&["vc_arbiter"], seeded(8), WITHOUT_LOCK_STEP, &tools);
    assert_eq!(scores[0].of(|fate| matches!(fate, Fate::LockStep { .. })), 0, "{scores:#?}");
    assert!(scores[0].of(|fate| matches!(fate, Fate::Property { .. })) > 0, "{scores:#?}");
}

/// The highest bit of a counter of 24: no run of a proof gets there, and no proof that the two differ comes to its end.
#[test]
fn what_no_run_reaches_is_for_the_induction() {
    let Some(tools) = tools_or_skip("what_no_run_reaches_is_for_the_induction") else { return };
    let effort = Effort { seconds: 20, ..WITHOUT_LOCK_STEP };
    let scores = scores(&["flit_counter"], Draw::Numbers([21].into()), effort, &tools);
    let mutant = &scores[0].mutants[0];
    assert!(mutant.place.after.contains("24'h7fffff"), "another mutant has this number now: {mutant:?}");
    assert_eq!(mutant.fate, Fate::Unproved, "{mutant:?}");
    let section = mutation_section(&scores, &seeded(1)).unwrap();
    assert!(section.holds && section.summary.contains(": 1 noticed"), "{}", section.summary);
}

#[test]
fn mutants_of_yosys_are_noticed_as_well() {
    let Some(tools) = tools_or_skip("mutants_of_yosys_are_noticed_as_well") else { return };
    let draw = Draw::OfYosys { count: 10, seed: 1 };
    let scores = scores(&["vc_arbiter"], draw.clone(), QUICK, &tools);
    let tried = scores[0].mutants.len();
    assert!(tried > 5 && tried <= 10, "{tried}");
    assert_eq!(scores[0].holes().count(), 0, "{scores:#?}");
    assert!(mutation_section(&scores, &draw).unwrap().holds);
}

#[test]
fn a_mutant_is_tried_again_by_its_number() {
    let Some(tools) = tools_or_skip("a_mutant_is_tried_again_by_its_number") else { return };
    let all = scores(&["vc_arbiter"], seeded(3), QUICK, &tools);
    let first = &all[0].mutants[0];
    let again = scores(&["vc_arbiter"], Draw::Numbers([first.number].into()), QUICK, &tools);
    assert_eq!(again[0].mutants.len(), 1);
    let same = &again[0].mutants[0];
    assert_eq!((same.number, &same.place.after, &same.fate), (first.number, &first.place.after, &first.fate));
}
