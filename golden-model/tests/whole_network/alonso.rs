//! Networks with Alonso's mechanism: against the plain network, and what must hold in every cycle.

use crate::support::{self, TestedMechanism, drawn};
use crate::whole_network::equality::Pair;
use crate::whole_network::workloads::Script;
use powar_config::mechanism::alonso::{AlonsoParameters, AlonsoValues};
use powar_config::topology::wiring::{End, Place, Wiring};
use powar_config::topology::{FatTree, digit_bits};
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config, Phase};
use powar_golden::bits::{low_bits, ones};
use powar_golden::network::{Ended, Network, NetworkParameters};
use powar_golden::reference::routing::{RoutingInputs, routing_unit};

/// A network by its name, with such parameters; times of the papers if they are not changed.
fn network(name: &str, change: impl FnOnce(&mut AlonsoParameters)) -> NetworkParameters {
    let mut config = Config::of_network(name).unwrap();
    let mut parameters = AlonsoParameters::default();
    change(&mut parameters);
    config.mechanism = Chosen(Box::new(parameters));
    NetworkParameters::new(config)
}

/// The mechanism's parameters.
fn alonso(parameters: &mut NetworkParameters) -> &mut AlonsoParameters {
    parameters.config.mechanism.of_mut().unwrap()
}

/// So many cycles of 1.6 ns.
fn cycles(cycles: u64) -> Nanoseconds {
    Nanoseconds(cycles as f64 * 1.6)
}

/// Timing so short that links go off and on all the time; `options` says whether there is litmus and a start with the tree.
fn restless(name: &str, policy: &str, options: u64, seed: u64) -> NetworkParameters {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut parameters = network(name, |alonso| {
        alonso.policy = policy.into();
        alonso.u_on = 0.1 + 0.6 * random.f64();
        alonso.u_off = alonso.u_on / (2.0 + 2.0 * random.f64());
        (alonso.turn_on, alonso.turn_off) = (cycles(random.u64(1..50)), cycles(random.u64(1..30)));
        alonso.check_period = cycles(random.u64(20..300));
        (alonso.litmus, alonso.start) = (options & 1 == 1, options & 2 == 2);
    });
    let switch = &mut parameters.config.switch;
    switch.buffer_flits = switch.vcs * [22, 24, 64][random.usize(0..3)];
    (parameters.link_delay, parameters.node_link_delay) = (random.u64(0..30), random.u64(0..30));
    parameters.packet_flits = random.u16(1..=16);
    parameters
}

/// Random messages: from a cycle on, for so many, at a load.
fn bursts(seed: u64, nodes: u32, bursts: &[(u64, u64, f64)]) -> Script {
    let mut script = Script::default();
    for &(begin, length, load) in bursts {
        for (at, mut messages) in Script::random(seed + begin, nodes, length, load).messages {
            messages.iter_mut().for_each(|message| message.number += 1_000_000 * begin);
            script.messages.entry(begin + at).or_default().append(&mut messages);
        }
    }
    script
}

const NAMES: [&str; 7] = [
    "2-ary-2-tree",
    "4-ary-2-tree",
    "2-ary-3-tree",
    "3-ary-3-tree",
    "2-ary-4-tree",
    "torus-4x3-trunk2",
    "torus-5-trunk3",
];

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (i, name) in (0..).zip(NAMES) {
        // Two options of each network, in turn, but in the long form.
        for options in (0..4).filter(|options| drawn(2) == 2 || (i + options / 2) % 2 == 0) {
            let policies = ["alonso-static", "alonso-dynamic", "reference"];
            for (j, policy) in (0..).zip(policies).take(if options == 0 { 3 } else { 2 }) {
                let seed = base * 1000 + i * 100 + options * 10 + j;
                let mut parameters = restless(name, policy, options, seed);
                support::draw_routing(&mut parameters.config, &mut fastrand::Rng::with_seed(seed));
                let load = [0.02, 0.2, 0.5, 1.5][(i + j + options) as usize % 4];
                let what = format!("{name}, {policy}, options {options}, load {load} (POWAR_SEED={base})");
                let pair = Pair::of(&parameters, TestedMechanism::Configured, seed);
                // Long silences, in which all but the tree goes off.
                flits += pair.same_under_both(&what, (2_000, load), (4, 500 + seed % 700));
            }
        }
    }
    assert!(flits > 100_000, "{flits}");
}

