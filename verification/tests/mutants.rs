//! Mutants of small blocks are noticed or proved to be none, and what nothing notices is said.

use powar_tools::{Progress, Tools, tools_or_skip};
use powar_verification::{Draw, Effort, Fate, Library, Score, Trial, mutation_section, try_mutants};
use std::thread::available_parallelism;

const QUICK: Effort = Effort { patience: 40_000_000, ..Effort::FULL };

fn scores(blocks: &[&str], draw: Draw, effort: Effort, tools: &Tools) -> Vec<Score> {
    let blocks: Vec<String> = blocks.iter().map(|block| (*block).to_owned()).collect();
    let jobs = available_parallelism().map_or(1, usize::from);
    let trial = Trial { draw, effort, jobs };
    try_mutants(&Library::built_in().unwrap(), &blocks, &trial, tools, &Progress::silent()).unwrap()
}

fn seeded(count: usize) -> Draw {
    Draw::Seeded { count, seed: 1 }
}

#[test]
fn mutants_of_small_blocks_are_noticed_or_equivalent() {
    let Some(tools) = tools_or_skip("mutants_of_small_blocks_are_noticed_or_equivalent") else { return };
    let scores = scores(&["vc_arbiter", "flit_counter", "round_robin_arbiter"], seeded(25), QUICK, &tools);
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

#[test]
fn what_no_stimulus_reaches_is_noticed_by_the_properties_or_survives() {
    let Some(tools) = tools_or_skip("what_no_stimulus_reaches_is_noticed_by_the_properties_or_survives") else {
        return;
    };
    // Without a cycle of lock-step the miter has to find that nearly all differ.
    let none = Effort { cycles: 0, patience: 0, ..Effort::FULL };
    let scores = scores(&["flit_counter"], seeded(12), none, &tools);
    let score = &scores[0];
    assert_eq!(score.of(|fate| matches!(fate, Fate::LockStep { .. } | Fate::Undecided { .. })), 0, "{score:#?}");
    let survivors = score.of(|fate| matches!(fate, Fate::Survives { .. }));
    let by_properties = score.of(|fate| matches!(fate, Fate::Property { .. }));
    assert!(survivors > 0 && by_properties > 0, "{score:#?}");
    let section = mutation_section(&scores, &seeded(12)).unwrap();
    assert!(!section.holds, "{}", section.summary);
    let text = section.text();
    let hole = score.holes().next().unwrap();
    assert!(text.contains(&format!("powar verify --block flit_counter --mutant {}", hole.number)), "{text}");
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
