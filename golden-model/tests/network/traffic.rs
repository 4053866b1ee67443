//! Networks of switches under more traffic than they can carry: every packet arrives, whole, once and at its node. A deadlock
//! shows as a network in which nothing moves any more.

use crate::network::build::{End, Network, fat_tree, torus};
use crate::support::drawn;
use fastrand::Rng;
use powar_config::switch::IN_FLIGHT_FLITS;
use powar_config::topology::unpack_address;
use powar_config::units::Nanoseconds;
use powar_config::{Config, Group};
use powar_golden::reference::registers::register_bus::BusInputs;
use powar_golden::reference::switch::StepwiseSwitch;
use powar_golden::reference::switch::SwitchInputs;
use std::collections::VecDeque;

/// A flit on its way to a switch or a node.
#[derive(Clone, Copy)]
struct Flit {
    head: bool,
    vc: usize,
    words: [u64; 2],
}

/// A node at one port of a switch.
struct Nic {
    switch: usize,
    port: usize,
    node: usize,
    /// Flits that wait, by VC.
    waiting: Vec<VecDeque<Flit>>,
    credits: Vec<usize>,
    /// Credits that this node owes, by VC.
    owes: Vec<usize>,
    /// Packet and next flit under way on each VC.
    expects: Vec<Option<(u64, u64)>>,
}

struct Simulation {
    network: Network,
    switches: Vec<StepwiseSwitch>,
    nics: Vec<Nic>,
    rng: Rng,
    /// Chance in 1/256 that a node gives a credit back.
    eagerness: u8,
    /// Destination node and flits of every packet.
    packets: Vec<(usize, u64)>,
    arrived: Vec<bool>,
}

impl Simulation {
    fn new(network: Network, seed: u64) -> Self {
        let config = &network.config;
        config.check().unwrap();
        let (v, d) = (config.switch.vcs, config.switch.vc_depth());
        let mut nics = Vec::new();
        for (switch, links) in network.links.iter().enumerate() {
            for (port, &end) in links.iter().enumerate() {
                if let End::Node(node) = end {
                    let (waiting, expects) = (vec![VecDeque::new(); v], vec![None; v]);
                    nics.push(Nic { switch, port, node, waiting, credits: vec![d; v], owes: vec![0; v], expects });
                }
            }
        }
        Simulation {
            switches: vec![StepwiseSwitch::new(config); network.links.len()],
            nics,
            network,
            rng: Rng::with_seed(seed),
            eagerness: 255,
            packets: Vec::new(),
            arrived: Vec::new(),
        }
    }

    fn send(&mut self, nic: usize, vc: usize, node: usize, flits: u64) {
        let id = self.packets.len() as u64;
        self.packets.push((node, flits));
        self.arrived.push(false);
        let header = flits << 16 | u64::from(self.network.nodes[node]);
        let flit = |index: u64| {
            let first_word = if index == 0 { header } else { 0 };
            Flit { head: index == 0, vc, words: [first_word, id << 10 | index] }
        };
        self.nics[nic].waiting[vc].extend((0..flits).map(flit));
    }