/// What the comparison is worth: a plain network with another parameter is told apart.
#[test]
fn another_parameter_is_told_apart() {
    let right = {
        let mut right = restless("4-ary-2-tree", "alonso-static", 2, 5);
        let alonso = alonso(&mut right);
        (alonso.u_on, alonso.u_off, alonso.check_period) = (0.4, 0.15, cycles(100));
        // Buffers that let a link carry more than U_on.
        (right.config.switch.buffer_flits, right.link_delay) = (4 * 64, 5);
        right
    };
    let script = bursts(7, 16, &[(0, 1_500, 0.5), (1_500, 2_000, 0.1), (3_500, 1_000, 0.25), (4_500, 1_000, 0.02)]);
    let run = |plain: &NetworkParameters| {
        let pair = Pair { plain, ..Pair::of(&right, TestedMechanism::Configured, 0) };
        pair.compare(&script, |script| script.told.clone())
    };
    assert!(run(&right).is_ok());
    type Change = fn(&mut AlonsoParameters);
    let changes: [(&str, Change); 8] = [
        ("policy", |alonso| alonso.policy = "alonso-dynamic".into()),
        ("u_on", |alonso| alonso.u_on = 0.3),
        ("u_off", |alonso| alonso.u_off = 0.2),
        ("check_period", |alonso| alonso.check_period = cycles(101)),
        ("turn_on", |alonso| alonso.turn_on.0 += 1.6),
        ("turn_off", |alonso| alonso.turn_off.0 += 1.6),
        ("litmus", |alonso| alonso.litmus = true),
        ("start", |alonso| alonso.start = false),
    ];
    for (what, change) in changes {
        let mut plain = right.clone();
        change(alonso(&mut plain));
        assert!(run(&plain).is_err(), "{what} has changed and nothing shows it");
    }
}

/// By switch, the ports of the Minimal Tree: the down-ports of its switches and the first up-port of those below the roots; in a torus
/// the first link of every trunk.
fn minimal_tree(config: &Config, wiring: &Wiring) -> Vec<u64> {
    let tree = |(switch, place): (usize, &Place)| {
        let topology = config.topology.as_ref().unwrap();
        let ports = match topology.of() {
            Some(&FatTree { k, .. }) => {
                let bits = digit_bits(k);
                let digit = |i: usize| place.position >> (i * bits) & low_bits(bits) as u16;
                if (1..=place.stage.into()).all(|i| digit(i) == 0) { low_bits(k + 1) } else { 0 }
            }
            None => topology.groups(config.ports).iter().fold(0, |ports, trunk| ports | 1 << trunk.first),
        };
        ports & wiring.connected(switch)
    };
    wiring.places.iter().enumerate().map(tree).collect()
}

/// A network, and what is looked at in it.
struct Watch {
    network: Network,
    tree: Vec<u64>,
    connected: Vec<u64>,
}

impl Watch {
    fn new(parameters: &NetworkParameters) -> Watch {
        let network = Network::new(parameters).unwrap();
        let wiring = network.wiring();
        let tree = minimal_tree(&parameters.config, wiring);
        let connected = (0..wiring.ends.len()).map(|switch| wiring.connected(switch)).collect();
        Watch { network, tree, connected }
    }

    /// By switch, the ports with a cable that are in a phase.
    fn within(&self, phase: Phase) -> Vec<u64> {
        let ports = |(switch, &connected): (usize, &u64)| {
            let golden = &self.network.switches()[switch];
            ones(connected).filter(|&port| golden.phase(port) == phase).fold(0, |ports, port| ports | 1 << port)
        };
        self.connected.iter().enumerate().map(ports).collect()
    }

    /// Links of the Minimal Tree are on, and flits are on links only that say that they send.
    fn look(&self) {
        for (switch, (on, tree)) in self.within(Phase::On).into_iter().zip(&self.tree).enumerate() {
            assert_eq!(on & tree, *tree, "cycle {}, switch {switch}: a link of the tree is off", self.network.now());
            let golden = &self.network.switches()[switch];
            for port in ones(golden.on_links(self.network.now())) {
                let phase = Phase::by_code(golden.outputs().sideband.phase.get(port));
                assert!(phase.is_some_and(Phase::sends), "a flit on a link in {phase:?}");
            }
        }
    }

