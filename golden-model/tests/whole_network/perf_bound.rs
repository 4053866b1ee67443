//! Networks whose ports choose their thresholds: against the plain network, and what the bound that is aimed at comes
//! to.

use crate::support::{TestedMechanism, perf_bound};
use crate::whole_network::equality::{Pair, restless};
use crate::whole_network::workloads::Script;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::perf_bound::PerfBoundParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Config, PowarParameters};
use powar_golden::network::{Network, NetworkParameters};

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let names = ["star-5", "2-ary-3-tree", "4-ary-2-tree", "torus-4x3-trunk2", "mesh-3x4-nodes2", "dragonfly-p2a2h1"];
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (i, name) in (0..).zip(names) {
        for (j, policy) in (0..).zip(["powar", "first-on", "round-robin"]) {
            let seed = base * 1000 + i * 10 + j;
            let mut parameters = restless(name, policy, seed);
            perf_bound::take_over(&mut parameters.config, &mut fastrand::Rng::with_seed(seed));
            let load = [0.02, 0.1, 0.3, 1.0][(i + j) as usize % 4];
            let what = format!("{name}, load {load} (POWAR_SEED={base}), {parameters:?}");
            let pair = Pair::of(&parameters, TestedMechanism::Configured, seed);
            flits += pair.same_under_both(&what, (2_000, load), (10, seed % 300));
        }
    }
    assert!(flits > 50_000, "{flits}");
}

/// Cycles of a window.
const PERIOD: u64 = 2_000;

/// Ports that take 30 cycles to fall asleep and 40 to wake, and may do so once a window.
fn once_a_window() -> Chosen {
    let cycle_ns = Config::of_network("2-ary-2-tree").unwrap().cycle_ns;
    let cycles = |count: u32| Nanoseconds(f64::from(count) * cycle_ns);
    let (pdt, t_sleep, t_wake) = (cycles(0), cycles(30), cycles(40));
    let powar = PowarParameters { pdt, t_sleep, t_wake, ..PowarParameters::default() };
    let (bound, period) = (0.04, cycles(PERIOD as u32));
    Chosen(Box::new(PerfBoundParameters { powar, bound, period, ..PerfBoundParameters::default() }))
}

/// The most wake-ups of a port in each window of a run, of a message every so many cycles over three ports, first the
/// one and from half the run on the other.
fn most_wake_ups(gaps: [u64; 2], windows: u64) -> Vec<u64> {
    let config = Config { mechanism: once_a_window(), ..Config::of_network("2-ary-2-tree").unwrap() };
    config.check().unwrap();
    let mut network = Network::new(&NetworkParameters::new(config)).unwrap();
    let half = windows * PERIOD / 2;
    let times = (0..half).step_by(gaps[0] as usize).chain((half..2 * half).step_by(gaps[1] as usize));
    let messages: Vec<(u64, u32, u32, u64)> = times.map(|time| (time, 0, 3, 8)).collect();
    let mut script = Script::new(&messages);
    let mut before = vec![];
    let window = |window: u64| {
        network.run(&mut script, (window + 1) * PERIOD, &mut ()).unwrap();
        let counts: Vec<u64> = network.port_counts().into_iter().flatten().map(|port| port.wake_ups).collect();
        before.resize(counts.len(), 0);
        let most = counts.iter().zip(&before).map(|(now, before)| now - before).max().unwrap();
        before = counts;
        most
    };
    (0..windows).map(window).collect()
}

/// The bound holds of traffic that stays as it is, and of the window in which it changes nothing holds: more messages
/// wait for a port than ever may.
#[test]
fn what_is_aimed_at_is_reached_if_traffic_stays_as_it_is() {
    for gap in [100, 200, 500] {
        let wake_ups = most_wake_ups([gap, gap], 12);
        // The first port sleeps before the first message, as nobody has used it yet.
        assert!(wake_ups[2..].iter().all(|&most| most <= 1), "{gap}: {wake_ups:?}");
    }
    let wake_ups = most_wake_ups([100, 400], 12);
    assert!(wake_ups[2..6].iter().chain(&wake_ups[8..]).all(|&most| most <= 1), "{wake_ups:?}");
    assert!(wake_ups[6..8].iter().any(|&most| most >= 3), "{wake_ups:?}");
}