    /// A cycle; returns whether a flit left a switch.
    fn step(&mut self) -> bool {
        let (n, w) = (self.network.config.ports, 2);
        let ports = self.switches.len() * n;
        let (mut valid, mut head) = (vec![0u64; self.switches.len()], vec![0u64; self.switches.len()]);
        let mut credit_valid = valid.clone();
        let (mut vc, mut credit_vc, mut flits) = (vec![0u64; ports], vec![0u64; ports], vec![0u64; ports * w]);
        let mut moved = false;
        let mut put = |switch: usize, port: usize, flit: Flit| {
            valid[switch] |= 1 << port;
            head[switch] |= u64::from(flit.head) << port;
            let place = switch * n + port;
            vc[place] = flit.vc as u64;
            flits[place * w..][..w].copy_from_slice(&flit.words);
        };
        let mut back = |switch: usize, port: usize, vc: usize| {
            credit_valid[switch] |= 1 << port;
            credit_vc[switch * n + port] = vc as u64;
        };
        for (switch, links) in self.network.links.iter().enumerate() {
            for (port, &end) in links.iter().enumerate() {
                let (output, input) = (&self.switches[switch].outputs[port], &self.switches[switch].inputs[port]);
                moved |= output.out_valid;
                match end {
                    End::Switch(other, its) => {
                        if output.out_valid {
                            assert_eq!(output.out_phase, 0);
                            let words = [output.out_flit[0], output.out_flit[1]];
                            put(other, its, Flit { head: output.out_head, vc: output.out_vc.into(), words });
                        }
                        if input.in_credit_valid {
                            back(other, its, input.in_credit_vc.into());
                        }
                    }
                    End::Open => assert!(!output.out_valid),
                    End::Node(_) => (),
                }
            }
        }
        for nic in &mut self.nics {
            let (output, input) =
                (&self.switches[nic.switch].outputs[nic.port], &self.switches[nic.switch].inputs[nic.port]);
            if input.in_credit_valid {
                nic.credits[usize::from(input.in_credit_vc)] += 1;
            }
            if output.out_valid {
                nic.owes[usize::from(output.out_vc)] += 1;
                let (packet, index) = (output.out_flit[1] >> 10, output.out_flit[1] & 0x3ff);
                let expects = &mut nic.expects[usize::from(output.out_vc)];
                assert_eq!((packet, index), expects.take().unwrap_or((packet, 0)));
                let (node, length) = self.packets[packet as usize];
                assert_eq!(node, nic.node, "at the wrong node");
                if index + 1 < length {
                    *expects = Some((packet, index + 1));
                } else {
                    assert!(!std::mem::replace(&mut self.arrived[packet as usize], true), "twice");
                }
            }
            let any = |rng: &mut Rng, able: Vec<usize>| (!able.is_empty()).then(|| able[rng.usize(0..able.len())]);
            let vcs = 0..nic.credits.len();
            let able = vcs.clone().filter(|&v| nic.credits[v] > 0 && !nic.waiting[v].is_empty()).collect();
            if let Some(v) = any(&mut self.rng, able) {
                nic.credits[v] -= 1;
                put(nic.switch, nic.port, nic.waiting[v].pop_front().unwrap());
            }
            let owed = vcs.filter(|&v| nic.owes[v] > 0).collect();
            if let Some(v) = any(&mut self.rng, owed).filter(|_| self.rng.u8(..) <= self.eagerness) {
                nic.owes[v] -= 1;
                back(nic.switch, nic.port, v);
            }
        }
        let on = vec![0; n];
        for (s, switch) in self.switches.iter_mut().enumerate() {
            switch.clock(&SwitchInputs {
                position: self.network.positions[s],
                stage: self.network.stages[s],
                in_valid: valid[s],
                in_head: head[s],
                in_vc: &vc[s * n..][..n],
                in_phase: &on,
                in_hint: 0,
                ring_in: 0,
                in_flit: &flits[s * n * w..][..n * w],
                out_credit_valid: credit_valid[s],
                out_credit_vc: &credit_vc[s * n..][..n],
                bus: BusInputs::default(),
            });
        }
        moved
    }

    /// Runs until every packet has arrived and every credit is back.
    fn run(&mut self, name: &str) {
        let (mut still, mut cycle) = (0, 0);
        let depth = self.network.config.switch.vc_depth();
        loop {
            still = if self.step() { 0 } else { still + 1 };
            cycle += 1;
            let owed = self.nics.iter().any(|nic| nic.owes.iter().any(|&owes| owes > 0));
            if self.arrived.iter().all(|&arrived| arrived) && !owed && still > 10 {
                break;
            }
            let arrived = self.arrived.iter().filter(|&&arrived| arrived).count();
            assert!(still < 2000, "{name}: {arrived} of {} packets arrived, then nothing moved", self.packets.len());
            assert!(cycle < 1_000_000, "{name}: {arrived} of {} packets in {cycle} cycles", self.packets.len());
        }
        for (s, switch) in self.switches.iter().enumerate() {
            for (p, output) in switch.outputs.iter().enumerate() {
                assert!(output.credits.iter().all(|credit| usize::from(credit.credits) == depth), "{name}: {s} {p}");
            }
            // Behind the cycles in each phase, wake-ups and flits are the errors.
            let first = self.network.config.mechanism().residency.len() + 2;
            let ports = 0..switch.power.counters.len();
            assert!(
                ports
                    .map(|port| switch.power.counts(port))
                    .all(|counts| counts[first..].iter().all(|&errors| errors == 0))
            );
        }
    }
}

