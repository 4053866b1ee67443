//! A golden switch with a network interface at every port.

use crate::network_interface::model::{Kind, Model};
use crate::network_interface::stream::{Packet, Shape, Sink, Source};
use powar_config::topology::wiring::Wiring;
use powar_config::{Config, SwitchConfig, presets};
use powar_testbenches::twins;
use std::collections::{HashMap, VecDeque};

const PORTS: usize = 4;

fn config() -> Config {
    let switch =
        SwitchConfig { vcs: 3, buffer_flits: 3 * 20, max_packet_flits: 9, flit_bits: 64, ..SwitchConfig::default() };
    Config { name: "star-of-four".into(), ports: PORTS, switch, ..presets::by_name("star-16").expect("a preset") }
}

/// Packets of every kind between all nodes, for so many cycles and until all have come in.
///
/// Packets from one node to another stay in order: there is one way, and they have one VC.
pub fn check(kind: Kind, cycles: u64, seed: u64) {
    let config = config();
    let words = config.switch.flit_words();
    let addresses = Wiring::new(&config).expect("a network").addresses;
    let shape = Shape { words, most_beats: config.switch.max_packet_flits - 1 };
    let mut switch = Model::new(&config, twins::SWITCH, &Kind::Golden);
    let mut nodes: Vec<Model> = (0..PORTS).map(|_| Model::new(&config, "network_interface", &kind)).collect();
    let mut sources: Vec<Source> = (0..PORTS as u64).map(|node| Source::new(seed << 8 | node, shape)).collect();
    let mut sinks: Vec<Sink> = (0..PORTS as u64).map(|node| Sink::new(seed << 16 | node)).collect();
    // What is under way, by source and destination.
    let mut expected: HashMap<(u16, u16), VecDeque<Packet>> = HashMap::new();
    let (mut delivered, mut beats) = ([0u64; PORTS], [0u64; PORTS]);
    let mut over_since = None;
    for cycle in 0.. {
        let rst = u64::from(cycle < 3);
        let goes_on = cycle < cycles;
        switch.set("rst", 0, &[rst]);
        for node in 0..PORTS {
            Model::join(&mut nodes[node], 0, &mut switch, node, words);
            Model::join(&mut switch, node, &mut nodes[node], 0, words);
            nodes[node].set("rst", 0, &[rst]);
            nodes[node].set("address", 0, &[addresses[node].into()]);
            sources[node].drive(&mut nodes[node], rst == 0 && goes_on, &addresses);
            sinks[node].drive(&mut nodes[node], !goes_on);
        }
        switch.step();
        nodes.iter_mut().for_each(Model::step);
        if rst == 1 {
            continue;
        }
        for node in 0..PORTS {
            sources[node].after(&nodes[node]);
            while let Some(packet) = sources[node].sent.pop_front() {
                expected.entry((addresses[node], packet.peer)).or_default().push_back(packet);
            }
            let Some(packet) = sinks[node].after(&nodes[node], words) else { continue };
            let sent = expected.get_mut(&(packet.peer, addresses[node])).and_then(VecDeque::pop_front);
            let sent = sent.unwrap_or_else(|| panic!("cycle {cycle}: node {node} got a packet that nobody sent"));
            assert_eq!(sent.beats, packet.beats, "cycle {cycle}, node {node}, from {}", packet.peer);
            delivered[node] += 1;
            beats[node] += packet.beats.len() as u64;
        }
        let is_over = !goes_on && expected.values().all(VecDeque::is_empty) && !sources.iter().any(Source::is_busy);
        if is_over {
            // The last credits and counts.
            let since = *over_since.get_or_insert(cycle);
            if cycle == since + 20 {
                break;
            }
        }
        assert!(cycle < cycles + 20_000, "packets do not come in: {} wait", expected.values().flatten().count());
    }
    let mut sent = [0; 2];
    for node in 0..PORTS {
        let statistics = nodes[node].get("statistics", 0, 10);
        sent = [sent[0] + statistics[0], sent[1] + statistics[1]];
        assert_eq!(statistics[2..4], [delivered[node], beats[node] + delivered[node]], "node {node}: received");
        assert_eq!(statistics[4..7], sources[node].refused, "node {node}: refused");
        assert_eq!(statistics[7..], [0; 3], "node {node}: errors");
        assert!(cycles < 10_000 || sources[node].refused.iter().all(|&count| count > 20), "node {node}");
    }
    let all: u64 = delivered.iter().sum();
    assert_eq!(sent, [all, all + beats.iter().sum::<u64>()], "sent");
    assert!(all > cycles / 12, "only {all} packets in {cycles} cycles");
}
