//! Latencies against the formula.

use crate::whole_network::workloads::Script;
use powar_config::routing::tables::RoutingTables;
use powar_config::{Config, PowarValues, Routing};
use powar_golden::network::{Ended, Network, NetworkParameters};

#[test]
fn zero_load_latency_is_the_formulas() {
    for name in [
        "star-16",
        "8-ary-2-tree",
        "k4-n3",
        "torus-4x4x4",
        "torus-4x4x4-trunk4",
        "4-ary-4-tree",
        "torus-4x4-trunk4-nodes4",
        "mesh-4x3-nodes2",
        "boards-4x4",
        "boards-8x8",
    ] {
        let mut config = Config::of_network(name).unwrap();
        config.powar_mut().unwrap().policy = "reference".into();
        for (link_delay, node_link_delay, packet_flits) in [(23, 23, 8), (0, 0, 16), (3, 11, 1)] {
            let parameters = NetworkParameters {
                link_delay,
                node_link_delay,
                packet_flits,
                ..NetworkParameters::new(config.clone())
            };
            let mut network = Network::new(&parameters).unwrap();
            let source = 5;
            let hops = network.wiring().hops_from(source);
            for destination in (0..network.nodes()).step_by(7).filter(|&node| node != source) {
                let begin = network.now();
                let mut script = Script::new(&[(begin, source as u32, destination as u32, packet_flits.into())]);
                assert_eq!(network.run(&mut script, u64::MAX, &mut ()).unwrap(), Ended::Over);
                let (end, _) = script.told.delivered[0];
                let expected = parameters.zero_load_latency(hops[destination].into(), packet_flits.into());
                assert_eq!(end - begin, expected, "{name} from {source} to {destination}");
            }
        }
    }
}

/// From every node to every other, over a shortest way whatever the network: with two VCs nothing else is in the way, and with one the escape is the way.
#[test]
fn zero_load_latency_of_networks_from_files_is_the_formulas() {
    for (name, vcs) in [
        ("file:../experiments/networks/random-40.edges", 4),
        ("file:tests/networks/ring.edges", 2),
        ("file:tests/networks/ring.edges", 1),
    ] {
        let mut config = Config::of_network(name).unwrap();
        config.powar_mut().unwrap().policy = "reference".into();
        config.switch.vcs = vcs;
        let tables = RoutingTables::of(&config).unwrap();
        let parameters = NetworkParameters::new(config);
        let mut network = Network::new(&parameters).unwrap();
        let home = |node: usize| tables.wiring().nodes[node][0].0 as usize;
        for source in 0..network.nodes() {
            let hops = network.wiring().hops_from(source);
            for destination in (0..network.nodes()).filter(|&node| node != source) {
                let (from, to) = (home(source), home(destination));
                let links = if vcs == 1 { tables.escape_distance(from, to) } else { tables.distance(from, to) };
                assert!(vcs == 1 || links + 1 == hops[destination], "{name}");
                let begin = network.now();
                let mut script = Script::new(&[(begin, source as u32, destination as u32, 8)]);
                assert_eq!(network.run(&mut script, u64::MAX, &mut ()).unwrap(), Ended::Over);
                let expected = parameters.zero_load_latency(u64::from(links) + 1, 8);
                assert_eq!(script.told.delivered[0].0 - begin, expected, "{name}, {source} to {destination}");
            }
        }
    }
}

/// l links within groups and g between them: l + g + 1 switches, with shortest ways and, while nothing else is under way, with UGAL-L too.
#[test]
fn zero_load_latency_of_a_dragonfly_is_the_formulas() {
    for routing in ["dragonfly-minimal", "dragonfly-ugal"] {
        let mut config = Config::of_network("dragonfly-p2a4h2").unwrap();
        config.route_by(Routing::by_name(routing).unwrap());
        config.powar_mut().unwrap().policy = "reference".into();
        let parameters = NetworkParameters::new(config);
        let mut network = Network::new(&parameters).unwrap();
        let mut lengths = [0; 5];
        for (source, destination) in (0..72).map(|node| (0, node)).filter(|(from, to)| from != to) {
            let switch = |node: usize| (node / 8, node / 2 % 4);
            let ((from_group, from), (to_group, to)) = (switch(source), switch(destination));
            let hops = if from_group == to_group {
                1 + usize::from(from != to)
            } else {
                // The switches with the link, at either end.
                let leave = (to_group + 9 - from_group - 1) % 9 / 2;
                let arrive = (from_group + 9 - to_group - 1) % 9 / 2;
                2 + usize::from(from != leave) + usize::from(arrive != to)
            };
            lengths[hops] += 1;
            let begin = network.now();
            let mut script = Script::new(&[(begin, source as u32, destination as u32, 8)]);
            assert_eq!(network.run(&mut script, u64::MAX, &mut ()).unwrap(), Ended::Over);
            let expected = parameters.zero_load_latency(hops as u64, 8);
            assert_eq!(script.told.delivered[0].0 - begin, expected, "{routing}, to {destination}");
        }
        assert_eq!(lengths, [0, 1, 10, 24, 36], "destinations by switches on the way");
    }
}

#[test]
fn sleeping_ports_add_the_wake_up_time_and_a_cycle_at_every_hop() {
    let mut config = Config::of_network("8-ary-2-tree").unwrap();
    let parameters = config.powar_mut().unwrap();
    (parameters.policy, parameters.pdt) = ("powar".into(), "1us".parse().unwrap());
    let wake = u64::from(PowarValues::of(&config).t_wake);
    let parameters = NetworkParameters::new(config);
    let mut network = Network::new(&parameters).unwrap();
    let mut script = Script::new(&[(100_000, 0, 63, 8)]);
    network.run(&mut script, u64::MAX, &mut ()).unwrap();
    let latency = script.told.delivered[0].0 - 100_000;
    assert_eq!(latency, parameters.zero_load_latency(3, 8) + 3 * (wake + 1));
}
