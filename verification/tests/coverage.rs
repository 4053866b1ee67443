//! Coverage of blocks: what runs is counted, what does not is named.

use powar_tools::{Progress, tools_or_skip};
use powar_verification::Scope;
use powar_verification::coverage::{
    Covered, Effort, coverage_section, coverage_selection, coverage_table, measure_coverage,
};
use serde_json::Value;
use std::path::Path;
use std::thread::available_parallelism;

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

/// Minutes of work: of the long form alone.
#[test]
fn the_page_says_what_is_covered() {
    let Some(tools) = tools_or_skip("the_page_says_what_is_covered") else { return };
    let is_written = std::env::var_os("POWAR_WRITE").is_some();
    if std::env::var_os("POWAR_LONG").is_none() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/coverage-of-rtl.md");
    let there = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- begin covered -->\n", "<!-- end covered -->");
    let (from, to) = (there.find(begin).unwrap() + begin.len(), there.find(end).unwrap());
    let selected = coverage_selection(&Scope::Own, &[]).unwrap();
    let jobs = available_parallelism().map_or(1, usize::from);
    let covered = measure_coverage(&selected, Effort::FULL, &tools, jobs, &Progress::silent()).unwrap();
    let section = coverage_section(&covered).unwrap();
    assert!(section.holds, "{}", section.summary);
    let table = coverage_table(&covered).markdown();
    let text = format!("{}{table}\n{}\n{}", &there[..from], section.summary, &there[to..]);
    if is_written {
        std::fs::write(&path, &text).unwrap();
    }
    let how = "POWAR_LONG=1 POWAR_WRITE=1 cargo test -p powar-verification --test all coverage::the_page";
    let differ = there.lines().zip(text.lines()).filter(|(old, new)| old != new);
    let differ: Vec<String> = differ.map(|(old, new)| format!("{old}\nis now\n{new}")).collect();
    let differ = differ.join("\n");
    assert!(is_written || there == text, "docs/coverage-of-rtl.md is not current; write it with: {how}\n{differ}");
}
