//! The event-driven network against the plain one: every flit on every link, every delivery, all counters.

use crate::support::{self, TestedMechanism, drawn};
use crate::whole_network::plain::{Plain, Seen, loaded};
use crate::whole_network::workloads::{Relay, Script, Told};
use powar_config::mechanism::powar::policy;
use powar_config::topology::wiring::Place;
use powar_config::{Config, PowarParameters, Workload};
use powar_golden::fast::switch::Train;
use powar_golden::network::{Ended, NetPacket, Network, NetworkParameters, Observer};

struct Log(Vec<Seen>);

impl Observer for Log {
    fn train(&mut self, now: u64, switch: u32, train: &Train<NetPacket>) {
        for (now, flit) in train.flits_from(now) {
            self.0.push((now, switch, flit.port, flit.vc, flit.head, flit.payload.header));
        }
    }
}

/// What is compared: networks of switches with some mechanism, of which the plain one may be a little different.
pub struct Pair<'a> {
    pub fast: &'a NetworkParameters,
    pub plain: &'a NetworkParameters,
    pub kind: TestedMechanism,
    pub seed: u64,
    pub spoil: &'a dyn Fn(&mut Plain),
}

impl<'a> Pair<'a> {
    /// The same twice.
    pub fn of(parameters: &'a NetworkParameters, kind: TestedMechanism, seed: u64) -> Self {
        Pair { fast: parameters, plain: parameters, kind, seed, spoil: &|_| () }
    }

    /// Runs both under random messages of so many cycles at a load, and under a relay of so many messages with such a gap: the number of flits
    /// that were seen on links.
    ///
    /// # Panics
    /// With the first difference, and what it is of.
    pub fn same_under_both(&self, what: &str, (cycles, load): (u64, f64), (left, gap): (u64, u64)) -> usize {
        let nodes = self.fast.wiring().unwrap().nodes.len() as u32;
        let of_script = self.compare(&Script::random(self.seed, nodes, cycles, load), |script| script.told.clone());
        let flits = of_script.unwrap_or_else(|difference| panic!("{what}: {difference}"));
        let relay = Relay { nodes, left, gap, next: 0, told: Told::default() };
        let of_relay = self.compare(&relay, |relay| relay.told.clone());
        flits + of_relay.unwrap_or_else(|difference| panic!("{what}, relay: {difference}"))
    }

    /// Runs both and compares: the number of flits that were seen on links, or the first difference.
    pub fn compare<W: Workload + Clone>(&self, workload: &W, told: impl Fn(&W) -> Told) -> Result<usize, String> {
        let switch = |parameters: &NetworkParameters, place: Place| {
            self.kind.switch(&parameters.config, self.seed, (place.position, place.stage))
        };
        let mut log = Log(vec![]);
        let places = self.fast.wiring().unwrap().places;
        let make = |number: u32, _| {
            let number = number as usize;
            Ok(loaded(&self.fast.config, number, switch(self.fast, places[number])))
        };
        let mut fast = Network::with_switches(self.fast, make).unwrap();
        let mut of_fast = workload.clone();
        // In pieces, since a run can be continued anywhere.
        let mut until = 777;
        while fast.run(&mut of_fast, until, &mut log).map_err(|error| format!("{error:#}"))? == Ended::Time {
            until += 777;
        }
        let mut plain = Plain::new(self.plain, |place| switch(self.plain, place));
        (self.spoil)(&mut plain);
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
        let cut = |mut seen: Vec<Seen>| {
            seen.retain(|flit| flit.0 < plain.now);
            seen.sort();
            seen
        };
        let (fast_seen, plain_seen) = (cut(log.0), cut(plain.seen.clone()));
        let longest = fast_seen.len().max(plain_seen.len());
        if let Some(place) = (0..longest).find(|&i| fast_seen.get(i) != plain_seen.get(i)) {
            return Err(format!("{:?} against plain {:?}", fast_seen.get(place), plain_seen.get(place)));
        }
        if of_fast != of_plain {
            return Err("messages left or came in at other times".into());
        }
        if fast.port_counts() != plain.counts() {
            return Err("counters of the ports differ".into());
        }
        if fast.waited() != plain.waited() {
            return Err("cycles in which packets waited differ".into());
        }
        if fast.events() != plain.events() {
            return Err(format!(
                "events of the mechanism differ: {:?} against plain {:?}",
                fast.events(),
                plain.events()
            ));
        }
        let counts = fast.counts();
        assert_eq!(counts.flits_sent, counts.flits_delivered);
        assert_eq!(counts.messages_given, counts.messages_sent);
        assert_eq!(counts.messages_given, counts.messages_delivered);
        assert_eq!(counts.messages_given as usize, of_fast.delivered.len());
        Ok(fast_seen.len())
    }
}

