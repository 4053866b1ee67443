//! One network on several threads: the same to the bit.

use crate::support::TestedMechanism;
use crate::whole_network::workloads::Script;
use powar_config::Config;
use powar_golden::fast::switch::Train;
use powar_golden::network::{Counts, Ended, NetPacket, Network, NetworkParameters, Observer};

/// Every train, in the order in which it is told of.
#[derive(Default, PartialEq)]
struct Log(Vec<(u64, u32, Train<NetPacket>)>);

impl Observer for Log {
    fn train(&mut self, now: u64, switch: u32, train: &Train<NetPacket>) {
        self.0.push((now, switch, *train));
    }
}

/// A network of switches that are stepped one by one.
fn one_by_one(parameters: &NetworkParameters, kind: TestedMechanism) -> Network {
    let places = parameters.wiring().unwrap().places;
    let make = |number: u32, _| {
        let place = places[number as usize];
        Ok(kind.switch(&parameters.config, 7, (place.position, place.stage)))
    };
    Network::with_switches(parameters, make).unwrap()
}

/// All that can be seen of a run, and the windows that threads have shared.
fn run(network: Network, script: &Script, threads: usize) -> (Log, String, u64) {
    let mut network = network.on_threads(threads).unwrap();
    network.measure(300..1200);
    let (mut script, mut log) = (script.clone(), Log::default());
    // In pieces, since a run can be continued anywhere.
    while network.run(&mut script, network.now() + 777, &mut log).unwrap() == Ended::Time {}
    let credits = (0..network.nodes()).map(|node| network.node_credits(node, 0, 0)).collect::<Vec<_>>();
    // Fewer steps of bundles come to the same.
    let counts = Counts { switch_steps: 0, ..network.counts() };
    let seen = (network.now(), counts, network.measurement().clone(), network.port_counts(), credits);
    (log, format!("{seen:?} {:?}", script.told), network.shared_windows())
}

#[test]
fn any_number_of_threads_comes_to_the_same() {
    let mut kinds: Vec<_> = TestedMechanism::for_any_switch().collect();
    kinds.push(TestedMechanism::Mimic);
    for (topology, delays) in [("4-ary-4-tree", (23, 23)), ("torus-8x8x4", (12, 30)), ("k8-n2", (9, 4))] {
        for &kind in &kinds {
            let mut config = Config::of_network(topology).unwrap();
            kind.take_over(&mut config);
            if let Ok(powar) = config.powar_mut() {
                powar.pdt = "50ns".parse().unwrap();
            }
            let mut parameters = NetworkParameters::new(config);
            (parameters.link_delay, parameters.node_link_delay) = delays;
            let nodes = parameters.wiring().unwrap().nodes.len() as u32;
            let script = Script::random(3, nodes, 1_500, 0.3);
            let alone = one_by_one(&parameters, kind);
            // A mechanism that is no configuration's is in no network that is made of one.
            let bundled = (kind != TestedMechanism::Mimic).then(|| Network::new(&parameters).unwrap());
            let (log, seen, shared) = run(alone.clone(), &script, 1);
            assert!(log.0.len() > 1_000 && shared == 0);
            for (threads, network) in (2..=4).flat_map(|n| [Some(&alone), bundled.as_ref()].map(|network| (n, network)))
            {
                let Some(network) = network else { continue };
                let what = format!("{topology}, {kind:?}, {} bundles, {threads} threads", network.switches().len());
                let (same_log, same, shared) = run(network.clone(), &script, threads);
                assert!(log == same_log && seen == same, "{what}: something else comes of it");
                // A network of one region has nothing to share.
                assert_eq!(shared > 10, topology != "k8-n2", "{what}: {shared} windows");
            }
        }
    }
}
