//! Every block at the sizes of a configuration, for tests, emission and synthesis.

use crate::allocation::{Allocator, Selector};
use crate::arbiters::{AwakeFirstArbiter, PortArbiter, RoundRobinArbiter, VcArbiter};
use crate::buffers::{InputPort, VcQueue, VirtualChannel};
use crate::controller::PowerController;
use crate::links::{CreditCounter, Crossbar, OutputPort};
use crate::mechanisms::powar::{
    CheckTimer, ControlRegisters, FlitCounter, PortGroup, PortPowerFsm, PowerManager, SelectablePorts,
    ThresholdComparator,
};
use crate::power::PortStatistics;
use crate::registers::RegisterBus;
use crate::routing;
use crate::rtl_block::RtlBlock;
use crate::switch::{PowarSwitch, SWITCH};
use powar_config::Config;
use std::collections::BTreeSet;

/// Builds a block for a configuration.
type Build = fn(&Config) -> Box<dyn RtlBlock>;
/// Builds a block for a group of so many ports.
type BuildForGroup = fn(usize) -> Box<dyn RtlBlock>;

/// The blocks that do not depend on the size of a group.
const BLOCKS: &[(&str, Build)] = &[
    ("round_robin_arbiter", |config| Box::new(RoundRobinArbiter::new(config.requesters()))),
    ("awake_first_arbiter", |config| Box::new(AwakeFirstArbiter::new(config.ports))),
    ("selector", |config| Box::new(Selector::new(config.ports, config.deterministic))),
    ("port_arbiter", |config| Box::new(PortArbiter::new(config.requesters()))),
    ("check_timer", |_| Box::new(CheckTimer::new())),
    ("port_power_fsm", |_| Box::new(PortPowerFsm::new())),
    ("port_statistics", |_| Box::new(PortStatistics::new())),
    ("control_registers", |config| Box::new(ControlRegisters::new(&config.register_values()))),
    ("power_manager", |config| Box::new(PowerManager::new(config))),
    ("register_bus", |config| Box::new(RegisterBus::new(config))),
    ("power_controller", |config| Box::new(PowerController::new(config))),
    ("vc_queue", |config| Box::new(VcQueue::new(config.switch.vc_depth()))),
    ("virtual_channel", |config| Box::new(VirtualChannel::new(config.ports, &config.switch))),
    ("input_port", |config| Box::new(InputPort::new(config.ports, &config.switch))),
    ("vc_arbiter", |config| Box::new(VcArbiter::new(config.switch.vcs))),
    ("allocator", |config| Box::new(Allocator::new(config.ports, config.switch.vcs, config.deterministic))),
    ("crossbar", |config| Box::new(Crossbar::new(config.ports, config.switch.vcs, config.switch.flit_words()))),
    ("credit_counter", |config| Box::new(CreditCounter::new(config.switch.vc_depth(), config.switch.max_packet_flits))),
    ("output_port", |config| Box::new(OutputPort::new(&config.switch))),
];

/// The blocks made once for each size of a group.
const GROUP_BLOCKS: &[(&str, BuildForGroup)] = &[
    ("flit_counter", |size| Box::new(FlitCounter::new(size))),
    ("selectable_ports", |size| Box::new(SelectablePorts::new(size))),
    ("port_group", |size| Box::new(PortGroup::new(size))),
];

/// Builds a block of known sizes. Only what is asked for is built: a whole switch of many ports takes a while.
type Builder<'a> = Box<dyn Fn() -> Box<dyn RtlBlock> + 'a>;

/// Names of all blocks at this configuration: module names, with `_<size>` behind those of groups where sizes differ.
pub fn names(config: &Config) -> Vec<String> {
    builders(config).into_iter().map(|(name, _)| name).collect()
}

/// One block by its name. It is not connected yet.
///
/// # Errors
/// An unknown name; the known ones are listed.
pub fn by_name(config: &Config, name: &str) -> anyhow::Result<Box<dyn RtlBlock>> {
    let known = || names(config).join(", ");
    let found = builders(config).into_iter().find(|(known, _)| known == name);
    found
        .map(|(_, build)| build())
        .ok_or_else(|| anyhow::anyhow!("block: `{name}` is unknown; it must be one of {}", known()))
}

fn builders(config: &Config) -> Vec<(String, Builder<'_>)> {
    let sizes: BTreeSet<usize> = config.groups.iter().map(|group| group.size).collect();
    let mut found: Vec<(String, Builder)> = vec![];
    for (name, build) in BLOCKS {
        found.push((name.to_string(), Box::new(move || build(config))));
    }
    if !sizes.is_empty() {
        found.push(("threshold_comparator".into(), Box::new(|| Box::new(ThresholdComparator::new()))));
    }
    for &size in &sizes {
        let suffix = if sizes.len() > 1 { format!("_{size}") } else { String::new() };
        for (name, build) in GROUP_BLOCKS {
            found.push((format!("{name}{suffix}"), Box::new(move || build(size))));
        }
    }
    if let Ok(topology) = config.check_switch()
        && let Some((name, build)) = routing::unit(config, topology)
    {
        let of_its_kind = "the unit is of the topology's kind";
        found.push((name.into(), Box::new(move || Box::new(build(config, topology).expect(of_its_kind)))));
        found.push((SWITCH.into(), Box::new(move || Box::new(PowarSwitch::new(config, topology).expect(of_its_kind)))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;
    use rust_hdl::core::probe::Probe;
    use rust_hdl::prelude::{Atom, AtomKind, Block};

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

    /// An input that is not listed would neither be driven by a test nor wake a [`crate::primitives::Settled`] block.
    #[test]
    fn every_block_lists_all_its_inputs() {
        for preset in ["fat-tree-2", "star-16", "torus-28"] {
            let config = presets::by_name(preset).expect("a preset");
            for (name, build) in builders(&config) {
                let mut block = build();
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
}
