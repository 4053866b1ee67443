//! Networks whose nodes have network interfaces.

use crate::whole_network::workloads::{Relay, Script, Told};
use powar_config::mechanism::alonso::AlonsoParameters;
use powar_config::mechanism::wake_hints::WakeHintsParameters;
use powar_config::{Chosen, Config, SwitchConfig, Workload};
use powar_golden::fast::switch::Train;
use powar_golden::network::stream::{self, Shown, StreamInterface};
use powar_golden::network::{Ended, NetPacket, Network, NetworkParameters, NodeModel, Observer};
use powar_golden::reference::mechanisms::wake_hints::HintReceiver;
use powar_golden::reference::network_interface::NetworkInterface;
use powar_golden::reference::network_interface::injection_queues::QueuesInputs;
use powar_golden::reference::network_interface::network_interface::NetworkInterfaceInputs;
use powar_golden::reference::network_interface::reception::ReceptionInputs;

/// A flit as logs show it: cycle, switch, port, VC, head, words 0 and 1.
type Seen = (u64, u32, u8, u8, bool, u32, u32);

struct Log(Vec<Seen>);

impl Observer for Log {
    fn train(&mut self, now: u64, switch: u32, train: &Train<NetPacket>) {
        for (now, flit) in train.flits_from(now) {
            let NetPacket { header, packet } = flit.payload;
            self.0.push((now, switch, flit.port, flit.vc, flit.head, header, packet));
        }
    }
}

/// What a run has shown.
#[derive(Debug, PartialEq)]
struct Run {
    flits: Vec<Seen>,
    told: Told,
    sent: u64,
}

/// Runs a workload to its end, in pieces; every message must have arrived, and every node have counted what was seen of it.
fn run<W: Workload, I: StreamInterface>(
    parameters: &NetworkParameters,
    mut workload: W,
    told: impl Fn(&W) -> Told,
    interface: impl Fn(NetworkInterface) -> I,
) -> anyhow::Result<Run> {
    let make = |_, _| Ok(interface(NetworkInterface::new(&parameters.config)));
    let mut network = Network::with_streams(parameters, |_, switch| Ok(switch), make)?;
    let mut log = Log(vec![]);
    let mut until = 777;
    while network.run(&mut workload, until, &mut log)? == Ended::Time {
        until += 777;
    }
    for _ in 0..2 {
        (0..network.nodes()).try_for_each(|node| network.node(node).check())?;
        // The credits and flits that are still under way.
        network.run(&mut Script::new(&[(until + 10_000, 0, 1, 8)]), until + 9_000, &mut ())?;
    }
    let (counts, told) = (network.counts(), told(&workload));
    let statistics = (0..network.nodes()).map(|node| network.node(node).interface().golden().statistics);
    let sum = statistics.fold([0; 4], |sum: [u64; 4], of| std::array::from_fn(|k| sum[k] + u64::from(of[k])));
    let expected = [counts.packets_sent, counts.flits_sent, counts.packets_delivered, counts.flits_delivered];
    anyhow::ensure!(sum == expected, "interfaces have counted {sum:?}, the network {expected:?}");
    anyhow::ensure!(counts.messages_given == counts.messages_delivered, "{counts:?}");
    anyhow::ensure!(counts.messages_given == counts.messages_sent, "{counts:?}");
    anyhow::ensure!(told.delivered.len() as u64 == counts.messages_given, "{counts:?}");
    Ok(Run { flits: log.0, told, sent: counts.flits_sent })
}

