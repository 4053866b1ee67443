//! The golden twin of every block, by name, for the lock-step harness.

use crate::fast::controller::PowerController;
use crate::reference::allocation::{Allocator, Selector};
use crate::reference::arbiters::{PortArbiter, PreferredFirstArbiter, RoundRobinArbiter, VcArbiter};
use crate::reference::buffers::{InputPort, VcQueue, VirtualChannel};
use crate::reference::demonstrator::*;
use crate::reference::links::{
    CreditCounter, Crossbar, CrossingReceiver, CrossingSender, GrayCounter, LinkCrossing, LinkStage, OutputPort,
    Synchroniser, crossing_pointer_bits,
};
use crate::reference::mechanisms::{self, Twin, twin};
use crate::reference::network_interface::{
    HeaderQueue, Injection, InjectionQueues, NetworkInterface, PacketQueue, Reception,
};
use crate::reference::power::{CounterSlots, HeldPorts, MechanismBlock, PortCounters, PowerManager};
use crate::reference::registers::RegisterBus;
use crate::reference::routing::{self, RouteRegister, RoutingBlock, RoutingTable, TableLoader};
use anyhow::Result;
use powar_config::registers::demonstrator::{self, WINDOWS};
use powar_config::{Config, registers};

/// Whether there are golden models of a configuration's mechanism and of its routing: what else is built of a configuration takes them
/// for granted.
///
/// # Errors
/// There is none of the routing, or not both of the mechanism.
pub fn check_models(config: &Config) -> Result<()> {
    routing::check(config)?;
    mechanisms::check(config)?;
    crate::fast::mechanisms::check(config)
}

