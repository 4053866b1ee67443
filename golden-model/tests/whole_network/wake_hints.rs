//! Networks with the mechanism Wake hints: against the plain network, without hints, and how long a packet waits for ports that sleep.

use crate::support::{TestedMechanism, wake_hints};
use crate::whole_network::equality::{Pair, restless};
use crate::whole_network::plain::Plain;
use crate::whole_network::workloads::{Relay, Script, Told};
use powar_config::mechanism::Chosen;
use powar_config::mechanism::wake_hints::WakeHintsParameters;
use powar_config::{Config, Parameters};
use powar_golden::network::{Ended, Network, NetworkParameters};

/// Timing so short that ports sleep and wake all the time, with hints.
fn hinting(name: &str, seed: u64) -> NetworkParameters {
    let mut parameters = restless(name, "powar", seed);
    let mut rng = fastrand::Rng::with_seed(seed);
    wake_hints::draw_routing(&mut parameters.config, &mut rng);
    wake_hints::take_over(&mut parameters.config, &mut rng);
    parameters
}

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let names = [
        "star-5",
        "2-ary-3-tree",
        "4-ary-2-tree",
        "k4-n2",
        "torus-4x3-trunk2",
        "torus-3x3x2",
        "mesh-3x4-nodes2",
        "dragonfly-p2a3h1",
        "file:tests/networks/ring.edges",
        "file:../experiments/networks/random-40.edges",
    ];
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (i, name) in (0..).zip(names) {
        for j in 0..4 {
            let seed = base * 1000 + i * 10 + j;
            let parameters = hinting(name, seed);
            let load = [0.02, 0.1, 0.3, 1.0][(i + j) as usize % 4];
            let what = format!("{name}, load {load} (POWAR_SEED={base}), {parameters:?}");
            let pair = Pair::of(&parameters, TestedMechanism::Configured, seed);
            flits += pair.same_under_both(&what, (2_000, load), (10, seed % 300));
        }
    }
    assert!(flits > 50_000, "{flits}");
}

/// A network as users have it, whose ports sleep after 1 us.
fn network(name: &str, mechanism: Chosen) -> (NetworkParameters, Network) {
    let config = Config { mechanism, ..Config::of_network(name).unwrap() };
    config.check().unwrap();
    let parameters = NetworkParameters::new(config);
    let network = Network::new(&parameters).unwrap();
    (parameters, network)
}

fn parameters(change: impl Fn(&mut WakeHintsParameters)) -> Chosen {
    let mut parameters = WakeHintsParameters::default();
    parameters.ahead.powar.pdt = "1us".parse().unwrap();
    change(&mut parameters);
    Chosen(Box::new(parameters))
}

/// What that comparison is worth: a network in which words come a cycle late, or none do, is told apart.
#[test]
fn words_that_come_late_are_told_apart() {
    let config = Config { mechanism: parameters(|_| ()), ..Config::of_network("4-ary-2-tree").unwrap() };
    let parameters = NetworkParameters { link_delay: 5, node_link_delay: 3, ..NetworkParameters::new(config) };
    let relay = Relay { nodes: 16, left: 6, gap: 9_000, next: 0, told: Told::default() };
    let run = |spoil: &dyn Fn(&mut Plain)| {
        let pair = Pair { spoil, ..Pair::of(&parameters, TestedMechanism::Configured, 7) };
        pair.compare(&relay, |relay| relay.told.clone())
    };
    assert!(run(&|_| ()).is_ok());
    assert!(run(&|plain| plain.words.iter_mut().flatten().for_each(|words| words.late = 1)).is_err());
    assert!(run(&|plain| plain.words = None).is_err());
}

/// In a network that sleeps a packet waits once, whatever its way, and not at each switch.
#[test]
fn a_packet_waits_for_the_ports_of_its_way_together() {
    let random = "file:../experiments/networks/random-40.edges";
    for (name, to, switches) in [("8-ary-2-tree", 63, 3), ("torus-4x4x4", 42, 7), (random, 119, 5)] {
        let waited = |mechanism: Chosen| {
            let (parameters, mut network) = network(name, mechanism);
            assert_eq!(network.wiring().hops_from(0)[to as usize], switches);
            let mut script = Script::new(&[(100_000, 0, to, 8)]);
            network.run(&mut script, u64::MAX, &mut ()).unwrap();
            let latency = script.told.delivered[0].0 - 100_000;
            (latency - parameters.zero_load_latency(switches.into(), 8), network.events())
        };
        let wake = 2600;
        let (without, events) = waited(parameters(|it| it.hints = false));
        assert_eq!(without, u64::from(switches) * (wake + 1), "{name}");
        assert_eq!(events, ["hints_dropped", "hints_woke", "hints_unused", "node_hints_dropped"].map(|name| (name, 0)));
        let (with, events) = waited(parameters(|_| ()));
        println!("{name}: {with} cycles with hints, {without} without");
        // A hint takes 49 cycles from one switch to the next, a packet 31, and the first port is woken by the packet.
        assert!((wake..wake + 20 * (u64::from(switches) + 1)).contains(&with), "{name}: {with}");
        assert_eq!(events[..2], [("hints_dropped", 0), ("hints_woke", u64::from(switches) - 1)], "{name}");
        // Over links that sleep no hint gets anywhere.
        let (without_sideband, events) = waited(parameters(|it| it.sideband = false));
        assert_eq!(without_sideband, without, "{name}");
        assert_eq!(events[..2], [("hints_dropped", 1), ("hints_woke", 0)], "{name}");
    }
}

#[test]
fn without_hints_a_network_behaves_as_with_ahead() {
    for topology in ["4-ary-2-tree", "torus-3x3"] {
        let without = || {
            let mut parameters = WakeHintsParameters { hints: false, ..WakeHintsParameters::default() };
            parameters.ahead.powar.pdt = "100ns".parse().unwrap();
            parameters.ahead.bound = 0.05;
            parameters
        };
        let ahead = without().ahead;
        assert_eq!((ahead.policy(), without().policy()), ("powar-budget", "powar-hints"));
        let (_, mut hinting) = network(topology, Chosen(Box::new(without())));
        let (_, mut plain) = network(topology, Chosen(Box::new(ahead)));
        let [mut first, mut second] = [0; 2].map(|_| Script::random(5, plain.nodes() as u32, 60_000, 0.02));
        hinting.run(&mut first, u64::MAX, &mut ()).unwrap();
        plain.run(&mut second, u64::MAX, &mut ()).unwrap();
        assert_eq!(first.told, second.told);
        assert_eq!((hinting.now(), hinting.port_counts()), (plain.now(), plain.port_counts()));
        assert!(plain.port_counts().iter().flatten().map(|port| port.wake_ups).sum::<u64>() > 100);
    }
}

/// Nothing happens in a network that has come to rest, and that is all that it costs.
#[test]
fn a_silent_network_costs_nothing() {
    let (_, mut network) = network("torus-4x4x4", parameters(|_| ()));
    let mut relay = Relay { nodes: 64, left: 3, gap: 200_000_000, next: 0, told: Told::default() };
    let begun = std::time::Instant::now();
    while network.run(&mut relay, u64::MAX, &mut ()).unwrap() != Ended::Over {}
    assert!(network.now() > 400_000_000);
    assert!(begun.elapsed().as_secs_f64() < 5.0, "{:?}", begun.elapsed());
}
