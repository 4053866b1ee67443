//! The Verilog of switches and controllers with the mechanism.

use super::{any, mesh, torus};
use crate::power::lint::lint;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::soteriou_peh::MECHANISM;
use powar_config::presets;
use powar_hdl::registry;
use powar_hdl::verilog::{EmitOptions, emit};

#[test]
fn that_of_a_controller_and_a_switch_has_no_warning() {
    for config in [mesh("on-off-staircase"), torus("on-off-alternating")] {
        for block in ["power_controller", "powar_switch"] {
            lint(&format!("soteriou-peh-{}", config.name), block, registry::by_name(&config, block).expect("a block"));
        }
    }
}

#[test]
fn that_of_the_mechanism_has_no_warning_at_any_size_and_is_the_same_every_time() {
    let preset = |name: &str| {
        let mut config = presets::by_name(name).expect("a preset");
        config.mechanism = Chosen(MECHANISM.defaults());
        config
    };
    for config in [mesh("on-off-staircase"), torus("reference"), any(), preset("fat-tree-4"), preset("fat-tree-18")] {
        config.check().expect("in range");
        let block = || registry::by_name(&config, MECHANISM.name).expect("a block");
        lint(&format!("soteriou-peh-{}", config.name), MECHANISM.name, block());
        let files = || {
            let mut block = block();
            block.connect_all();
            emit(&*block, &EmitOptions::default()).expect("a sound design").files()
        };
        assert_eq!(files(), files());
    }
}
