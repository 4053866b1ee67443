//! Every block at the sizes of a configuration, for tests, emission and synthesis.

use crate::allocation::{Allocator, Selector};
use crate::arbiters::{PortArbiter, PreferredFirstArbiter, RoundRobinArbiter, VcArbiter};
use crate::buffers::{HEADER_BITS, InputPort, VcQueue, VirtualChannel, WHOLE_HEADER_BITS};
use crate::controller::{CONTROLLER, PowerController};
use crate::demonstrator::{
    AxiLiteDecoder, DEMONSTRATOR, DemonstratorRegisters, ResetSynchroniser, StatisticsReader, TrafficChecker,
    TrafficGenerator, UartBridge, UartReceiver, UartTransmitter, demonstrator as whole_demonstrator,
};
use crate::links::{
    CreditCounter, Crossbar, CrossingReceiver, CrossingSender, GrayCounter, LinkCrossing, LinkStage, OutputPort,
    Synchroniser, crossing_pointer_bits,
};
use crate::mechanisms;
use crate::network_interface::{HeaderQueue, Injection, InjectionQueues, NetworkInterface, PacketQueue, Reception};
use crate::power::mechanism::Builder;
use crate::power::{CheckTimer, CounterSlots, FlitCounter, HeldPorts, PortCounters, PowerManager};
use crate::registers::RegisterBus;
use crate::routing::{self, RouteRegister, RoutingTable, TableLoader};
use crate::rtl_block::RtlBlock;
use crate::switch::{SWITCH, switch};
use powar_config::nearest::is_unknown;
use powar_config::registers::demonstrator::{self, WINDOWS};
use powar_config::{Config, registers};
use std::collections::BTreeSet;

/// Builds a block for a configuration.
type Build = fn(&Config) -> Box<dyn RtlBlock>;

/// The blocks of every switch and controller. One alone has the errors of a switch.
const BLOCKS: &[(&str, Build)] = &[
    ("round_robin_arbiter", |config| Box::new(RoundRobinArbiter::new(config.requesters()))),
    ("preferred_first_arbiter", |config| Box::new(PreferredFirstArbiter::new(config.ports))),
    ("selector", |config| {
        Box::new(Selector::new(config.ports, config.lowest_adaptive(), config.deterministic, config.next_routes()))
    }),
    ("port_arbiter", |config| Box::new(PortArbiter::new(config.requesters()))),
    ("check_timer", |_| Box::new(CheckTimer::new())),
    ("held_ports", |config| Box::new(HeldPorts::new(config.ports, config.switch.short_packets()))),
    ("port_counters", |config| Box::new(PortCounters::new(config.mechanism().residency, registers::ERRORS.len()))),
    ("counter_slots", |config| Box::new(CounterSlots::new(registers::counters(config.mechanism()).count()))),
    ("power_manager", |config| {
        Box::new(PowerManager::new(
            mechanisms::of(config),
            config,
            registers::ERRORS.len(),
            config.switch.short_packets(),
        ))
    }),
    ("register_bus", |config| Box::new(RegisterBus::new(config, config.mechanism()))),
    (CONTROLLER, |config| Box::new(PowerController::new(config))),
    ("reset_synchroniser", |_| Box::new(ResetSynchroniser::new())),
    ("statistics_reader", |_| Box::new(StatisticsReader::new())),
    ("uart_receiver", |_| Box::new(UartReceiver::new())),
    ("uart_transmitter", |_| Box::new(UartTransmitter::new())),
    ("uart_bridge", |_| Box::new(UartBridge::new())),
    ("axi_lite_decoder", |_| Box::new(AxiLiteDecoder::new(WINDOWS))),
    ("vc_queue", |config| {
        Box::new(VcQueue::new(config.switch.vc_depth(), config.mechanism().sees.buffers || config.next_routes()))
    }),
    ("virtual_channel", |config| {
        let (n, switch, sees) = (config.ports, &config.switch, config.mechanism().sees);
        let has_table = config.routing_sees().table;
        match config.routing_sees().header {
            false => Box::new(VirtualChannel::<HEADER_BITS, { HEADER_BITS + 1 }>::new(
                n,
                switch,
                sees,
                has_table,
                config.next_routes(),
            )),
            true => Box::new(VirtualChannel::<WHOLE_HEADER_BITS, { WHOLE_HEADER_BITS + 1 }>::new(
                n,
                switch,
                sees,
                has_table,
                config.next_routes(),
            )),
        }
    }),
    ("input_port", |config| {
        let (n, switch, sees) = (config.ports, &config.switch, config.mechanism().sees);
        let has_table = config.routing_sees().table;
        match config.routing_sees().header {
            false => Box::new(InputPort::<HEADER_BITS, { HEADER_BITS + 1 }>::new(
                n,
                switch,
                sees,
                has_table,
                config.next_routes(),
            )),
            true => Box::new(InputPort::<WHOLE_HEADER_BITS, { WHOLE_HEADER_BITS + 1 }>::new(
                n,
                switch,
                sees,
                has_table,
                config.next_routes(),
            )),
        }
    }),
    ("vc_arbiter", |config| Box::new(VcArbiter::new(config.switch.vcs))),
    ("allocator", |config| Box::new(Allocator::new(config, config.mechanism().sees))),
    ("crossbar", |config| Box::new(Crossbar::new(config.ports, config.near_ports(), config.switch.flit_words()))),
    ("credit_counter", |config| {
        Box::new(CreditCounter::new(config.switch.vc_depth(), config.switch.max_packet_flits, shows_occupancy(config)))
    }),
    ("output_port", |config| {
        Box::new(OutputPort::new(&config.switch, shows_occupancy(config), config.mechanism().sees.wanted))
    }),
    ("route_register", |config| Box::new(RouteRegister::new(config.ports, config.switch.vcs, config.next_routes()))),
    ("link_stage", |config| Box::new(LinkStage::new(&config.switch))),
    ("gray_counter", |config| Box::new(GrayCounter::new(crossing_pointer_bits(&config.switch)))),
    ("synchroniser", |config| Box::new(Synchroniser::new(crossing_pointer_bits(&config.switch)))),
    ("crossing_sender", |config| Box::new(CrossingSender::new(&config.switch))),
    ("crossing_receiver", |config| Box::new(CrossingReceiver::new(&config.switch))),
    ("link_crossing", |config| Box::new(LinkCrossing::new(&config.switch))),
];

