//! The blocks as the lock-step harness sees them: named signals and one call a cycle.

use crate::blocks::awake_first_arbiter::AwakeFirstArbiter;
use crate::blocks::round_robin_arbiter::RoundRobinArbiter;
use crate::blocks::{
    Allocator, CheckTimer, ControlRegisters, CreditCounter, Crossbar, FlitCounter, InputPort, OutputPort, PortArbiter,
    PortGroup, PortPowerFsm, PortStatistics, PowerManager, RegisterBus, RoutingBlock, SelectablePorts, Selector,
    ThresholdComparator, VcArbiter, VcQueue, VirtualChannel,
};
use crate::controller::PowerController;
use powar_config::{Config, CycleModel, Layout, Role, SignalDecl};

/// A block that can be put under the lock-step harness by wrapping it in [`LockStep`].
pub trait Block {
    /// The block's signals: for each of the two frames in the order in which [`Block::cycle`] takes and puts them.
    fn signals(&self) -> Vec<SignalDecl>;

    /// One cycle. Everything is put into `observed` before the block passes the clock edge.
    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed);
}

/// A block as a [`CycleModel`].
#[derive(Clone, Debug)]
pub struct LockStep<B> {
    /// The block itself.
    pub block: B,
    layout: Layout,
}

impl<B: Block> LockStep<B> {
    /// Wraps a block in the state in which it is.
    pub fn new(block: B) -> Self {
        let layout = Layout::new(block.signals());
        LockStep { block, layout }
    }
}

impl<B: Block> CycleModel for LockStep<B> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let mut observed = Observed { slots: observed.iter_mut() };
        self.block.cycle(inputs, &mut observed);
        debug_assert_eq!(observed.slots.len(), 0, "a declared signal was not observed");
    }
}

/// The observed frame of a cycle, filled in order.
pub struct Observed<'a> {
    slots: std::slice::IterMut<'a, u64>,
}

impl Observed<'_> {
    /// Puts the next slot.
    pub fn put(&mut self, value: impl Into<u64>) {
        *self.slots.next().expect("no more slots than the layout declares") = value.into();
    }

    /// Puts the rows of an array.
    pub fn rows<T: Into<u64>>(&mut self, values: impl IntoIterator<Item = T>) {
        values.into_iter().for_each(|value| self.put(value));
    }
}

/// Declares an input of one row.
pub fn input(name: &str, width: usize) -> SignalDecl {
    SignalDecl::new(Role::Input, name, 1, width)
}

/// Declares a combinational output of one row.
pub fn output(name: &str, width: usize) -> SignalDecl {
    SignalDecl::new(Role::Output, name, 1, width)
}

/// Declares a register of one row. One that is an output too is declared as both.
pub fn register(name: &str, width: usize) -> SignalDecl {
    SignalDecl::new(Role::Register, name, 1, width)
}

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
        twins.push(("powar_switch".into(), crate::switch::twin(config).expect("checked")));
    }
    twins
}

fn twin(block: impl Block + Send + 'static) -> Box<dyn CycleModel + Send> {
    Box::new(LockStep::new(block))
}
