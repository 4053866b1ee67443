//! What ports and nodes did between two looks at their counters.

use crate::device::Device;
use anyhow::Result;
use powar_config::registers::{self, ERRORS};
use powar_config::{Config, Phase};
use powar_golden::power_model::{Accounting, Asleep, PowerParameters, u_port};
use serde::Serialize;

/// All counters at one time, or nearly: the words of one port are read in one go, ports one after the other.
#[derive(Clone, Debug)]
pub struct Snapshot {
    cycles: u32,
    /// Of each port: its counters and its status, in the order of their addresses.
    ports: Vec<Vec<u32>>,
    /// Of each node: the generator's counters, the checker's, then the errors of the network interface.
    nodes: Vec<Vec<u32>>,
}

/// Words of a node: the first, and how many. The generator's counters, all of the checker's, and what the network interface refused or saw
/// wrong.
const SENT: (&str, usize) = ("packets_sent", 3);
const RECEIVED: (&str, usize) = ("packets_received", 11);
const LINK_ERRORS: (&str, usize) = ("refused_long", 6);

impl Snapshot {
    /// Reads them.
    ///
    /// # Errors
    /// The device doesn't answer.
    pub fn read(device: &mut Device) -> Result<Self> {
        let words = registers::port_words(device.config().mechanism());
        let ports = device.config().ports;
        let cycles = device.get("demo.cycles")?;
        let first = words[0].name;
        let of_port = (0..ports).map(|port| device.run_of_words(&format!("port{port}.{first}"), words.len()));
        let of_ports = of_port.collect::<Result<_>>()?;
        let mut nodes = vec![];
        for node in 0..ports {
            let mut all = vec![];
            for (first, count) in [SENT, RECEIVED, LINK_ERRORS] {
                all.extend(device.run_of_words(&format!("node{node}.{first}"), count)?);
            }
            nodes.push(all);
        }
        Ok(Snapshot { cycles, ports: of_ports, nodes })
    }
}

/// What a port did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PortSample {
    pub port: usize,
    /// Now.
    pub phase: &'static str,
    pub level: u32,
    /// Share of the cycles in each phase and level of the mechanism, in its order.
    pub residency: Vec<f64>,
    /// Mean power, 1 being that of a port that is always on (POWAR, equation 1).
    pub power: f64,
    /// Flits a cycle.
    pub load: f64,
    pub wake_ups: u32,
    /// Events that are errors, all kinds.
    pub errors: u32,
}

/// What a node sent and received.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeSample {
    pub node: usize,
    /// Flits a cycle that were to be sent, and that the network took.
    pub offered: f64,
    pub sent: f64,
    pub packets_sent: u32,
    pub packets_received: u32,
    /// Packets that were not as they should be, and what its network interface refused or saw wrong on its link, all kinds.
    pub errors: u32,
    /// Mean latency, cycles; none of no packet.
    pub latency: Option<f64>,
    /// Since the counters were cleared.
    pub latency_min: Option<u32>,
    pub latency_max: Option<u32>,
}

/// All of it between two snapshots.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sample {
    pub cycles: u32,
    /// Mean power of all ports, and their energy in cycles of a port that is on.
    pub power: f64,
    pub energy: f64,
    pub ports: Vec<PortSample>,
    pub nodes: Vec<NodeSample>,
}

impl Sample {
    /// From one snapshot to a later one; counters may have wrapped once.
    pub fn between(config: &Config, before: &Snapshot, after: &Snapshot) -> Sample {
        let cycles = after.cycles.wrapping_sub(before.cycles);
        let gained = |(before, after): (&Vec<u32>, &Vec<u32>)| differences(before, after);
        let of_ports = before.ports.iter().zip(&after.ports).map(gained);
        let ports: Vec<PortSample> = of_ports
            .zip(&after.ports)
            .enumerate()
            .map(|(port, (counted, now))| port_sample(config, port, &counted, now[now.len() - 1]))
            .collect();
        let of_nodes = before.nodes.iter().zip(&after.nodes).map(gained);
        let nodes = of_nodes
            .zip(&after.nodes)
            .enumerate()
            .map(|(node, (counted, now))| node_sample(node, cycles, &counted, now))
            .collect();
        let power = ports.iter().map(|port| port.power).sum::<f64>() / ports.len() as f64;
        let energy = power * ports.len() as f64 * f64::from(cycles);
        Sample { cycles, power, energy, ports, nodes }
    }

    /// Errors of all ports and nodes.
    pub fn errors(&self) -> u64 {
        let of_ports = self.ports.iter().map(|port| u64::from(port.errors));
        of_ports.chain(self.nodes.iter().map(|node| u64::from(node.errors))).sum()
    }
}

