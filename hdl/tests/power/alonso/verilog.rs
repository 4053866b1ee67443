//! The Verilog of switches and controllers with the mechanism.

use super::{torus, tree};
use crate::lint::lint;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::alonso::MECHANISM;
use powar_config::{Config, presets};
use powar_hdl::registry;
use powar_hdl::verilog::{EmitOptions, emit};

#[test]
fn that_of_a_controller_and_a_switch_has_no_warning() {
    for config in [tree(), torus()] {
        for block in ["power_controller", "powar_switch"] {
            lint(&format!("alonso-{}", config.name), block, registry::by_name(&config, block).expect("a block"));
        }
    }
}

fn preset(name: &str) -> Config {
    let mut config = presets::by_name(name).expect("a preset");
    config.mechanism = Chosen(MECHANISM.defaults());
    config.check().expect("in range");
    config
}

#[test]
fn that_of_the_mechanism_has_no_warning_at_any_size_and_is_the_same_every_time() {
    for name in ["fat-tree-4", "fat-tree-18", "torus-28"] {
        let config = preset(name);
        let block = || registry::by_name(&config, MECHANISM.name).expect("a block");
        lint(&format!("alonso-{name}"), MECHANISM.name, block());
        let files = || {
            let mut block = block();
            block.connect_all();
            emit(&*block, &EmitOptions::default()).expect("a sound design").files()
        };
        assert_eq!(files(), files());
    }
}
