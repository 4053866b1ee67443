//! All properties hold, what they speak of happens, and each fault that stands beside them is found.

use powar_tools::{Progress, tools_or_skip};
use powar_verification::{
    Engine, LIMIT, Library, Manifest, Plan, Properties, Scope, Selected, Verdict, compare_by_table, find_fault,
    outcome_line, prove_all,
};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::thread::available_parallelism;

fn is_long() -> bool {
    std::env::var_os("POWAR_LONG").is_some()
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

#[test]
fn every_property_holds_and_happens() {
    let Some(tools) = tools_or_skip("every_property_holds_and_happens") else { return };
    let library = Library::built_in().unwrap();
    // Whether there is a proof is asked here, not how long it takes on a machine that has other things to do.
    let limit = if is_long() { 3 * LIMIT } else { LIMIT };
    let selected = Selected { scope: Scope::Own, blocks: vec![], long: is_long(), limit, mutants: false };
    let plan = Plan::new(&library, &selected).unwrap();
    let report = prove_all(&plan, &tools, cores(), &Progress::silent()).unwrap();
    let bad: Vec<String> = report.outcomes().filter(|outcome| !outcome.holds()).map(outcome_line).collect();
    assert!(report.holds && bad.is_empty(), "{}", bad.join("\n"));
    for block in &report.blocks {
        // A property that no configuration has would hold for ever.
        let there = |outcome: &powar_verification::Outcome| {
            let present = outcome.properties.iter().filter(|property| property.verdict != Verdict::Absent);
            let covers = outcome.covers.iter().filter(|cover| cover.present);
            present.map(|one| one.name.clone()).chain(covers.map(|one| one.name.clone())).collect::<Vec<_>>()
        };
        let seen: BTreeSet<String> = block.outcomes.iter().flat_map(there).collect();
        let properties = library.of_block(&block.block).unwrap();
        let unseen: Vec<&str> =
            properties.names().chain(properties.covers()).filter(|name| !seen.contains(*name)).collect();
        assert!(unseen.is_empty(), "{}: in no configuration: {}", block.block, unseen.join(", "));
    }
}

#[test]
fn what_does_not_fit_a_configuration_is_left_out() {
    let Some(tools) = tools_or_skip("what_does_not_fit_a_configuration_is_left_out") else { return };
    let mut library = Library::built_in().unwrap();
    // With neighbours that are told how full a buffer is, the count is a port of the block: properties that must have the signal don't fit.
    let of_channel = library.blocks.iter_mut().find(|properties| properties.block == "virtual_channel").unwrap();
    of_channel.manifest.optional.retain(|signal| signal != "flits_count");
    let config = Box::new(library.design("mesh-5-on-off").unwrap());
    let plan_of = |blocks: &[&str]| {
        let blocks = blocks.iter().map(|block| (*block).to_owned()).collect();
        Plan::new(
            &library,
            &Selected { scope: Scope::Of(config.clone()), blocks, long: true, limit: LIMIT, mutants: false },
        )
        .unwrap()
    };
    // That has no boards, and no number of them either.
    let of_boards = plan_of(&[]).left_out.into_iter().find(|left_out| left_out.block == "boards_routing");
    assert_eq!(of_boards.map(|left_out| left_out.why).as_deref(), Some("not a block of mesh-5-on-off"));
    let report = prove_all(&plan_of(&["held_ports", "virtual_channel"]), &tools, 1, &Progress::silent()).unwrap();
    let proved: Vec<&str> = report.blocks.iter().map(|block| block.block.as_str()).collect();
    assert!(report.holds && proved == ["held_ports"], "{proved:?}");
    let [(blocks, why)] = &report.left_out()[..] else { panic!("{:?}", report.left_out) };
    assert!(blocks == &["virtual_channel"] && why.contains("input `flits_count` is no signal of the block"), "{why}");
    let alone = prove_all(&plan_of(&["virtual_channel"]), &tools, 1, &Progress::silent());
    let error = alone.unwrap_err().to_string();
    assert!(error.starts_with("nothing to prove: virtual_channel: its properties are not made for"), "{error}");
}

#[test]
fn what_is_broken_is_found() {
    let Some(tools) = tools_or_skip("what_is_broken_is_found") else { return };
    let library = Library::built_in().unwrap();
    // A fault in what an induction proves is found by a search from reset on, which may take minutes.
    let is_quick = |manifest: &Manifest| !manifest.long && manifest.engine != Engine::Induction;
    let wanted = |properties: &&Properties| is_long() || is_quick(&properties.manifest);
    let faults = library.blocks.iter().filter(wanted).flat_map(|properties| {
        // The quick form tries one of each block.
        let all = properties.manifest.broken.iter().map(move |broken| (properties, broken));
        all.take(if is_long() { usize::MAX } else { 1 })
    });
    let faults: Vec<_> = faults.collect();
    let missed = faults.par_iter().with_max_len(1).filter_map(|(properties, broken)| {
        let what = format!("{}: {} -> {}", properties.block, broken.right, broken.wrong);
        match find_fault(&library, properties, broken, &tools) {
            Ok(Some(violation)) if !violation.dump.is_empty() => None,
            Ok(_) => Some(format!("{what}: {} holds all the same", broken.property)),
            Err(error) => Some(format!("{what}: {error:#}")),
        }
    });
    let missed: Vec<String> = missed.collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn blocks_of_few_states_are_equal_in_each() {
    let Some(tools) = tools_or_skip("blocks_of_few_states_are_equal_in_each") else { return };
    let library = Library::built_in().unwrap();
    let blocks = match is_long() {
        true => vec![],
        false => {
            ["vc_arbiter", "port_arbiter", "round_robin_arbiter", "preferred_first_arbiter", "link_fsm", "on_off_fsm"]
                .map(String::from)
                .into()
        }
    };
    let plan =
        Plan::new(&library, &Selected { scope: Scope::Own, blocks, long: is_long(), limit: LIMIT, mutants: false })
            .unwrap();
    let section = compare_by_table(&plan, &tools, cores(), &Progress::silent()).unwrap();
    assert!(section.holds, "{}", section.text());
    let compared = section.tables[0].rows.len();
    assert!(compared >= if is_long() { 18 } else { 6 }, "{}", section.text());
}
