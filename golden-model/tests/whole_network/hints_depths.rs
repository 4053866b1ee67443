//! Networks with hints, budgets and two depths of sleep: against the plain network, against Wake hints and Depths, the
//! promise, and how long a packet waits for ports that sleep deeply.

use crate::support::{TestedMechanism, hints_depths, wake_hints};
use crate::whole_network::equality::{Pair, restless};
use crate::whole_network::wait_budget::{hasty, keeps_the_promise, network};
use crate::whole_network::workloads::{Script, Told};
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::depths::DepthsParameters;
use powar_config::mechanism::hints_depths::{HintsDepthsParameters, HintsDepthsValues};
use powar_config::units::Nanoseconds;
use powar_golden::network::NetworkParameters;
use powar_golden::port_counts::PortCounts;

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let names =
        ["star-5", "2-ary-3-tree", "4-ary-2-tree", "k4-n2", "torus-4x3-trunk2", "torus-3x3x2", "mesh-3x4-nodes2"];
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (i, name) in (0..).zip(names) {
        for j in 0..4 {
            let seed = base * 1000 + i * 10 + j;
            let (mut parameters, mut rng) = (restless(name, "powar", seed), fastrand::Rng::with_seed(seed));
            wake_hints::draw_routing(&mut parameters.config, &mut rng);
            wake_hints::take_over(&mut parameters.config, &mut rng);
            hints_depths::take_over(&mut parameters.config, &mut rng);
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

/// Ports that sleep after 20 idle cycles, take 30 to fall asleep and 40 to wake, or 100 once they have slept for 50 with
/// a budget for it.
fn parameters(bound: f64, cap: f64) -> HintsDepthsParameters {
    let (deep_after, t_wake_deep) = (cycles(50), cycles(100));
    let mut parameters = HintsDepthsParameters { deep_after, t_wake_deep, ..HintsDepthsParameters::default() };
    let ahead = &mut parameters.hints.ahead;
    (ahead.powar, ahead.bound, ahead.cap) = (hasty(), bound, cap);
    parameters
}

/// The same without budget and hints.
fn depths(of: &HintsDepthsParameters) -> Chosen {
    let &HintsDepthsParameters { deep_after, t_wake_deep, .. } = of;
    Chosen(Box::new(DepthsParameters { powar: hasty(), deep_after, t_wake_deep, ..DepthsParameters::default() }))
}

/// What a network has told by the end of a script, and what its ports have counted.
fn run(topology: &str, mechanism: Chosen) -> (Told, u64, Vec<PortCounts>) {
    let (_, mut network) = network(topology, mechanism);
    let mut script = Script::random(5, network.nodes() as u32, 20_000, 0.1);
    network.run(&mut script, u64::MAX, &mut ()).unwrap();
    let counts = network.port_counts().into_iter().flatten().collect();
    (script.told, network.now(), counts)
}

#[test]
fn without_a_second_threshold_a_network_behaves_as_with_wake_hints() {
    for topology in ["4-ary-2-tree", "torus-3x3"] {
        let single = HintsDepthsParameters { deep_after: cycles(0), ..parameters(0.05, 4.0) };
        let (of_hints, end, plain) = run(topology, Chosen(Box::new(single.hints.clone())));
        let (told, now, counts) = run(topology, Chosen(Box::new(single)));
        assert_eq!((&told, now), (&of_hints, end), "{topology}");
        for (port, plain) in counts.into_iter().zip(&plain) {
            let mut cycles = port.cycles;
            assert_eq!(cycles.pop(), Some(0), "{topology}");
            assert_eq!(PortCounts { cycles, ..port }, *plain, "{topology}");
        }
        assert!(plain.iter().map(|port| port.wake_ups).sum::<u64>() > 100);
    }
}

#[test]
fn without_hints_and_with_all_that_a_port_may_lose_a_network_behaves_as_with_depths() {
    for topology in ["4-ary-2-tree", "torus-3x3"] {
        let mut parameters = parameters(1.0, 1000.0);
        parameters.hints.hints = false;
        let plain = run(topology, depths(&parameters));
        assert!(plain.2.iter().any(|port| port.cycles[5] > 0), "{topology}: some go deep");
        assert!(run(topology, Chosen(Box::new(parameters))) == plain, "{topology}");
        assert!(plain.2.iter().map(|port| port.wake_ups).sum::<u64>() > 100);
    }
}

/// In any window of L cycles a port makes packets wait for at most `bound` x L + `cap` cycles, deep wake-ups counted.
#[test]
fn no_window_of_any_port_loses_more_than_was_promised() {
    for (topology, bound, cap) in [("4-ary-2-tree", 0.01, 2.0), ("4-ary-2-tree", 0.05, 3.0), ("torus-3x3", 0.02, 2.0)] {
        let parameters = parameters(bound, cap);
        let (plain, budgeted) = (depths(&parameters), Chosen(Box::new(parameters)));
        let mut network =
            keeps_the_promise(topology, budgeted, |config| HintsDepthsValues::of(config).hints.ahead, plain);
        let counts: Vec<PortCounts> = network.port_counts().into_iter().flatten().collect();
        let [light, deep] = [2, 5].map(|pair| counts.iter().map(|port| port.cycles[pair]).sum::<u64>());
        assert!(light > 0 && deep > 0, "{topology}: {light} light, {deep} deep");
    }
}

/// In a network that sleeps deeply a packet waits for about one deep wake-up, whatever its way.
#[test]
fn a_packet_waits_for_the_deep_ports_of_its_way_together() {
    for (name, to, switches) in [("8-ary-2-tree", 63, 3), ("torus-4x4x4", 42, 7)] {
        let waited = |hints: bool| {
            let mut parameters = HintsDepthsParameters { deep_after: "20us".parse().unwrap(), ..Default::default() };
            parameters.hints.hints = hints;
            parameters.hints.ahead.powar.pdt = "1us".parse().unwrap();
            let (config, mut network) = network(name, Chosen(Box::new(parameters)));
            assert_eq!(network.wiring().hops_from(0)[to as usize], switches);
            let mut script = Script::new(&[(100_000, 0, to, 8)]);
            network.run(&mut script, u64::MAX, &mut ()).unwrap();
            let latency = script.told.delivered[0].0 - 100_000;
            latency - NetworkParameters::new(config).zero_load_latency(switches.into(), 8)
        };
        // 6.22 us.
        let (wake, [without, with]) = (3888, [false, true].map(waited));
        println!("{name}: {with} cycles with hints, {without} without");
        assert_eq!(without, u64::from(switches) * (wake + 1), "{name}");
        assert!((wake..wake + 20 * (u64::from(switches) + 1)).contains(&with), "{name}: {with}");
    }
}
