//! Hops before placement: on the switch, and beside what nextpnr finds on its critical path. Needs Yosys and nextpnr.

use powar_synth::{Design, Options, Target, measure_area, measure_wiring, synthesise};
use powar_tools::{Progress, tools_or_skip};
use std::path::PathBuf;

/// Modules of the switch of 8 ports as it is in the repository: that, and whatever is in it.
fn of_the_switch(top: &str) -> Design {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../hdl/verilog/fat-tree-4/switch"));
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "v"));
    files.sort();
    assert!(files.len() > 20, "{files:?}");
    files.iter().fold(Design::new(top), |design, file| design.source_file(file).unwrap())
}

/// A path of the switch takes so many hops at most; each is about 1.1 ns.
const MOST_HOPS: u64 = 14;

#[test]
fn no_path_of_the_switch_has_more_hops_than_it_had() {
    let Some(tools) = tools_or_skip("no_path_of_the_switch_has_more_hops_than_it_had") else { return };
    let target = Target::named("ecp5-85f").unwrap();
    let found = measure_wiring(&of_the_switch("fat_tree_4_powar_switch"), &target, &tools).unwrap();
    assert!(found.hops <= MOST_HOPS, "{}: {:#?}", found.longest(), found.path);
    // A netlist that lost most of its logic would be within the bound too.
    assert!(found.hops > MOST_HOPS / 2 && found.fan_out > 30 && found.carry_cells > 100, "{found:?}");
}

#[test]
fn the_critical_path_has_no_more_hops_than_were_counted_before() {
    let Some(tools) = tools_or_skip("the_critical_path_has_no_more_hops_than_were_counted_before") else { return };
    let options = Options { seeds: vec![1, 2, 3], ..Options::new(Target::named("ecp5-85f").unwrap()) };
    for block in ["selector", "vc_queue"] {
        let design = of_the_switch(&format!("fat_tree_4_powar_switch_{block}"));
        let report = synthesise(&design, &options, &tools, &Progress::silent()).unwrap();
        let most = report.wiring.unwrap().hops;
        let placed: Vec<u64> = report.seeds.iter().map(|seed| seed.critical_path.hops).collect();
        assert!(placed.iter().all(|&hops| hops <= most), "{block}: {placed:?}, {most}");
        // What takes most hops is about what takes longest: none is less than half of it.
        assert!(placed.iter().all(|&hops| 2 * hops >= most), "{block}: {placed:?}, {most}");
    }
}

#[test]
fn what_is_counted_by_block_is_what_is_counted_as_a_whole() {
    let Some(tools) = tools_or_skip("what_is_counted_by_block_is_what_is_counted_as_a_whole") else { return };
    // A module without modules in it is the same netlist either way.
    let design = of_the_switch("fat_tree_4_powar_switch_credit_counter");
    let report = measure_area(&design, &Target::named("ecp5-85f").unwrap(), &tools, &Progress::silent()).unwrap();
    assert_eq!((report.blocks.len(), &report.blocks[0].wiring), (1, &report.wiring));
    let other = measure_wiring(&design, &Target::named("gw2a-18").unwrap(), &tools).unwrap_err().to_string();
    assert_eq!(other, "target: hops can't be counted on gw2a-18; on an ECP5 they can");
}