fn differences(before: &[u32], after: &[u32]) -> Vec<u32> {
    before.iter().zip(after).map(|(before, after)| after.wrapping_sub(*before)).collect()
}

fn port_sample(config: &Config, port: usize, counted: &[u32], status: u32) -> PortSample {
    let residency = config.mechanism.residency();
    let in_each = &counted[..residency.len()];
    let all: f64 = in_each.iter().map(|&cycles| f64::from(cycles)).sum();
    let share = |count: u32| if all > 0.0 { f64::from(count) / all } else { 0.0 };
    let model = PowerParameters::default();
    // Between two looks in one cycle nothing was counted: the port is as it is.
    let wide: Vec<u64> = in_each.iter().copied().map(u64::from).collect();
    let used = u_port(&residency, &wide, Asleep::without_lane(model.sleeping_port)).unwrap_or(1.0);
    let power = model.ports_power(Accounting::Equation1, &[used.clamp(0.0, 1.0)]).unwrap_or(1.0);
    let code = (status & 7) as usize;
    let phase = Phase::ALL.get(code).map_or("?", |phase| phase.name());
    let events = &counted[residency.len()..];
    PortSample {
        port,
        phase,
        level: status >> 3 & 7,
        residency: in_each.iter().map(|&cycles| share(cycles)).collect(),
        power,
        load: share(events[1]),
        wake_ups: events[0],
        errors: events[2..2 + ERRORS.len()].iter().sum(),
    }
}

fn node_sample(node: usize, cycles: u32, counted: &[u32], now: &[u32]) -> NodeSample {
    let rate = |count: u32| if cycles > 0 { f64::from(count) / f64::from(cycles) } else { 0.0 };
    let [packets_sent, offered, sent, packets_received, ..] = *counted else { unreachable!("all words were read") };
    // The sum of latencies is one number of 64 bits.
    let sum = u64::from(counted[12]) | u64::from(counted[13]) << 32;
    let sum = if now[12] < counted[12] { sum.wrapping_sub(1 << 32) } else { sum };
    let any = packets_received > 0;
    NodeSample {
        node,
        offered: rate(offered),
        sent: rate(sent),
        packets_sent,
        packets_received,
        errors: counted[5..10].iter().chain(&counted[14..]).sum(),
        latency: any.then(|| sum as f64 / f64::from(packets_received)),
        latency_min: (now[11] >= now[10]).then_some(now[10]),
        latency_max: (now[11] >= now[10]).then_some(now[11]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    #[test]
    fn a_sample_is_what_the_counters_gained() {
        let config = presets::by_name("fat-tree-2").unwrap();
        // active, entering, quiet, refresh, waking; wake_ups, flits, five errors; status.
        let port = |active: u32, quiet: u32, flits: u32, dropped: u32, status: u32| {
            vec![active, 0, quiet, 0, 0, 0, flits, dropped, 0, 0, 0, 0, status]
        };
        let node = |sent: u32, received: u32, low: u32, high: u32| {
            let errors = [0, 0, 0, 0, 0, received / 12];
            let counts = [sent, 8 * sent, 8 * sent, received, 8 * received, 0, 0, 0, 0, 0, 5, 90, low, high];
            [&counts[..], &errors].concat()
        };
        let before = Snapshot {
            cycles: u32::MAX - 99,
            ports: vec![port(u32::MAX, 10, 7, 0, 0x380); 4],
            nodes: vec![node(3, 2, u32::MAX - 9, 0); 4],
        };
        let after = Snapshot {
            cycles: 900,
            ports: vec![port(249, 760, 107, 2, 0x002); 4],
            nodes: vec![node(13, 12, 90, 1); 4],
        };
        let sample = Sample::between(&config, &before, &after);
        assert_eq!(sample.cycles, 1000);
        let port = &sample.ports[3];
        assert_eq!((port.phase, port.level, port.load, port.errors), ("Off", 0, 0.1, 2));
        assert_eq!(port.residency, [0.25, 0.0, 0.75, 0.0, 0.0]);
        // 0.1 + 0.9 x 0.25: asleep a port draws a tenth.
        assert!((port.power - 0.325).abs() < 1e-12 && (sample.energy - 1300.0).abs() < 1e-9);
        let node = &sample.nodes[0];
        assert_eq!((node.packets_sent, node.packets_received, node.offered), (10, 10, 0.08));
        assert_eq!((node.latency, node.latency_min, node.latency_max), (Some(10.0), Some(5), Some(90)));
        assert_eq!((node.errors, sample.errors()), (1, 12));
    }
}