/// The blocks of a network interface, where there is one for the switch.
const NETWORK_INTERFACE: &[(&str, Build)] = &[
    ("header_queue", |config| Box::new(HeaderQueue::new(config.switch.vc_depth()))),
    ("packet_queue", |config| Box::new(PacketQueue::new(config.switch.vc_depth()))),
    ("injection_queues", |config| Box::new(InjectionQueues::new(&config.switch))),
    ("injection", |config| Box::new(Injection::new(&config.switch))),
    ("reception", |config| Box::new(Reception::new(&config.switch))),
    ("network_interface", |config| Box::new(NetworkInterface::new(config))),
];

/// Those of a demonstrator that depend on its switch.
const DEMONSTRATOR_BLOCKS: &[(&str, Build)] = &[
    ("demonstrator_registers", |config| Box::new(DemonstratorRegisters::new(config))),
    ("traffic_generator", |config| Box::new(TrafficGenerator::new(config))),
    ("traffic_checker", |config| Box::new(TrafficChecker::new(config))),
];

/// The blocks of a routing table, where there is one.
const ROUTING_TABLE: &[(&str, Build)] = &[
    ("table_loader", |config| Box::new(TableLoader::new(config))),
    ("routing_table", |config| Box::new(RoutingTable::new(config))),
];

/// The output ports show how full the next buffers are.
fn shows_occupancy(config: &Config) -> bool {
    config.mechanism().sees.buffers || config.routing_sees().occupancy
}

/// Names of all blocks at this configuration: module names, with `_<size>` behind those of groups where sizes differ.
pub fn names(config: &Config) -> Vec<String> {
    builders(config).into_iter().map(|(name, _)| name).collect()
}

/// One block by its name. It is not connected yet.
///
/// # Errors
/// An unknown name; the known ones are listed. A mechanism that there is no RTL of.
pub fn by_name(config: &Config, name: &str) -> anyhow::Result<Box<dyn RtlBlock>> {
    mechanisms::check(config)?;
    if config.check_switch().is_ok() {
        routing::unit(config)?;
    }
    let unknown = || {
        let known = names(config);
        anyhow::anyhow!("block: {}", is_unknown(name, known.iter().map(|name| &**name)))
    };
    let found = builders(config).into_iter().find(|(known, _)| known == name);
    found.map(|(_, build)| build()).ok_or_else(unknown)
}

/// The sizes of the groups, and what stands behind the name of a block that is made for each: nothing if there is one size.
pub(crate) fn sizes_of_groups(config: &Config) -> Vec<(usize, String)> {
    let sizes: BTreeSet<usize> = config.groups.iter().map(|group| group.size).collect();
    let suffix = |size| if sizes.len() > 1 { format!("_{size}") } else { String::new() };
    sizes.iter().map(|&size| (size, suffix(size))).collect()
}

/// All blocks. Only what is asked for is built: a whole switch of many ports takes a while.
fn builders(config: &Config) -> Vec<(String, Builder<'_>)> {
    let mut found: Vec<(String, Builder)> = vec![];
    let of_nodes = if config.switch.check_network_interface().is_ok() { NETWORK_INTERFACE } else { &[] };
    let of_table = if config.routing_sees().table { ROUTING_TABLE } else { &[] };
    let of_demonstrator = if demonstrator::fits(config) { DEMONSTRATOR_BLOCKS } else { &[] };
    for (name, build) in BLOCKS.iter().chain(of_nodes).chain(of_table).chain(of_demonstrator) {
        found.push((name.to_string(), Box::new(move || build(config))));
    }
    for (size, suffix) in sizes_of_groups(config) {
        found.push((format!("flit_counter{suffix}"), Box::new(move || Box::new(FlitCounter::new(size)))));
    }
    let entry = mechanisms::of(config);
    found.push((entry.mechanism.name.into(), Box::new(move || Box::new((entry.build)(config)))));
    found.extend((entry.blocks)(config));
    if let Ok(topology) = config.check_switch()
        && let Ok(unit) = routing::unit(config)
    {
        let of_its_kind = "the unit is for the topology";
        found.extend((unit.blocks)(config));
        found
            .push((unit.module.into(), Box::new(move || Box::new((unit.build)(config, topology).expect(of_its_kind)))));
        found.push((SWITCH.into(), Box::new(move || switch(config, topology).expect(of_its_kind))));
    }
    if demonstrator::check(config).is_ok() {
        found.push((DEMONSTRATOR.into(), Box::new(move || whole_demonstrator(config).expect("it is checked"))));
    }
    found
}