/// A packet of L flits is on the link of its node L + 4 cycles later than that of a node without a stream, and its last beat on the stream
/// L + 1 cycles later than its tail on the link (a cycle more with L = 2: its header takes three); packets of one message follow each
/// other without a gap on the link of their node.
#[test]
fn latency_without_load_is_the_formulas() {
    for name in ["star-16", "8-ary-2-tree", "k4-n3", "torus-4x4x4"] {
        let mut config = Config::of_network(name).unwrap();
        config.powar_mut().unwrap().policy = "reference".into();
        for (link_delay, node_link_delay, flits) in [(23, 23, 8), (0, 0, 16), (3, 11, 2), (1, 2, 3)] {
            let parameters = NetworkParameters {
                link_delay,
                node_link_delay,
                packet_flits: flits,
                ..NetworkParameters::new(config.clone())
            };
            let mut network = Network::with_interfaces(&parameters).unwrap();
            let (source, flits) = (5, u64::from(flits));
            let hops = network.wiring().hops_from(source);
            for destination in (0..network.nodes()).step_by(7).filter(|&node| node != source) {
                for packets in [1, 5] {
                    let begin = network.now();
                    let mut script = Script::new(&[(begin, source as u32, destination as u32, packets * flits)]);
                    assert_eq!(network.run(&mut script, u64::MAX, &mut ()).unwrap(), Ended::Over);
                    let lone = parameters.zero_load_latency(hops[destination].into(), flits);
                    let what = format!("{name} from {source} to {destination}, {packets} packets of {flits} flits");
                    assert_eq!(script.told.sent[0].0 - begin, flits + 4 + packets * flits - 1, "{what}");
                    let expected = lone + 2 * flits + 5 + u64::from(flits < 3) + (packets - 1) * flits;
                    // A switch takes longer over the heads of short packets than over their flits.
                    if packets == 1 || flits >= 8 {
                        assert_eq!(script.told.delivered[0].0 - begin, expected, "{what}");
                    }
                }
            }
        }
    }
}

/// A message whose last packet would be a head flit alone has a beat more.
#[test]
fn a_packet_has_a_beat_at_least() {
    let mut parameters = NetworkParameters::new(Config::of_network("star-4").unwrap());
    for (packet_flits, flits, takes) in [(8, 1, 2), (8, 8, 8), (8, 9, 10), (8, 10, 10), (2, 5, 6), (2, 6, 6)] {
        parameters.packet_flits = packet_flits;
        let script = Script::new(&[(0, 1, 2, flits)]);
        let run = run(&parameters, script, |script| script.told.clone(), |interface| interface).unwrap();
        assert_eq!(run.sent, takes, "{flits} flits in packets of {packet_flits}");
    }
}

/// Ports that sleep soon, and are woken by the words of the interfaces.
fn hasty(t_wake: powar_config::units::Nanoseconds) -> WakeHintsParameters {
    let mut parameters = WakeHintsParameters::default();
    let powar = &mut parameters.ahead.powar;
    (powar.pdt, powar.t_sleep, powar.t_wake) = (t_wake, t_wake, t_wake);
    parameters.ahead.bound = 1.0;
    parameters
}

/// Networks in which much happens, each with the load of its traffic.
fn networks(seed: u64) -> Vec<(String, NetworkParameters, f64)> {
    let mut random = fastrand::Rng::with_seed(seed);
    let cycles = |cycles: u64| powar_config::units::Nanoseconds(cycles as f64 * 1.6);
    let names = ["star-5", "2-ary-3-tree", "4-ary-2-tree", "k4-n2", "torus-5", "torus-3x3x2"];
    let mut all = vec![];
    for (i, name) in names.into_iter().enumerate() {
        let mut config = Config::of_network(name).unwrap();
        if name.ends_with("tree") {
            let mut alonso = AlonsoParameters { policy: "alonso-static".into(), ..AlonsoParameters::default() };
            (alonso.turn_on, alonso.turn_off) = (cycles(random.u64(1..50)), cycles(random.u64(1..30)));
            (alonso.check_period, alonso.litmus) = (cycles(random.u64(20..300)), true);
            config.mechanism = Chosen(Box::new(alonso));
        } else if name == "torus-5" {
            config.mechanism = Chosen(Box::new(hasty(cycles(random.u64(1..50)))));
        } else {
            let powar = config.powar_mut().unwrap();
            (powar.pdt, powar.t_sleep, powar.t_wake) = (cycles(20), cycles(10), cycles(random.u64(1..50)));
            powar.check_period = cycles(200);
        }
        let vcs = [2, 3, 4][random.usize(0..3)];
        let words = random.usize(2..=4);
        let buffer_flits = vcs * [22, 24, 64][random.usize(0..3)];
        config.switch = SwitchConfig { vcs, buffer_flits, flit_bits: 32 * words, ..config.switch };
        let mut parameters = NetworkParameters::new(config);
        (parameters.link_delay, parameters.node_link_delay) = (random.u64(0..30), random.u64(0..30));
        parameters.packet_flits = random.u16(2..=16);
        all.push((name.into(), parameters, [0.02, 0.2, 0.5, 1.5][i % 4]));
    }
    all
}