/// Timing so short that ports sleep and wake all the time.
pub fn restless(name: &str, policy: &str, seed: u64) -> NetworkParameters {
    let mut config = Config::of_network(name).unwrap();
    let mut random = fastrand::Rng::with_seed(seed);
    let ns = |cycles: u64| format!("{}ns", cycles as f64 * 1.6).parse().unwrap();
    let powar = config.powar_mut().unwrap();
    powar.policy = policy.into();
    powar.pdt = ns(random.u64(0..40));
    powar.t_sleep = ns(random.u64(1..30));
    powar.t_wake = ns(random.u64(1..50));
    powar.check_period = ns(random.u64(20..300));
    powar.abort_sleep = random.bool();
    config.switch.buffer_flits = config.switch.vcs * [22, 24, 64][random.usize(0..3)];
    config.switch.short_packets = Some(random.bool());
    let mut parameters = NetworkParameters::new(config);
    parameters.link_delay = random.u64(0..30);
    parameters.node_link_delay = random.u64(0..30);
    parameters.packet_flits = random.u16(1..=16);
    parameters
}

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let names = [
        "star-5",
        "2-ary-3-tree",
        "4-ary-2-tree",
        "k2-n3",
        "k4-n2",
        "torus-4x3-trunk2",
        "torus-5",
        "torus-3x3x2",
        "torus-3x2-trunk2-nodes3",
        "mesh-3x4-nodes2",
        "dragonfly-p2a2h1",
        "boards-3x2",
    ];
    let seed = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (i, name) in (0..).zip(names) {
        // Two policies of each network, in turn, but in the long form.
        for (j, policy) in (0..).zip(policy::ALL).filter(|&(j, _)| drawn(2) == 2 || (i + j / 2) % 2 == 0) {
            let seed = seed * 1000 + i * 10 + j;
            let mut parameters = restless(name, policy.name, seed);
            support::draw_routing(&mut parameters.config, &mut fastrand::Rng::with_seed(seed));
            let load = [0.02, 0.2, 0.5, 1.5][(i + j) as usize % 4];
            let what = format!("{name}, {}, load {load} (POWAR_SEED={})", policy.name, seed / 1000);
            let pair = Pair::of(&parameters, TestedMechanism::Configured, seed);
            flits += pair.same_under_both(&what, (3_000, load), (20, seed % 300));
        }
    }
    assert!(flits > 100_000, "{flits}");
}

/// What the comparison is worth: a plain network that is a little different is told apart.
#[test]
fn a_network_that_is_a_little_different_is_told_apart() {
    let right = restless("4-ary-2-tree", "powar", 7);
    let script = Script::random(7, 16, 3_000, 0.4);
    let run = |plain: &NetworkParameters| {
        let pair = Pair { plain, ..Pair::of(&right, TestedMechanism::Configured, 0) };
        pair.compare(&script, |script| script.told.clone())
    };
    assert!(run(&right).is_ok());
    const CYCLE: f64 = 1.6;
    fn powar(plain: &mut NetworkParameters) -> &mut PowarParameters {
        plain.config.powar_mut().unwrap()
    }
    type Change<'a> = &'a dyn Fn(&mut NetworkParameters);
    let changes: [(&str, Change); 8] = [
        ("link_delay", &|plain| plain.link_delay += 1),
        ("node_link_delay", &|plain| plain.node_link_delay += 1),
        ("packet_flits", &|plain| plain.packet_flits -= 1),
        ("policy", &|plain| powar(plain).policy = "first-on".into()),
        ("pdt", &|plain| powar(plain).pdt.0 += CYCLE),
        ("t_sleep", &|plain| powar(plain).t_sleep.0 += CYCLE),
        ("t_wake", &|plain| powar(plain).t_wake.0 += CYCLE),
        ("check_period", &|plain| powar(plain).check_period.0 *= 1.5),
    ];
    for (what, change) in changes {
        let mut plain = right.clone();
        change(&mut plain);
        assert!(run(&plain).is_err(), "{what} has changed and nothing shows it");
    }
}

/// With mechanisms that see what links show, flit or not; one of them sees all that there is to see, and does all that is allowed.
#[test]
fn changes_of_phases_and_hints_come_in_when_they_should() {
    let names =
        ["star-5", "2-ary-3-tree", "4-ary-2-tree", "k4-n2", "torus-4x3-trunk2", "torus-5", "torus-3x3x2", "boards-3x2"];
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (i, name) in (0..).zip(names) {
        for (j, kind) in (0..).zip([TestedMechanism::Mimic, TestedMechanism::Mimic, TestedMechanism::Erratic]) {
            let seed = base * 1000 + i * 10 + j;
            let mut parameters = restless(name, "reference", seed);
            support::draw_routing(&mut parameters.config, &mut fastrand::Rng::with_seed(seed));
            let nodes = parameters.wiring().unwrap().nodes.len() as u32;
            let load = [0.02, 0.2, 0.6][(i + j) as usize % 3];
            let script = Script::random(seed, nodes, 1_500, load);
            let equal = Pair::of(&parameters, kind, seed).compare(&script, |script| script.told.clone());
            flits += equal.unwrap_or_else(|difference| panic!("{name}, {kind:?}, POWAR_SEED={base}: {difference}"));
        }
    }
    assert!(flits > 100_000, "{flits}");
}

/// What that comparison is worth: phases and hints that come in a cycle late, or no hints of nodes, are told apart.
#[test]
fn phases_and_hints_that_come_in_late_are_told_apart() {
    let parameters = restless("4-ary-2-tree", "reference", 7);
    let script = Script::random(7, 16, 3_000, 0.4);
    let run = |spoil: &dyn Fn(&mut Plain)| {
        let pair = Pair { spoil, ..Pair::of(&parameters, TestedMechanism::Mimic, 7) };
        pair.compare(&script, |script| script.told.clone())
    };
    assert!(run(&|_| ()).is_ok());
    assert!(run(&Plain::delay_sidebands).is_err());
    assert!(run(&|plain| plain.hints = false).is_err());
}
