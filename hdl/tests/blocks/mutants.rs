//! Mutants by rule of the Verilog of blocks.

use powar_config::presets;
use powar_hdl::registry;
use powar_hdl::verilog::{EmitOptions, Mutants, Selector, emit};
use std::collections::BTreeSet;

const SELECTOR: Selector = Selector { name: "above.mutant", width: 16 };

fn mutants(block: &str) -> Mutants {
    let mut rtl = registry::by_name(&presets::by_name("fat-tree-4").unwrap(), block).unwrap();
    rtl.connect_all();
    Mutants::new(&*rtl, &EmitOptions::default()).unwrap()
}

#[test]
fn without_a_mutant_the_text_is_the_emitted_one() {
    let mut rtl = registry::by_name(&presets::by_name("fat-tree-4").unwrap(), "power_manager").unwrap();
    rtl.connect_all();
    let emitted = emit(&*rtl, &EmitOptions::default()).unwrap();
    let mutants = mutants("power_manager");
    assert_eq!(*mutants.sound(), emitted);
    assert_eq!(mutants.choices(&BTreeSet::new(), &SELECTOR).unwrap(), emitted);
}

#[test]
fn every_mutant_changes_the_module_of_the_block_and_no_other() {
    for block in ["flit_counter", "vc_arbiter", "port_power_fsm"] {
        let mutants = mutants(block);
        let sound = &mutants.sound().modules;
        assert!(mutants.list().len() > 20, "{block}: {} mutants", mutants.list().len());
        for mutant in mutants.list() {
            let spoilt = mutants.one(mutant.number).unwrap().modules;
            let differ = |place: usize| spoilt[place].text != sound[place].text;
            let different: Vec<usize> = (0..sound.len()).filter(|&place| differ(place)).collect();
            assert_eq!(different, [sound.len() - 1], "{block}: {mutant:?}");
        }
    }
}

#[test]
fn a_choice_is_between_the_sound_expression_and_the_mutants() {
    let mutants = mutants("flit_counter");
    let find = |rule: &str| mutants.list().iter().find(|mutant| mutant.rule == rule).unwrap().number;
    let (keeps, reset) = (find("keeps"), find("reset"));
    let text = mutants.choices(&BTreeSet::from([keeps, reset]), &SELECTOR).unwrap().modules.pop().unwrap().text;
    assert!(text.contains(&format!("count_q <= (above.mutant == 16'd{keeps}) ? count_q : count_d;")), "{text}");
    assert!(text.contains(&format!("count_q <= (above.mutant == 16'd{reset}) ? count_q : 24'd0;")), "{text}");
    assert_eq!(text.matches("above.mutant").count(), 2, "{text}");
}

#[test]
fn a_number_without_a_mutant_is_refused() {
    let mutants = mutants("flit_counter");
    let last = mutants.list().len();
    mutants.one(last).unwrap();
    for number in [0, last + 1] {
        let error = mutants.one(number).unwrap_err().to_string();
        assert_eq!(error, format!("mutant: {number} must be 1 to {last}"));
    }
    mutants.choices(&BTreeSet::from([9]), &Selector { name: "above.mutant", width: 3 }).unwrap_err();
}
