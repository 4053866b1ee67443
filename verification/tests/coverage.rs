//! Coverage of blocks: what runs is counted, what does not is named.

use powar_tools::{Progress, tools_or_skip};
use powar_verification::Scope;
use powar_verification::coverage::{Covered, Effort, coverage_section, coverage_selection, measure_coverage};
use serde_json::Value;

/// Long enough for the small blocks here.
const SHORT: Effort = Effort { cycles: 4_000, patience: 0 };
/// A few cycles.
const CUT: Effort = Effort { cycles: 12, patience: 0 };

fn measured(block: &str, effort: Effort, tools: &powar_tools::Tools) -> Vec<Covered> {
    let selected = coverage_selection(&Scope::Own, &[block.to_owned()]).unwrap();
    measure_coverage(&selected, effort, tools, 1, &Progress::silent()).unwrap()
}

/// Covered and all of a kind, in the section of the report.
fn share(covered: &[Covered], kind: &str) -> (u64, u64) {
    let share = coverage_section(covered).unwrap().details[0]["shares"][kind].clone();
    (share["covered"].as_u64().unwrap(), share["all"].as_u64().unwrap())
}

#[test]
fn a_stimulus_cut_short_covers_less_and_the_whole_all_lines() {
    let Some(tools) = tools_or_skip("a_stimulus_cut_short_covers_less_and_the_whole_all_lines") else { return };
    let (cut, whole) = (measured("port_power_fsm", CUT, &tools), measured("port_power_fsm", SHORT, &tools));
    for kind in ["lines", "branches", "expressions", "toggles"] {
        let (few, all) = share(&cut, kind);
        let (more, same) = share(&whole, kind);
        assert!(few < more && all == same, "{kind}: {few} of {all}, then {more} of {same}");
    }
    let (lines, all) = share(&whole, "lines");
    assert!(lines == all && all > 20, "{lines} of {all} lines");
    // Every line that did not run is told with its text, and every bit by its name.
    let section = coverage_section(&cut).unwrap();
    let uncovered = section.details[0]["uncovered"].as_array().unwrap();
    let has = |kind: &str, key: &str, text: &str| {
        uncovered.iter().any(|item| item["kind"] == kind && item[key].as_str().is_some_and(|own| own.contains(text)))
    };
    assert!(has("line", "text", "state_d = POWER_STATE_"), "{uncovered:?}");
    assert!(has("toggle", "what", "elapsed_q[23]:0->1"), "{uncovered:?}");
    let is_input = |item: &&Value| item["input"] == true;
    assert!(uncovered.iter().filter(is_input).all(|item| item["kind"] == "toggle"));
    assert!(section.holds);
}

#[test]
fn a_blocks_children_are_not_counted_as_its_own() {
    let Some(tools) = tools_or_skip("a_blocks_children_are_not_counted_as_its_own") else { return };
    let covered = measured("port_group", SHORT, &tools);
    let section = coverage_section(&covered).unwrap();
    let text = section.details.to_string();
    // A register of a child.
    assert!(!text.contains("elapsed_q"), "{text}");
}
