//! Module names: one module per distinct block, with a suffix that says how two of one name differ.

use crate::cases;
use crate::cases::hierarchy::{CounterArray, StagesThatDiffer, UnequalChildren};
use crate::example;
use powar_config::Prefix;
use powar_hdl_base::verilog::{Design, EmitOptions, emit};
use rust_hdl::prelude::Block;

fn design(mut block: impl Block) -> Design {
    block.connect_all();
    emit(&block, &EmitOptions::default()).unwrap()
}

fn names(design: &Design) -> Vec<&str> {
    design.modules.iter().map(|module| module.name.as_str()).collect()
}

#[test]
fn a_prefix_stands_before_every_name_and_changes_nothing_else() {
    let mut block = UnequalChildren::new();
    block.connect_all();
    let prefix = Prefix::given("left").unwrap();
    let prefixed = emit(&block, &EmitOptions { prefix, ..EmitOptions::default() }).unwrap();
    let inner = "left_unequal_children_";
    assert_eq!(
        names(&prefixed),
        [format!("{inner}rotate_n2"), format!("{inner}rotate_n4"), "left_unequal_children".into()]
    );
    let bare = design(UnequalChildren::new());
    let without = |text: &str| text.replace(inner, "").replace("left_unequal_children", "unequal_children");
    for ((name, text), (bare_name, bare_text)) in prefixed.files().iter().zip(bare.files()) {
        assert_eq!((without(name), without(text)), (bare_name, bare_text));
    }
    assert_eq!(prefixed.core("any").vlnv(), bare.core("any").vlnv());
}

#[test]
fn equal_instances_share_one_module() {
    assert_eq!(names(&design(CounterArray::new())), ["counter", "counter_array"]);
}

#[test]
fn sizes_tell_modules_apart() {
    assert_eq!(names(&design(UnequalChildren::new())), ["rotate_n2", "rotate_n4", "unequal_children"]);
}

#[test]
fn other_differences_are_numbered() {
    let design = design(StagesThatDiffer::new());
    assert_eq!(names(&design), ["stage", "stage_v2", "stages_that_differ"]);
    let top = &design.modules[2].text;
    assert!(top.contains("stage stage_0 ("), "{top}");
    assert!(top.contains("stage_v2 stage_1 ("), "{top}");
    assert!(top.contains("stage stage_2 ("), "{top}");
    let registers: Vec<(&str, &str)> =
        design.description.registers.iter().map(|register| (register.name.as_str(), register.path.as_str())).collect();
    assert_eq!(registers[1], ("stage[1].held", "stage_1.held_q"));
}

#[test]
fn no_name_has_a_dollar_sign() {
    for recording in cases::recordings() {
        let text = recording.design.to_single_file();
        assert!(!text.contains('$'), "{text}");
    }
}

#[test]
fn the_example_scales_to_64_ports_in_reasonable_time() {
    let start = std::time::Instant::now();
    let small = design(example::port_bank::PortBank::new(2));
    let large = design(example::port_bank::PortBank::new(64));
    let lines = |design: &Design| design.to_single_file().lines().count();
    // Loops stay loops: the text does not grow with the number of ports.
    assert_eq!(lines(&small), lines(&large));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
