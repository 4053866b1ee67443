//! The Verilog of the mechanism and of its blocks.

use super::{block, boards};
use crate::power::lint::lint;
use powar_hdl::controller::PowerController;
use powar_hdl::mechanisms::e_rapid::ENTRY;
use powar_hdl::switch;
use powar_hdl::verilog::{EmitOptions, emit};

/// Numbers of boards that are powers of two and that are not, and the largest switch.
#[test]
fn that_of_each_block_has_no_warning_and_is_the_same_every_time() {
    for (size, nodes) in [(2, 1), (3, 2), (8, 8)] {
        let config = boards(size, nodes, "p-b");
        let names = (ENTRY.blocks)(&config).into_iter().map(|(name, _)| name);
        for name in names.chain([ENTRY.mechanism.name.to_owned()]) {
            lint(&format!("e-rapid-{}", config.name), &name, block(&config, &name));
            let files = || {
                let mut block = block(&config, &name);
                block.connect_all();
                emit(&*block, &EmitOptions::default()).expect("a sound design").files()
            };
            assert_eq!(files(), files());
        }
    }
}

#[test]
fn that_of_a_controller_and_a_switch_has_no_warning() {
    let config = boards(3, 2, "p-b");
    let topology = config.check_switch().expect("a switch");
    let switch = switch::with_mechanism(&ENTRY, &config, topology).expect("boards");
    lint("e-rapid-boards-3x2", "powar_switch", switch);
    let controller = Box::new(PowerController::with_mechanism(&ENTRY, &config));
    lint("e-rapid-boards-3x2", "power_controller", controller);
}
