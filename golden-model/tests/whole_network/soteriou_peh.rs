//! Networks with Soteriou and Peh's mechanism: against the plain network, and what must hold in every cycle.

use crate::support::TestedMechanism;
use crate::whole_network::equality::Pair;
use crate::whole_network::workloads::{Relay, Script, Told};
use powar_config::mechanism::soteriou_peh::SoteriouPehParameters;
use powar_config::topology::connectivity::{ALTERNATING, Connectivity, STAIRCASE};
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config, Phase, Routing};
use powar_golden::bits::ones;
use powar_golden::network::{Ended, Network, NetworkParameters};

/// So many cycles of 1.6 ns.
fn cycles(cycles: u64) -> Nanoseconds {
    Nanoseconds(cycles as f64 * 1.6)
}

/// A network by its name with a policy and a routing, windows of 100 cycles, transitions of 20 and idle times of 30.
fn network(name: &str, policy: &str, routing: Option<&str>) -> NetworkParameters {
    let mut config = Config::of_network(name).unwrap();
    if let Some(routing) = routing {
        let routing = Routing::by_name(routing).unwrap();
        (config.routing, config.deterministic) = (Some(routing), routing.deterministic);
    }
    let mut parameters = SoteriouPehParameters { policy: policy.into(), ..SoteriouPehParameters::default() };
    (parameters.window, parameters.t_trans, parameters.idle) = (cycles(100), cycles(20), cycles(30));
    config.mechanism = Chosen(Box::new(parameters));
    config.check_switch().unwrap();
    let mut parameters = NetworkParameters::new(config);
    (parameters.link_delay, parameters.node_link_delay) = (5, 3);
    parameters
}

/// Each policy with a routing that goes round links that are off, and with those that do not.
const CASES: [(&str, &str, Option<&str>); 10] = [
    ("mesh-4x4", "on-off-staircase", Some("staircase-escape")),
    ("mesh-4x4", "on-off-staircase", None),
    ("mesh-5x4", "on-off-alternating", Some("alternating-escape")),
    ("mesh-5x4", "on-off-alternating", Some("west-last-east-last")),
    ("torus-4x4", "on-off-alternating", None),
    ("mesh-4x4", "on-off-on-demand", None),
    ("mesh-4x4", "on-off-on-demand", Some("staircase-escape")),
    ("mesh-4x4", "on-off-on-demand", Some("west-last-east-last")),
    ("torus-4x3-nodes2", "on-off-on-demand", None),
    ("4-ary-2-tree", "on-off-on-demand", None),
];

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let mut flits = 0;
    for (i, (name, policy, routing)) in (0..).zip(CASES) {
        let parameters = network(name, policy, routing);
        let nodes = parameters.wiring().unwrap().nodes.len() as u32;
        for (seed, load) in [(i, 0.02), (100 + i, 0.3)] {
            let what = format!("{name}, {policy}, {routing:?}, load {load}");
            let pair = Pair::of(&parameters, TestedMechanism::Configured, seed);
            let of_script = pair.compare(&Script::random(seed, nodes, 1_500, load), |script| script.told.clone());
            flits += of_script.unwrap_or_else(|difference| panic!("{what}: {difference}"));
        }
        // Long silences, in which all that may go off does.
        let relay = Relay { nodes, left: 3, gap: 900 + 37 * i, next: 0, told: Told::default() };
        let of_relay =
            Pair::of(&parameters, TestedMechanism::Configured, i).compare(&relay, |relay| relay.told.clone());
        flits += of_relay.unwrap_or_else(|difference| panic!("{name}, {policy}, relay: {difference}"));
    }
    assert!(flits > 20_000, "{flits}");
}

/// By switch, the ports that a policy may let off at some time.
fn may_be_off(config: &Config, policy: &str, switches: usize) -> Vec<u64> {
    let of_graph = |graph: &Connectivity| graph.candidates_of(&**config.topology.as_ref().unwrap()).unwrap();
    match policy {
        "on-off-staircase" => of_graph(&STAIRCASE),
        "on-off-alternating" => of_graph(&ALTERNATING),
        _ => vec![u64::MAX; switches],
    }
}

/// Ever-on links never leave `On`, flits are on links only that say that they send, and all that is sent arrives, whatever the routing;
/// under little load links are off for a part of the time.
#[test]
fn links_go_off_flits_find_them_on_and_every_packet_arrives() {
    for (i, (name, policy, routing)) in (0..).zip(CASES) {
        let parameters = network(name, policy, routing);
        let mut network = Network::new(&parameters).unwrap();
        let (nodes, switches) = (network.nodes() as u32, network.switches().len());
        let may_be_off = may_be_off(&parameters.config, policy, switches);
        let mut script = Script::random(i, nodes, 2_000, 0.6);
        for (at, messages) in Script::random(50 + i, nodes, 6_000, 0.01).messages {
            let messages = messages.into_iter().map(|mut message| {
                message.number += 1_000_000;
                message
            });
            script.messages.entry(3_000 + at).or_default().extend(messages);
        }
        let what = format!("{name}, {policy}, {routing:?}");
        let (mut off, mut seen_off) = (0u64, vec![0u64; switches]);
        loop {
            let next = network.now() + 1;
            if network.run(&mut script, next, &mut ()).unwrap() == Ended::Over {
                break;
            }
            for (switch, golden) in network.switches().iter().enumerate() {
                for port in 0..parameters.config.ports {
                    let phase = golden.phase(port);
                    let is_ever_on = may_be_off[switch] >> port & 1 == 0;
                    assert!(!is_ever_on || phase == Phase::On, "{what}: port {port} of switch {switch} is {phase:?}");
                    off += u64::from(phase == Phase::Off);
                    seen_off[switch] |= u64::from(phase == Phase::Off) << port;
                }
                for port in ones(golden.on_links(network.now())) {
                    let phase = Phase::by_code(golden.outputs().sideband.phase.get(port));
                    assert!(phase.is_some_and(Phase::sends), "{what}: a flit on a link in {phase:?}");
                }
            }
        }
        let counts = network.counts();
        assert_eq!(counts.messages_given, counts.messages_delivered, "{what}");
        for switch in network.switches() {
            assert!((0..parameters.config.ports).all(|port| switch.errors(port) == [0; 5]), "{what}");
        }
        let share = off as f64 / (network.now() * switches as u64 * parameters.config.ports as u64) as f64;
        println!("{what}: ports are off for {:.1} % of {} cycles", 100.0 * share, network.now());
        assert!(share > 0.1, "{what}: ports are off for {share} of the time");
        let wiring = network.wiring();
        // The idle times of the last links that are on are too long for that.
        if policy != "on-off-on-demand" {
            let may = (0..switches).map(|switch| may_be_off[switch] & wiring.connected(switch) & 0b1111);
            assert!(may.eq(seen_off.iter().copied()), "{what}: some link never went off");
        }
    }
}

/// Nothing happens in a network that has come to rest, and that is all that it costs.
#[test]
fn a_silent_network_costs_nothing() {
    for (name, policy, routing) in CASES {
        let parameters = network(name, policy, routing);
        let mut network = Network::new(&parameters).unwrap();
        let nodes = network.nodes() as u32;
        let mut relay = Relay { nodes, left: 3, gap: 1_000_000_000, next: 0, told: Told::default() };
        let begun = std::time::Instant::now();
        while network.run(&mut relay, u64::MAX, &mut ()).unwrap() != Ended::Over {}
        assert!(network.now() > 2_000_000_000, "{name}, {policy}");
        assert!(begun.elapsed().as_secs_f64() < 5.0, "{name}, {policy}: {:?}", begun.elapsed());
    }
}
