//! The golden twin of every block, by name, for the lock-step harness.

use crate::fast::controller::PowerController;
use crate::lock_step::{Block, LockStep};
use crate::reference::allocation::{Allocator, Selector};
use crate::reference::arbiters::awake_first_arbiter::AwakeFirstArbiter;
use crate::reference::arbiters::round_robin_arbiter::RoundRobinArbiter;
use crate::reference::arbiters::{PortArbiter, VcArbiter};
use crate::reference::buffers::{InputPort, VcQueue, VirtualChannel};
use crate::reference::links::{CreditCounter, Crossbar, OutputPort};
use crate::reference::mechanisms::powar::{
    CheckTimer, ControlRegisters, FlitCounter, PortGroup, PortPowerFsm, PowerManager, SelectablePorts,
    ThresholdComparator,
};
use crate::reference::power::PortStatistics;
use crate::reference::registers::RegisterBus;
use crate::reference::routing::RoutingBlock;
use powar_config::{Config, CycleModel};

/// A golden twin of each block at the sizes of a configuration, in their state after reset, by the block's name.
///
/// Blocks that depend on the size of a port group (`flit_counter`, `selectable_ports`, `port_group`) come once for every
/// size that occurs, as `port_group_4` and so on if there are several; a configuration without groups has none of them
/// and no `threshold_comparator`. Of the routing units there is the one of the configuration's topology; without what
/// [`Config::check_switch`] wants there is none and no `powar_switch`. The configuration must have passed [`Config::check`].
pub fn blocks(config: &Config) -> Vec<(String, Box<dyn CycleModel + Send>)> {
    let (ports, requesters) = (config.ports, config.requesters());
    let values = config.register_values();
    let mut twins = vec![
        ("round_robin_arbiter".to_owned(), twin(RoundRobinArbiter { n: requesters })),
        ("awake_first_arbiter".to_owned(), twin(AwakeFirstArbiter { n: ports })),
        ("selector".to_owned(), twin(Selector::new(ports, config.deterministic))),
        ("port_arbiter".to_owned(), twin(PortArbiter::new(requesters))),
        ("check_timer".to_owned(), twin(CheckTimer::new())),
    ];
    let mut sizes: Vec<usize> = config.groups.iter().map(|group| group.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if !sizes.is_empty() {
        twins.push(("threshold_comparator".into(), twin(ThresholdComparator::new())));
    }
    for &size in &sizes {
        let name = |block: &str| if sizes.len() == 1 { block.into() } else { format!("{block}_{size}") };
        twins.push((name("flit_counter"), twin(FlitCounter::new(size))));
        twins.push((name("selectable_ports"), twin(SelectablePorts::new(size))));
        twins.push((name("port_group"), twin(PortGroup::new(size))));
    }
    twins.push(("port_power_fsm".into(), twin(PortPowerFsm::new())));
    twins.push(("port_statistics".into(), twin(PortStatistics::default())));
    twins.push(("control_registers".into(), twin(ControlRegisters::new(values))));
    twins.push(("power_manager".into(), twin(PowerManager::new(config))));
    twins.push(("power_controller".into(), Box::new(PowerController::new(config))));
    let switch = &config.switch;
    twins.push(("vc_queue".into(), twin(VcQueue::new(switch.vc_depth()))));
    twins.push(("virtual_channel".into(), twin(VirtualChannel::new(config))));
    twins.push(("input_port".into(), twin(InputPort::new(config))));
    twins.push(("vc_arbiter".into(), twin(VcArbiter::new(switch.vcs))));
    twins.push(("allocator".into(), twin(Allocator::new(config))));
    twins.push(("crossbar".into(), twin(Crossbar::new(config))));
    twins.push(("credit_counter".into(), twin(CreditCounter::new(config))));
    twins.push(("output_port".into(), twin(OutputPort::new(config))));
    if config.check_switch().is_ok() {
        let routing = RoutingBlock::new(config).expect("a switch has a topology");
        twins.push((routing.unit.name().into(), twin(routing)));
    }
    twins.push(("register_bus".into(), twin(RegisterBus::new(config))));
    if config.check_switch().is_ok() {
        twins.push(("powar_switch".into(), crate::fast::switch::twin(config).expect("checked")));
    }
    twins
}

fn twin(block: impl Block + Send + 'static) -> Box<dyn CycleModel + Send> {
    Box::new(LockStep::new(block))
}
