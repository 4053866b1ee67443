//! The event-driven network against the plain one: every flit on every link, every delivery, all statistics.

use crate::plain::{Plain, Seen};
use crate::workloads::{Relay, Script, Told};
use powar_config::{Config, Workload, policy};
use powar_golden::network::{Ended, NetFlit, Network, NetworkParameters, Observer};
use powar_golden::switch::LinkFlit;

struct Log(Vec<Seen>);

impl Observer for Log {
    fn flit(&mut self, now: u64, switch: u32, flit: &LinkFlit<NetFlit>) {
        self.0.push((now, switch, flit.port, flit.vc, flit.head, flit.payload.header));
    }
}

/// Runs both and compares; the number of flits that were seen on links.
fn compare<W: Workload + Clone>(
    parameters: &NetworkParameters,
    workload: &W,
    told: impl Fn(&W) -> Told,
    what: &str,
) -> usize {
    let mut log = Log(vec![]);
    let mut fast = Network::new(parameters).unwrap();
    let mut of_fast = workload.clone();
    // In pieces, since a run can be continued anywhere.
    let mut until = 777;
    while fast.run(&mut of_fast, until, &mut log).unwrap_or_else(|error| panic!("{what}: {error:#}")) == Ended::Time {
        until += 777;
    }
    let mut plain = Plain::new(parameters);
    let mut of_plain = workload.clone();
    while plain.now < fast.now() {
        plain.cycle(&mut of_plain);
    }
    let (mut of_fast, mut of_plain) = (told(&of_fast), told(&of_plain));
    for told in [&mut of_fast, &mut of_plain] {
        // In a cycle nodes may come in any order.
        told.sent.sort();
        told.delivered.sort();
    }
    assert_eq!(of_fast, of_plain, "{what}");
    let cut = |mut seen: Vec<Seen>| {
        seen.retain(|flit| flit.0 < plain.now);
        seen.sort();
        seen
    };
    let (fast_seen, plain_seen) = (cut(log.0), cut(plain.seen.clone()));
    if let Some(place) = (0..fast_seen.len().max(plain_seen.len())).find(|&i| fast_seen.get(i) != plain_seen.get(i)) {
        panic!("{what}: {:?} against plain {:?}", fast_seen.get(place), plain_seen.get(place));
    }
    assert_eq!(fast.port_statistics(), plain.statistics(), "{what}");
    let counts = fast.counts();
    assert_eq!(counts.flits_sent, counts.flits_delivered);
    assert_eq!(counts.messages_given, counts.messages_sent);
    assert_eq!(counts.messages_given, counts.messages_delivered);
    assert_eq!(counts.messages_given as usize, of_fast.delivered.len());
    fast_seen.len()
}

/// Timing so short that ports sleep and wake all the time.
fn restless(name: &str, policy: &str, seed: u64) -> NetworkParameters {
    let mut config = Config::of_network(name).unwrap();
    let mut random = fastrand::Rng::with_seed(seed);
    let ns = |cycles: u64| format!("{}ns", cycles as f64 * 1.6).parse().unwrap();
    config.policy = policy.into();
    config.pdt = ns(random.u64(0..40));
    config.t_sleep = ns(random.u64(1..30));
    config.t_wake = ns(random.u64(1..50));
    config.check_period = ns(random.u64(20..300));
    config.abort_sleep = random.bool();
    config.switch.buffer_flits = config.switch.vcs * [18, 24, 64][random.usize(0..3)];
    let mut parameters = NetworkParameters::new(config);
    parameters.link_delay = random.u64(0..30);
    parameters.node_link_delay = random.u64(0..30);
    parameters.packet_flits = random.u16(1..=16);
    parameters
}

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let names =
        ["star-5", "2-ary-3-tree", "4-ary-2-tree", "k2-n3", "k4-n2", "torus-4x3-trunk2", "torus-5", "torus-3x3x2"];
    let seed = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (i, name) in (0..).zip(names) {
        for (j, policy) in (0..).zip(policy::ALL) {
            let seed = seed * 1000 + i * 10 + j;
            let parameters = restless(name, policy.name, seed);
            let nodes = parameters.wiring().unwrap().nodes.len() as u32;
            let load = [0.02, 0.2, 0.5, 1.5][(i + j) as usize % 4];
            let script = Script::random(seed, nodes, 3_000, load);
            let what = format!("{name}, {}, load {load} (POWAR_SEED={})", policy.name, seed / 1000);
            flits += compare(&parameters, &script, |script| script.told.clone(), &what);
            let relay = Relay { nodes, left: 20, gap: seed % 300, next: 0, told: Told::default() };
            flits += compare(&parameters, &relay, |relay| relay.told.clone(), &what);
        }
    }
    assert!(flits > 200_000, "{flits}");
}
