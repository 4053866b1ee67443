//! The Verilog of switches and controllers with the mechanism.

use super::{torus, tree};
use crate::power::lint::lint;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::alonso::MECHANISM;
use powar_config::topology::FatTree;
use powar_config::{Config, Group, presets};
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

/// Trees of one stage and of one branch, and a torus without groups.
#[test]
fn that_of_the_smallest_networks_has_no_warning() {
    let tree = |name: &str, k: usize, n: usize| Config {
        name: name.into(),
        ports: 2 * k,
        groups: vec![Group { first: k, size: k }],
        topology: Some(Box::new(FatTree { k, n, folded: false })),
        ..tree()
    };
    let torus = Config { name: "no-groups".into(), groups: vec![], ..torus() };
    for config in [tree("one-stage", 2, 1), tree("one-branch", 1, 2), torus] {
        config.check().expect("in range");
        let block = registry::by_name(&config, MECHANISM.name).expect("a block");
        lint(&format!("alonso-{}", config.name), MECHANISM.name, block);
    }
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
