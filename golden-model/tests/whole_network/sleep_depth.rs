//! Networks with two depths of sleep: against the plain network, against POWAR, and how long a packet waits for a port in either.

use crate::support::{TestedMechanism, depths};
use crate::whole_network::equality::{Pair, restless};
use crate::whole_network::workloads::{Script, Told};
use powar_config::mechanism::Chosen;
use powar_config::mechanism::depths::DepthsParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Config, PowarParameters};
use powar_golden::network::{Network, NetworkParameters};
use powar_golden::port_counts::PortCounts;

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let names = ["star-5", "2-ary-3-tree", "4-ary-2-tree", "torus-4x3-trunk2", "mesh-3x4-nodes2", "dragonfly-p2a2h1"];
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (i, name) in (0..).zip(names) {
        for (j, policy) in (0..).zip(["powar", "first-on", "round-robin"]) {
            let seed = base * 1000 + i * 10 + j;
            let mut parameters = restless(name, policy, seed);
            depths::take_over(&mut parameters.config, &mut fastrand::Rng::with_seed(seed));
            let load = [0.02, 0.1, 0.3, 1.0][(i + j) as usize % 4];
            let what = format!("{name}, load {load} (POWAR_SEED={base}), {parameters:?}");
            let pair = Pair::of(&parameters, TestedMechanism::Configured, seed);
            flits += pair.same_under_both(&what, (2_000, load), (10, seed % 300));
        }
    }
    assert!(flits > 50_000, "{flits}");
}

fn cycles(count: u32) -> Nanoseconds {
    Nanoseconds(f64::from(count) * Config::of_network("2-ary-2-tree").unwrap().cycle_ns)
}

/// Ports that sleep after 20 idle cycles, take 30 to fall asleep and 40 to wake.
fn hasty() -> PowarParameters {
    PowarParameters { pdt: cycles(20), t_sleep: cycles(30), t_wake: cycles(40), ..PowarParameters::default() }
}

fn two_depths(deep_after: u32, t_wake_deep: u32) -> Chosen {
    let (deep_after, t_wake_deep) = (cycles(deep_after), cycles(t_wake_deep));
    Chosen(Box::new(DepthsParameters { powar: hasty(), deep_after, t_wake_deep, ..DepthsParameters::default() }))
}

fn network(topology: &str, mechanism: Chosen) -> Network {
    let config = Config { mechanism, ..Config::of_network(topology).unwrap() };
    config.check().unwrap();
    Network::new(&NetworkParameters::new(config)).unwrap()
}

/// What a network has told by the end of a script, and what its ports have counted.
fn run(topology: &str, mechanism: Chosen) -> (Told, u64, Vec<PortCounts>) {
    let mut network = network(topology, mechanism);
    let mut script = Script::random(5, network.nodes() as u32, 20_000, 0.1);
    network.run(&mut script, u64::MAX, &mut ()).unwrap();
    let counts = network.port_counts().into_iter().flatten().collect();
    (script.told, network.now(), counts)
}

/// The single mode is POWAR's: without a second threshold, and with a deep wake-up that is no longer than the light one.
#[test]
fn a_single_mode_behaves_as_powar_does() {
    for topology in ["4-ary-2-tree", "torus-3x3"] {
        let (told, now, powar) = run(topology, Chosen(Box::new(hasty())));
        assert!(powar.iter().map(|port| port.wake_ups).sum::<u64>() > 100);
        for (deep_after, t_wake_deep, goes_deep) in [(0, 100, false), (50, 40, true)] {
            let (of_depths, end, counts) = run(topology, two_depths(deep_after, t_wake_deep));
            assert_eq!((&told, now), (&of_depths, end), "{topology}, {deep_after}");
            assert_eq!(counts.iter().any(|port| port.cycles[5] > 0), goes_deep, "{topology}");
            for (port, plain) in counts.into_iter().zip(&powar) {
                let mut cycles = port.cycles;
                cycles[2] += cycles.pop().unwrap();
                assert_eq!(PortCounts { cycles, ..port }, *plain, "{topology}, {deep_after}");
            }
        }
    }
}

/// A message over ports that have slept for long waits for a deep wake-up at each of them, and one soon after they fell asleep for a light one.
#[test]
fn a_message_waits_for_what_its_ports_have_slept() {
    let arrival = |mechanism: Chosen| {
        let mut network = network("2-ary-2-tree", mechanism);
        // Between nodes of different leaves: up, across a root and down, three ports.
        let mut script = Script::new(&[(1000, 0, 3, 8)]);
        network.run(&mut script, u64::MAX, &mut ()).unwrap();
        script.told.delivered[0].0
    };
    let [powar, light, deep] = [Chosen(Box::new(hasty())), two_depths(5000, 90), two_depths(500, 90)].map(arrival);
    assert_eq!(light, powar);
    assert_eq!(deep, powar + 3 * (90 - 40));
}