/// A golden twin of each block at the sizes of a configuration, in their state after reset, by the block's name.
///
/// The power mechanism's own blocks are those that its folder lists. `port_counters` and `power_manager` are those of a switch. Of
/// the routing units there is the configuration's; without what [`Config::check_switch`] wants there is none
/// and no `powar_switch`. The configuration must have passed [`Config::check`] and [`check_models`].
pub fn blocks(config: &Config) -> Vec<(String, Twin)> {
    let (ports, requesters) = (config.ports, config.requesters());
    let (mechanism, switch) = (config.mechanism(), &config.switch);
    let (models, errors) = (mechanisms::entry(config), registers::ERRORS.len());
    let mut twins = vec![
        ("round_robin_arbiter".to_owned(), twin(RoundRobinArbiter { n: requesters })),
        ("preferred_first_arbiter".into(), twin(PreferredFirstArbiter { n: ports })),
        ("selector".into(), twin(Selector::of(config))),
        ("port_arbiter".into(), twin(PortArbiter::new(requesters))),
    ];
    twins.extend((models.blocks)(config));
    twins.push((mechanism.name.into(), twin(MechanismBlock::new(ports, (models.build)(config)))));
    twins.push(("held_ports".into(), twin(HeldPorts::new(ports, switch.short_packets()))));
    twins.push(("port_counters".into(), twin(PortCounters::new(mechanism.residency, errors))));
    let counters = registers::counters(mechanism).count();
    twins.push(("counter_slots".into(), twin(CounterSlots::new(counters))));
    let manager = PowerManager::new(ports, (models.build)(config), errors);
    twins.push(("power_manager".into(), twin(manager.for_short_packets(switch.short_packets()))));
    twins.push(("power_controller".into(), Box::new(PowerController::new(config))));
    twins.push(("vc_queue".into(), twin(VcQueue::of_flits(config, mechanism.sees.buffers))));
    twins.push(("virtual_channel".into(), twin(VirtualChannel::new(config, mechanism.sees))));
    twins.push(("input_port".into(), twin(InputPort::new(config, mechanism.sees))));
    twins.push(("route_register".into(), twin(RouteRegister::new(config))));
    if config.routing_sees().table {
        twins.push(("table_loader".into(), twin(TableLoader::new(config))));
        twins.push(("routing_table".into(), twin(RoutingTable::new(config))));
    }
    twins.push(("vc_arbiter".into(), twin(VcArbiter::new(switch.vcs))));
    twins.push(("allocator".into(), twin(Allocator::new(config, mechanism.sees))));
    twins.push(("crossbar".into(), twin(Crossbar::new(config))));
    twins.push(("credit_counter".into(), twin(CreditCounter::new(config, mechanism.sees))));
    twins.push(("output_port".into(), twin(OutputPort::new(config, mechanism.sees))));
    twins.push(("link_stage".into(), twin(LinkStage::new(config))));
    twins.push(("gray_counter".into(), twin(GrayCounter::new(crossing_pointer_bits(config)))));
    twins.push(("synchroniser".into(), twin(Synchroniser::new(crossing_pointer_bits(config)))));
    twins.push(("crossing_sender".into(), twin(CrossingSender::new(config))));
    twins.push(("crossing_receiver".into(), twin(CrossingReceiver::new(config))));
    twins.push(("link_crossing".into(), twin(LinkCrossing::new(config))));
    if switch.check_network_interface().is_ok() {
        twins.push(("header_queue".into(), twin(HeaderQueue::new(config))));
        twins.push(("packet_queue".into(), twin(PacketQueue::new(config))));
        twins.push(("injection_queues".into(), twin(InjectionQueues::new(config))));
        twins.push(("injection".into(), twin(Injection::new(config))));
        twins.push(("reception".into(), twin(Reception::new(config))));
        twins.push(("network_interface".into(), twin(NetworkInterface::new(config))));
    }
    if config.check_switch().is_ok() {
        let routing = RoutingBlock::new(config).expect("a switch has a routing");
        twins.extend(routing.unit.blocks(config));
        twins.push((routing.unit.name().into(), twin(routing)));
    }
    twins.push(("register_bus".into(), twin(RegisterBus::new(config))));
    twins.push(("reset_synchroniser".into(), twin(ResetSynchroniser::new())));
    twins.push(("statistics_reader".into(), twin(StatisticsReader::new())));
    twins.push(("uart_receiver".into(), twin(UartReceiver::new())));
    twins.push(("uart_transmitter".into(), twin(UartTransmitter::new())));
    twins.push(("uart_bridge".into(), twin(UartBridge::new())));
    twins.push(("axi_lite_decoder".into(), twin(AxiLiteDecoder::new(WINDOWS))));
    if demonstrator::fits(config) {
        twins.push(("demonstrator_registers".into(), twin(DemonstratorRegisters::new(config))));
        twins.push(("traffic_generator".into(), twin(TrafficGenerator::new(config))));
        twins.push(("traffic_checker".into(), twin(TrafficChecker::new(config))));
    }
    if demonstrator::check(config).is_ok() {
        twins.push(("powar_demonstrator".into(), twin(Demonstrator::new(config).expect("it is checked"))));
    }
    if config.check_switch().is_ok() {
        twins.push(("powar_switch".into(), crate::fast::switch::twin(config).expect("checked")));
    }
    twins
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{Chosen, Meaning, Role, SignalDecl, mechanism, presets};

    /// Random inputs would drive a number of which nothing is said bit by bit, whatever it is.
    #[test]
    fn every_input_of_every_block_says_what_it_means_and_when_it_may_come() {
        let of_each = |preset| mechanism::ALL.into_iter().map(move |mechanism| (preset, mechanism));
        for (preset, mechanism) in ["fat-tree-4", "star-16", "torus-28"].into_iter().flat_map(of_each) {
            let mechanism = Chosen(mechanism.defaults());
            let config = Config { mechanism, ..presets::by_name(preset).unwrap() };
            // Not every mechanism is for every switch.
            let blocks = if config.check().is_ok() { blocks(&config) } else { vec![] };
            for (block, twin) in blocks {
                let layout = twin.layout();
                for SignalDecl { name, meaning, only_after, .. } in &layout.inputs {
                    assert_ne!(*meaning, Meaning::Number, "{preset}: {name} of {block}");
                    for output in only_after.iter().copied().flatten() {
                        let known = match output.strip_prefix('!') {
                            Some(register) => layout.slot(Role::Register, register).is_ok(),
                            None => layout.slot(Role::Output, output).is_ok(),
                        };
                        assert!(known, "{preset}, {block}: {name} after {output}");
                    }
                }
            }
        }
    }
}