/// A network interface whose lane is listened to.
struct HeardLane {
    interface: NetworkInterface,
    receiver: HintReceiver,
    heard: u64,
}

impl StreamInterface for HeardLane {
    fn show(&self, shown: &mut Shown) {
        self.interface.show(shown);
    }
    fn clock(&mut self, now: u64, inputs: &NetworkInterfaceInputs) {
        let heard = self.receiver.waiting;
        self.heard += u64::from(heard);
        self.receiver.clock(self.interface.injection.out_hint, true, heard);
        StreamInterface::clock(&mut self.interface, now, inputs);
    }
    fn is_idle(&self) -> bool {
        false
    }
    fn is_clocked(&self) -> bool {
        true
    }
    fn golden(&self) -> &NetworkInterface {
        &self.interface
    }
}

/// Every packet has a word that is heard on the lane of its node, or one that was dropped and counted.
#[test]
fn words_without_room_are_counted() {
    let mechanism = Chosen(Box::new(hasty("1us".parse().unwrap())));
    let config = Config { mechanism, ..Config::of_network("star-4").unwrap() };
    let parameters = NetworkParameters { packet_flits: 16, ..NetworkParameters::new(config) };
    for (flits, packets, drops) in [(16, 8, false), (2, 4, false), (2, 40, true), (1600, 1, true)] {
        let listening = |_, _| {
            let interface = NetworkInterface::new(&parameters.config);
            Ok(HeardLane { interface, receiver: HintReceiver::new(), heard: 0 })
        };
        let mut network = Network::with_streams(&parameters, |_, switch| Ok(switch), listening).unwrap();
        let mut script = Script::new(&vec![(100, 0, 1, flits); packets]);
        while network.run(&mut script, network.now() + 1000, &mut ()).unwrap() == Ended::Time {}
        network.run(&mut Script::new(&[]), network.now() + 1000, &mut ()).unwrap();
        let heard: u64 = (0..network.nodes()).map(|node| network.node(node).interface().heard).sum();
        let events = network.events();
        let dropped = events.iter().find(|(name, _)| *name == "node_hints_dropped").unwrap().1;
        let what = format!("{packets} messages of {flits} flits: {heard} words heard, {dropped} dropped");
        assert_eq!(heard + dropped, network.counts().packets_sent, "{what}");
        assert_eq!(dropped > 0, drops, "{what}");
    }
}

/// A network interface that is clocked in every cycle.
struct Clocked(NetworkInterface);

impl StreamInterface for Clocked {
    fn show(&self, shown: &mut Shown) {
        self.0.show(shown);
    }
    fn clock(&mut self, now: u64, inputs: &NetworkInterfaceInputs) {
        StreamInterface::clock(&mut self.0, now, inputs);
    }
    fn is_idle(&self) -> bool {
        false
    }
    fn is_clocked(&self) -> bool {
        true
    }
    fn golden(&self) -> &NetworkInterface {
        &self.0
    }
}

