//! Networks whose switches are stepped in bundles against the same with every switch by itself: every train, all counters.

use crate::support;
use crate::whole_network::equality::restless;
use crate::whole_network::workloads::Script;
use fastrand::Rng;
use powar_config::mechanism::powar::policy;
use powar_config::mechanism::timetable::TimetableParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config, Mechanism};
use powar_golden::fast::switch::{Switch, Train};
use powar_golden::network::stream::StreamNode;
use powar_golden::network::{Ended, NetPacket, Network, NetworkParameters, NodeModel, Observer};
use powar_golden::reference::network_interface::NetworkInterface;

/// Trees, tori, meshes, groups, boards and a graph, of 3 to 12 ports; of most the last bundle has fewer switches than the others, or has them from two stages.
const NETWORKS: [&str; 13] = [
    "star-5",
    "2-ary-3-tree",
    "4-ary-2-tree",
    "k2-n3",
    "k4-n2",
    "torus-4x3-trunk2",
    "torus-5",
    "torus-3x3x2",
    "torus-5x7",
    "mesh-3x4-nodes2",
    "dragonfly-p2a2h1",
    "boards-3x2",
    "file:tests/networks/ring.edges",
];

/// Every train in the order in which it is told of.
#[derive(Default)]
struct Log(Vec<(u64, u32, Train<NetPacket>)>);

impl Observer for Log {
    fn train(&mut self, now: u64, switch: u32, train: &Train<NetPacket>) {
        self.0.push((now, switch, *train));
    }
}

/// All that can be seen of a run.
struct Run {
    log: Log,
    end: String,
    /// Switches as they are stepped.
    bundles: usize,
}

fn run<N: NodeModel>(mut network: Network<Switch<NetPacket>, N>, script: &Script) -> Run {
    network.measure(300..1200);
    network.measure_details(true, false);
    let (mut script, mut log) = (script.clone(), Log::default());
    // In pieces, since a run can be continued anywhere.
    while network.run(&mut script, network.now() + 777, &mut log).unwrap() == Ended::Time {}
    let mut counts = network.counts();
    // What the simulation worked on is another thing.
    counts.switch_steps = 0;
    let credits = (0..network.nodes()).map(|node| network.node_credits(node, 0, 0)).collect::<Vec<_>>();
    let seen = (network.now(), counts, network.measurement().clone(), credits);
    let end = format!("{seen:?} {:?} {:?} {:?}", network.port_counts(), network.waited(), script.told);
    Run { log, end, bundles: network.switches().len() }
}

/// What is different first, if anything is.
fn difference(bundled: &Run, alone: &Run) -> Option<String> {
    let (left, right) = (&bundled.log.0, &alone.log.0);
    let place = (0..left.len().max(right.len())).find(|&i| left.get(i) != right.get(i));
    let counters = || (bundled.end != alone.end).then(|| "counters, latencies or what nodes were told".into());
    place.map(|i| format!("{:?} in place of {:?}", left.get(i), right.get(i))).or_else(counters)
}

/// A network in which much happens, with some routing and a mechanism whose switches may be bundled.
fn draw(name: &str, number: usize, seed: u64) -> NetworkParameters {
    let policies = policy::ALL.len();
    let mut parameters = restless(name, policy::ALL[number % policies].name, seed);
    let mut rng = Rng::with_seed(seed);
    if number == policies {
        let time = |rng: &mut Rng| Nanoseconds(rng.u32(20..200).into());
        let times = TimetableParameters { on_time: time(&mut rng), off_time: time(&mut rng), ..Default::default() };
        parameters.config.mechanism = Chosen(Box::new(times));
    }
    support::draw_routing(&mut parameters.config, &mut rng);
    parameters
}

#[test]
fn switches_in_bundles_do_what_each_does_by_itself() {
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let (mut trains, mut bundled) = (0, 0);
    for (i, name) in (0..).zip(NETWORKS) {
        for j in 0..=policy::ALL.len() {
            let seed = base * 1000 + i * 10 + j as u64;
            let parameters = draw(name, j, seed);
            let wiring = parameters.wiring().unwrap();
            let load = [0.02, 0.2, 0.6, 1.5][(i as usize + j) % 4];
            let script = Script::random(seed, wiring.nodes.len() as u32, 2_000, load);
            let alone = run(Network::with_switches(&parameters, |_, switch| Ok(switch)).unwrap(), &script);
            assert_eq!(alone.bundles, wiring.places.len());
            for threads in [1, 3] {
                let together = run(Network::new(&parameters).unwrap().on_threads(threads).unwrap(), &script);
                if let Some(difference) = difference(&together, &alone) {
                    let (mechanism, routing) = (parameters.config.mechanism(), parameters.config.routing().unwrap());
                    panic!(
                        "{name}, {}, routing {}, load {load}, {threads} threads: {difference}; again with \
                         POWAR_SEED={base} cargo test -p powar-golden --test all whole_network::bundles",
                        mechanism.name, routing.name
                    );
                }
                bundled += usize::from(together.bundles < alone.bundles);
            }
            trains += alone.log.0.len();
        }
    }
    assert!(trains > 50_000, "{trains}");
    // All but the one that is a switch.
    assert_eq!(bundled, 2 * (NETWORKS.len() - 1) * (1 + policy::ALL.len()));
}

/// Nodes with network interfaces, too.
#[test]
fn nodes_with_interfaces_notice_nothing() {
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    for (i, name) in (0..).zip(["4-ary-2-tree", "torus-5", "torus-3x3x2"]) {
        let seed = base * 1000 + i;
        let mut parameters = restless(name, "powar", seed);
        parameters.packet_flits = parameters.packet_flits.max(2);
        let nodes = parameters.wiring().unwrap().nodes.len() as u32;
        let script = Script::random(seed, nodes, 1_500, 0.3);
        let interface = |_, _| Ok(NetworkInterface::new(&parameters.config));
        let alone: Network<_, StreamNode> =
            Network::with_streams(&parameters, |_, switch| Ok(switch), interface).unwrap();
        let (together, alone) = (run(Network::with_interfaces(&parameters).unwrap(), &script), run(alone, &script));
        assert!(together.bundles < alone.bundles && alone.log.0.len() > 1_000);
        let difference = difference(&together, &alone);
        assert_eq!(difference, None, "{name}, POWAR_SEED={base}");
    }
}

/// As many as have their ports in 64, and as equal in size as they can be; one where a mechanism sees more than its ports.
#[test]
fn bundles_are_as_large_as_they_may_be() {
    let bundles = |name: &str, mechanism: &str| {
        let mut config = Config::of_network(name).unwrap();
        config.mechanism = Chosen(Mechanism::by_name(mechanism).unwrap().defaults());
        Network::new(&NetworkParameters::new(config)).unwrap().switches().len()
    };
    // 16 switches of 16 ports; 64 of 7; 512 of 7; one of 16.
    for mechanism in ["powar", "timetable"] {
        let names = ["8-ary-2-tree", "torus-4x4x4", "torus-8x8x8", "star-16"];
        assert_eq!(names.map(|name| bundles(name, mechanism)), [4, 8, 57, 1], "{mechanism}");
    }
    assert_eq!((bundles("8-ary-2-tree", "alonso"), bundles("mesh-4x4", "soteriou_peh")), (16, 16));
}