/// Small buffers, ports that fall asleep whenever they can.
fn tighten(config: &mut Config, rng: &mut Rng) {
    let longest = rng.usize(1..=8);
    config.switch.max_packet_flits = longest;
    config.switch.buffer_flits = config.switch.vcs * (longest + IN_FLIGHT_FLITS + [0, 3, 20][rng.usize(0..3)]);
    config.switch.flit_bits = 64;
    config.cycle_ns = 1.0;
    let powar = config.powar_mut().unwrap();
    powar.policy = powar_config::mechanism::powar::policy::ALL[rng.usize(0..4)].name.into();
    let cycles = |rng: &mut Rng, most: u32| Nanoseconds(f64::from(rng.u32(1..=most)));
    (powar.pdt, powar.t_sleep, powar.t_wake) = (Nanoseconds(rng.u32(0..20).into()), cycles(rng, 9), cycles(rng, 20));
    powar.abort_sleep = rng.bool();
    powar.check_period = Nanoseconds(f64::from(rng.u32(2..100)));
}

/// A burst of packets from every node at once, in one of three patterns.
fn storm(mut network: Network, groups: Vec<Group>, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    network.config.groups = groups;
    tighten(&mut network.config, &mut rng);
    let name = format!("seed {seed}: {:?}", network.config);
    println!("{name}");
    let bases = network.config.topology.as_ref().unwrap().bases(network.config.ports);
    let nodes = network.nodes.len();
    assert!((0..nodes).all(|node| unpack_address(&bases, network.nodes[node]) == Some(node)));
    let mut simulation = Simulation::new(network, seed);
    simulation.eagerness = [255, 100][rng.usize(0..2)];
    let (pattern, hot) = (rng.u8(0..3), rng.usize(0..nodes));
    for nic in 0..simulation.nics.len() {
        for _ in 0..20 {
            let any = rng.usize(0..nodes);
            let to = match pattern {
                0 => any,
                // Half way round, which loads every ring and every root.
                1 => (simulation.nics[nic].node + nodes / 2) % nodes,
                _ => [hot, any][rng.usize(0..2)],
            };
            let flits = rng.u64(1..=simulation.network.config.switch.max_packet_flits as u64);
            simulation.send(nic, rng.usize(0..simulation.network.vcs), to, flits);
        }
    }
    simulation.run(&name);
}

fn trunks(ports: usize, trunk: usize) -> Vec<Group> {
    (0..ports / trunk).map(|group| Group { first: group * trunk, size: trunk }).collect()
}

#[test]
fn tori_deliver_everything() {
    for seed in 0..drawn(6) {
        storm(torus(&[4], 1, 2), trunks(3, 1), seed);
        storm(torus(&[5], 2, 4), trunks(6, 2), seed);
        storm(torus(&[3, 3], 1, 2), trunks(5, 1), seed);
        storm(torus(&[4, 2], 1, 4), trunks(5, 1), seed);
    }
}

#[test]
fn fat_trees_deliver_everything() {
    for seed in 0..drawn(6) {
        storm(fat_tree(2, 2, false, 1), vec![Group { first: 2, size: 2 }], seed);
        storm(fat_tree(2, 3, false, 2), vec![Group { first: 2, size: 2 }], seed);
        storm(fat_tree(2, 3, true, 4), vec![Group { first: 2, size: 2 }], seed);
        storm(fat_tree(4, 2, true, 2), vec![Group { first: 4, size: 4 }], seed);
    }
}