    /// There is a way for a packet from every node to every other over ports that are on.
    fn look_for_ways(&self) {
        let (wiring, config) = (self.network.wiring(), &self.network.parameters().config);
        let (unit, on) = (routing_unit(config).unwrap(), self.within(Phase::On));
        for (node, &address) in wiring.addresses.iter().enumerate() {
            let ports = |switch: usize| {
                let Place { position, stage, .. } = wiring.places[switch];
                let seen = RoutingInputs { position, stage, destination: address, ..RoutingInputs::default() };
                let route = unit.route(&seen);
                (route.adaptive | route.deterministic) & on[switch]
            };
            let mut known = vec![None; wiring.ends.len()];
            for switch in wiring.nodes.iter().map(|links| links[0].0 as usize) {
                assert!(reaches(wiring, switch, node as u32, &ports, &mut known), "no way from {switch} to {node}");
            }
        }
    }

    /// Runs up to a cycle and looks at each, at the ways now and then. True if all ports with a cable were on in one of them.
    fn run(&mut self, script: &mut Script, until: u64) -> bool {
        let mut all_on = false;
        while self.network.now() < until {
            let next = self.network.now() + 1;
            if self.network.run(script, next, &mut ()).unwrap() == Ended::Over {
                break;
            }
            self.look();
            if next.is_multiple_of(50) {
                self.look_for_ways();
            }
            all_on |= self.within(Phase::On) == self.connected;
        }
        all_on
    }

    /// All but the Minimal Tree is off.
    fn is_tree(&self) -> bool {
        let rest = self.connected.iter().zip(&self.tree).map(|(connected, tree)| connected & !tree);
        self.within(Phase::On) == self.tree && self.within(Phase::Off).into_iter().eq(rest)
    }

    /// The share of all links that are on, one for each direction; the ports of nodes are.
    fn links_on(&self) -> f64 {
        let count = |vectors: &[u64]| vectors.iter().map(|vector| vector.count_ones()).sum::<u32>();
        let of_nodes: usize = self.network.wiring().nodes.iter().map(Vec::len).sum();
        let with_nodes = |ports: u32| (ports as usize + of_nodes) as f64;
        with_nodes(count(&self.within(Phase::On))) / with_nodes(count(&self.connected))
    }

    /// No flit came in over a link that was off, and all arrived.
    fn end(&self) {
        let counts = self.network.counts();
        assert_eq!(counts.messages_given, counts.messages_delivered);
        for switch in self.network.switches() {
            assert!((0..self.network.parameters().config.ports).all(|port| switch.errors(port) == [0; 5]));
        }
    }
}

/// Whether packets for a node get there from a switch over some of the ports that they may take.
fn reaches(
    wiring: &Wiring,
    switch: usize,
    node: u32,
    ports: &impl Fn(usize) -> u64,
    known: &mut [Option<bool>],
) -> bool {
    if let Some(known) = known[switch] {
        return known;
    }
    let reached = ones(ports(switch)).any(|port| match wiring.ends[switch][port] {
        End::Node { node: there, .. } => there == node,
        End::Switch { switch: other, .. } => reaches(wiring, other as usize, node, ports, known),
        End::Open => false,
    });
    known[switch] = Some(reached);
    reached
}

/// A burst, a silence, and some more, in a network that has time to go down to its Minimal Tree in between.
#[test]
fn the_tree_stays_on_everything_else_goes_off_and_comes_on_and_every_packet_arrives() {
    for (i, name) in (0..).zip(NAMES) {
        for (policy, start) in [("alonso-static", false), ("alonso-dynamic", true)] {
            let mut parameters = network(name, |alonso| {
                alonso.policy = policy.into();
                (alonso.u_on, alonso.u_off, alonso.check_period) = (0.2, 0.08, cycles(100));
                (alonso.turn_on, alonso.turn_off, alonso.start) = (cycles(40), cycles(30), start);
                alonso.litmus = i % 2 == 0;
            });
            (parameters.link_delay, parameters.node_link_delay) = (5, 3);
            let mut watch = Watch::new(&parameters);
            let nodes = watch.network.nodes() as u32;
            let mut script = bursts(i, nodes, &[(0, 2_000, 0.9), (6_000, 1_000, 0.05), (9_000, 1_000, 0.4)]);
            let what = format!("{name}, {policy}");
            assert!(!watch.is_tree());
            assert!(watch.run(&mut script, 3_000), "{what}: some links never came on");
            watch.run(&mut script, 5_900);
            assert!(watch.is_tree(), "{what}: {:?}", watch.within(Phase::On));
            watch.run(&mut script, u64::MAX);
            watch.end();
        }
    }
}