#[test]
fn every_packet_arrives_and_idle_interfaces_miss_nothing() {
    let base = std::env::var("POWAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut flits = 0;
    for (name, parameters, load) in networks(base) {
        let nodes = parameters.wiring().unwrap().nodes.len() as u32;
        let what = format!("{name}, load {load} (POWAR_SEED={base}), {parameters:?}");
        let both = |script: Script| {
            let told = |script: &Script| script.told.clone();
            let skipping = run(&parameters, script.clone(), told, |interface| interface);
            (skipping, run(&parameters, script, told, Clocked))
        };
        let (skipping, clocked) = both(Script::random(base, nodes, 3_000, load));
        let skipping = skipping.unwrap_or_else(|error| panic!("{what}: {error:#}"));
        assert!(skipping == clocked.unwrap(), "{what}");
        flits += skipping.flits.len();
        let relay = || Relay { nodes, left: 20, gap: base % 300, next: 0, told: Told::default() };
        let skipping = run(&parameters, relay(), |relay| relay.told.clone(), |interface| interface);
        let clocked = run(&parameters, relay(), |relay| relay.told.clone(), Clocked);
        assert!(skipping.unwrap() == clocked.unwrap(), "{what}, relay");
    }
    assert!(flits > 30_000, "{flits}");
}

/// A network interface that somebody has wired wrongly: to what comes in, and to what it shows.
struct Miswired {
    interface: NetworkInterface,
    inputs: fn(&mut NetworkInterfaceInputs, u64),
    shown: fn(&mut Shown),
}

impl StreamInterface for Miswired {
    fn show(&self, shown: &mut Shown) {
        self.interface.show(shown);
        (self.shown)(shown);
    }
    fn clock(&mut self, now: u64, inputs: &NetworkInterfaceInputs) {
        let mut inputs = *inputs;
        (self.inputs)(&mut inputs, now);
        self.interface.clock(false, &inputs);
    }
    fn is_idle(&self) -> bool {
        StreamInterface::is_idle(&self.interface)
    }
    fn is_clocked(&self) -> bool {
        false
    }
    fn golden(&self) -> &NetworkInterface {
        &self.interface
    }
}

/// Each wire of an interface, in turn, carries something else; a run must not come to the same then.
#[test]
fn a_wrong_wire_is_seen() {
    let mut config = Config::of_network("2-ary-2-tree").unwrap();
    config.switch = SwitchConfig { vcs: 2, buffer_flits: 48, flit_bits: 96, ..config.switch };
    let parameters = NetworkParameters { link_delay: 2, node_link_delay: 3, ..NetworkParameters::new(config) };
    let script = Script::random(3, 4, 3_000, 0.5);
    let run = |inputs: fn(&mut NetworkInterfaceInputs, u64), shown: fn(&mut Shown)| {
        let make = |interface| Miswired { interface, inputs, shown };
        run(&parameters, script.clone(), |script| script.told.clone(), make)
    };
    let sound = run(|_, _| (), |_| ()).unwrap();
    assert!(sound.flits.len() > 2_000, "{}", sound.flits.len());
    type Inputs = fn(&mut NetworkInterfaceInputs, u64);
    static WORDS: [u64; 3] = [0x10002, 7, 9];
    let inputs: [(&str, Inputs); 13] = [
        ("address", |inputs, _| inputs.address = 0),
        ("s_axis_tvalid", |NetworkInterfaceInputs { stream, .. }, now| stream.tvalid &= now % 100 != 0),
        ("s_axis_tdata", |inputs, _| inputs.stream = QueuesInputs { tdata: &WORDS, ..inputs.stream }),
        ("s_axis_tkeep", |NetworkInterfaceInputs { stream, .. }, _| {
            stream.tkeep = if stream.tlast { 1 } else { stream.tkeep }
        }),
        ("s_axis_tlast", |NetworkInterfaceInputs { stream, .. }, now| stream.tlast &= now % 3 != 0),
        ("s_axis_tdest", |NetworkInterfaceInputs { stream, .. }, _| stream.tdest ^= 1),
        ("in_valid", |NetworkInterfaceInputs { link, .. }, now| link.in_valid &= now % 100 != 0),
        ("in_head", |NetworkInterfaceInputs { link, .. }, _| link.in_head = false),
        ("in_vc", |NetworkInterfaceInputs { link, .. }, _| link.in_vc ^= 1),
        ("in_flit", |inputs, _| inputs.link = ReceptionInputs { in_flit: &WORDS, ..inputs.link }),
        ("m_axis_tready", |NetworkInterfaceInputs { link, .. }, now| link.tready = now % 7 != 0),
        ("out_credit_valid", |inputs, now| inputs.out_credit_valid &= now % 50 != 0),
        ("out_credit_vc", |inputs, _| inputs.out_credit_vc ^= 1),
    ];
    type Shows = fn(&mut Shown);
    let shown: [(&str, Shows); 14] = [
        ("s_axis_tready", |shown| shown.ready = true),
        ("out_valid", |shown| shown.valid = shown.head),
        ("out_head", |shown| shown.head = false),
        ("out_vc", |shown| shown.vc ^= 1),
        ("out_flit", |shown| shown.flit.swap(0, 1)),
        ("out_flit, word 2", |shown| shown.flit[2] ^= 1),
        ("in_credit_valid", |shown| shown.credit = shown.credit.filter(|_| !shown.last)),
        ("in_credit_vc", |shown| shown.credit = shown.credit.map(|vc| vc ^ 1)),
        ("m_axis_tvalid", |shown| shown.beat &= !shown.last),
        ("m_axis_tdata", |shown| shown.data[2] = shown.data[1]),
        ("m_axis_tkeep", |shown| shown.keep = shown.keep >> 1 | 1),
        ("m_axis_tlast", |shown| shown.last = false),
        ("m_axis_tid", |shown| shown.source ^= 1),
        ("m_axis_tuser", |shown| shown.damaged = shown.last),
    ];
    let inputs = inputs.into_iter().map(|(wire, inputs)| (wire, inputs, (|_| ()) as Shows));
    let shown = shown.into_iter().map(|(wire, shown)| (wire, (|_, _| ()) as Inputs, shown));
    for (wire, inputs, shown) in inputs.chain(shown) {
        match run(inputs, shown) {
            Ok(run) => assert!(run != sound, "{wire}: nothing is seen"),
            Err(error) => println!("{wire}: {error:#}"),
        }
    }
}

#[test]
fn what_a_network_interface_cannot_have_is_refused() {
    let good = NetworkParameters::new(Config::of_network("star-4").unwrap());
    let with = |switch: SwitchConfig| {
        let config = Config { switch, ..good.config.clone() };
        NetworkParameters { config, ..good.clone() }
    };
    let switch = good.config.switch;
    let trunks = NetworkParameters::new(Config::of_network("torus-3x3-trunk2").unwrap());
    for (parameters, said) in [
        (
            with(SwitchConfig { flit_bits: 32, ..switch }),
            "switch.flit_bits: 32 is out of range 64..=512 for a network interface",
        ),
        (
            NetworkParameters { packet_flits: 1, ..good.clone() },
            "packet_flits: 1 is too short for network interfaces, 2 flits at least: a head flit and a beat",
        ),
        (trunks, "topology: its nodes have 2 links each, and a network interface has 1"),
        (
            NetworkParameters { packet_flits: 17, ..good.clone() },
            "packet_flits: 17 is out of range 1..=16, the switch's max_packet_flits",
        ),
    ] {
        assert_eq!(stream::check(&parameters).unwrap_err().to_string(), said);
        assert_eq!(Network::with_interfaces(&parameters).unwrap_err().to_string(), said);
    }
}
