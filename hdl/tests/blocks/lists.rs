//! Every mechanism and routing has its RTL, and every block lists its inputs.

use powar_config::mechanism::{self, Chosen};
use powar_config::routing::{self, least_occupied};
use powar_config::{Config, SwitchConfig, presets};
use powar_hdl::{mechanisms, registry};
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::{Atom, AtomKind, Block};

#[test]
fn every_mechanism_has_its_rtl() {
    let names = |list: &[&powar_config::Mechanism]| list.iter().map(|mechanism| mechanism.name).collect::<Vec<_>>();
    assert_eq!(names(&mechanisms::ALL.map(|entry| entry.mechanism)), names(&mechanism::ALL));
}

#[test]
fn every_routing_has_its_unit() {
    assert_eq!(powar_hdl::routing::with_units().map(|routing| routing.name), routing::ALL.map(|routing| routing.name));
}

/// Bits of the inputs of the outermost block.
#[derive(Default)]
struct InputBits {
    depth: usize,
    bits: usize,
}

impl Probe for InputBits {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }
    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
    fn visit_atom(&mut self, _name: &str, signal: &dyn Atom) {
        if self.depth == 1 && matches!(signal.kind(), AtomKind::InputParameter) {
            self.bits += signal.bits();
        }
    }
}

/// An input that is not listed would neither be driven by a test nor wake a [`powar_hdl::primitives::Settled`] block.
#[test]
fn every_block_lists_all_its_inputs() {
    let presets = ["fat-tree-2", "star-16", "torus-28"].map(|preset| presets::by_name(preset).expect("a preset"));
    let three_vcs = SwitchConfig { vcs: 3, buffer_flits: 96, ..presets[0].switch };
    let seeing = Config {
        routing: Some(&least_occupied::ROUTING),
        deterministic: least_occupied::ROUTING.deterministic,
        switch: three_vcs,
        ..presets[0].clone()
    };
    let configs = presets.into_iter().chain([seeing]).flat_map(|config| {
        mechanism::ALL.map(|mechanism| Config { mechanism: Chosen(mechanism.defaults()), ..config.clone() })
    });
    for config in configs.filter(|config| config.check().is_ok()) {
        let routing = config.routing().map_or("no", |routing| routing.name);
        let preset = format!("{} with {} and {routing} routing", config.name, config.mechanism().name);
        for name in registry::names(&config) {
            let mut block = registry::by_name(&config, &name).expect("it is on the list");
            let mut probe = InputBits::default();
            block.accept("top", &mut probe);
            let (mut listed, mut clocked) = (0, false);
            block.list_inputs(&mut |input, shape| {
                clocked |= input == "rst";
                listed += shape.rows * shape.width;
            });
            // The clock is set apart from the others.
            assert_eq!(listed + usize::from(clocked), probe.bits, "{name} of {preset}");
            assert!(!block.input_waits(), "{name} of {preset}");
            if clocked {
                block.set_clock(true);
                assert!(block.input_waits(), "{name} of {preset}");
            }
        }
    }
}