/// Alonso et al. 2015, Table 1: at least 33.2 % of the links of a 4-ary 4-tree are on, those of nodes among them.
#[test]
fn a_silent_4_ary_4_tree_comes_down_to_a_third_and_then_costs_nothing() {
    for (policy, start) in [("alonso-static", false), ("alonso-static", true), ("alonso-dynamic", false)] {
        let parameters = network("4-ary-4-tree", |alonso| {
            (alonso.policy, alonso.start) = (policy.into(), start);
        });
        let mut watch = Watch::new(&parameters);
        let mut script = Script::new(&[(1_000_000, 0, 255, 8)]);
        watch.network.run(&mut script, if start { 5_000 } else { 20_000 }, &mut ()).unwrap();
        assert!(watch.is_tree(), "{policy}, start {start}");
        assert_eq!(format!("{:.1} %", 100.0 * watch.links_on()), "33.2 %");
        let steps = watch.network.counts().switch_steps;
        watch.network.run(&mut script, 1_000_000, &mut ()).unwrap();
        assert_eq!(watch.network.counts().switch_steps, steps, "cycles in which nothing happens are skipped");
        // The tree is there for the packet that comes: no link on its way has to come on.
        assert_eq!(watch.network.run(&mut script, u64::MAX, &mut ()).unwrap(), Ended::Over);
        assert_eq!(script.told.delivered[0].0 - 1_000_000, parameters.zero_load_latency(7, 8));
        watch.end();
    }
}

/// Without litmus a leaf switch has one up-link for the first messages of a burst; with it all, as soon as one of them waits.
#[test]
fn a_message_that_waits_at_a_node_turns_all_links_of_its_leaf_switch_on() {
    for litmus in [false, true] {
        let parameters = network("4-ary-2-tree", |alonso| alonso.litmus = litmus);
        let mut watch = Watch::new(&parameters);
        // One after the other, each within the period of a check.
        let burst = [(30_000, 0, 15, 40), (30_010, 0, 11, 40)];
        let mut script = Script::new(&burst);
        watch.network.run(&mut script, 30_000, &mut ()).unwrap();
        assert!(watch.is_tree());
        watch.network.run(&mut script, 30_060, &mut ()).unwrap();
        let coming = watch.within(Phase::ComingOn);
        assert_eq!(coming[0], if litmus { 0b1110_0000 } else { 0 });
        assert_eq!(coming[1..4], [0; 3], "of its leaf switch only");
        watch.network.run(&mut script, u64::MAX, &mut ()).unwrap();
        watch.end();
    }
}

/// Whatever the times are, every packet arrives; and with a check period of more than four times the delay of a link two switches do not
/// turn each other on for ever.
#[test]
fn every_packet_arrives_and_a_silent_network_comes_to_rest() {
    for seed in 0..240 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (name, policy) = (NAMES[seed as usize % 7], ["alonso-static", "alonso-dynamic"][random.usize(0..2)]);
        let mut parameters = restless(name, policy, seed / 7 % 4, seed);
        let (link, rests) = (parameters.link_delay, random.bool());
        let period = if rests { 4 * (link + 3) + random.u64(1..200) } else { random.u64(2..30) };
        let alonso = alonso(&mut parameters);
        alonso.check_period = cycles(period);
        alonso.u_on = alonso.u_on.max(2.0 / period as f64);
        alonso.u_off = (alonso.u_on / 4.0).max(0.5 / period as f64);
        let mut watch = Watch::new(&parameters);
        let mut script = bursts(seed, watch.network.nodes() as u32, &[(0, 600, 0.5), (40_000, 200, 0.1)]);
        let what = format!("seed {seed}: {name}, links of {link} cycles, {:?}", AlonsoValues::of(&parameters.config));
        let mut run = |watch: &mut Watch, until: u64| {
            let ended = watch.network.run(&mut script, until, &mut ());
            ended.unwrap_or_else(|error| panic!("{what}: {error:#}"));
        };
        run(&mut watch, 40_000);
        assert!(!rests || watch.is_tree(), "{what}");
        run(&mut watch, u64::MAX);
        watch.end();
    }
}
