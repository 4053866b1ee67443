//! A network of nodes with streams against the same blocks joined by the names of their signals, every one stepped in every cycle.

use crate::network_interface::model::{Kind, Model};
use powar_config::topology::wiring::Wiring;
use powar_config::{Config, Message, SwitchConfig, Workload};
use powar_golden::network::{Ended, Network, NetworkParameters};
use powar_testbenches::random::Random;
use powar_testbenches::twins::{NETWORK_INTERFACE, SWITCH};
use std::collections::{HashMap, VecDeque};

const NODES: usize = 4;
const PACKET_FLITS: u64 = 6;
/// Of the links between blocks that [`Model::join`] joins, cycles.
const LINK: u64 = 1;

/// Messages by the cycle in which they are given, and when they have come in: (cycle, number).
#[derive(Clone, Default)]
struct Messages {
    given: VecDeque<(u64, Message)>,
    delivered: Vec<(u64, u64)>,
}

impl Messages {
    /// Bursts between random nodes, more than a link carries.
    fn random(seed: u64, cycles: u64) -> Messages {
        let mut random = Random::new(seed);
        let mut messages = Messages::default();
        for cycle in 0..cycles {
            for source in 0..NODES as u64 {
                if random.one_in(if cycle / 200 % 2 == 0 { 6 } else { 60 }) {
                    let destination = (source + 1 + random.below(NODES as u64 - 1)) % NODES as u64;
                    // No packet of a head flit alone.
                    let flits = [2, 5, 6, 8, 15][random.below(5) as usize];
                    let (source, destination) = (source as u32, destination as u32);
                    let number = messages.given.len() as u64;
                    messages.given.push_back((cycle, Message { number, source, destination, flits, foretold: false }));
                }
            }
        }
        messages
    }
}

impl Workload for Messages {
    fn next_event(&self) -> u64 {
        self.given.front().map_or(u64::MAX, |(cycle, _)| *cycle)
    }
    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
        while let Some((_, message)) = self.given.pop_front_if(|(cycle, _)| *cycle <= now) {
            messages.push(message);
        }
        Ok(())
    }
    fn sent(&mut self, _: u64, _: &Message) {}
    fn delivered(&mut self, now: u64, message: &Message) {
        self.delivered.push((now, message.number));
    }
    fn is_over(&self) -> bool {
        self.given.is_empty()
    }
    fn waits(&self) -> Vec<String> {
        vec![]
    }
    fn computing(&self, _: u64) -> Vec<f64> {
        vec![]
    }
}

/// The user of an interface.
#[derive(Clone, Default)]
struct User {
    /// By VC: messages and their flits that are still to be put into the stream.
    queues: Vec<VecDeque<(Message, u64)>>,
    next_vc: usize,
    /// The packet on the stream: its message, its beats, and those that have been taken.
    packet: Option<(Message, u64, u64)>,
}

impl User {
    fn drive(&mut self, interface: &mut Model, addresses: &[u16]) {
        let vcs = self.queues.len();
        if self.packet.is_none()
            && let Some(vc) = (0..vcs).map(|i| (self.next_vc + i) % vcs).find(|&vc| !self.queues[vc].is_empty())
        {
            let (message, left) = self.queues[vc].front_mut().expect("there is one");
            let flits = PACKET_FLITS.min(*left);
            *left -= flits;
            self.packet = Some((*message, flits - 1, 0));
            if *left == 0 {
                self.queues[vc].pop_front();
            }
            self.next_vc = (vc + 1) % vcs;
        }
        interface.set("s_axis_tvalid", 0, &[self.packet.is_some().into()]);
        if let Some((message, beats, taken)) = self.packet {
            interface.set("s_axis_tdata", 0, &[message.number]);
            interface.set("s_axis_tkeep", 0, &[0xff]);
            interface.set("s_axis_tlast", 0, &[(taken + 1 == beats).into()]);
            interface.set("s_axis_tdest", 0, &[addresses[message.destination as usize].into()]);
        }
    }

    fn after(&mut self, interface: &Model) {
        if let Some((_, beats, taken)) = self.packet.as_mut().filter(|_| interface.one("s_axis_tready") == 1) {
            *taken += 1;
            if taken == beats {
                self.packet = None;
            }
        }
    }
}

/// When messages come in, by blocks that are joined by names.
fn joined(config: &Config, mut messages: Messages) -> Vec<(u64, u64)> {
    let words = config.switch.flit_words();
    let addresses = Wiring::new(config).expect("a network").addresses;
    let mut switch = Model::new(config, SWITCH, &Kind::Golden);
    let mut nodes: Vec<Model> = (0..NODES).map(|_| Model::new(config, NETWORK_INTERFACE, &Kind::Golden)).collect();
    let mut users = vec![User { queues: vec![VecDeque::new(); config.switch.vcs], ..User::default() }; NODES];
    let all = messages.given.len();
    let mut to_come: HashMap<u64, u64> = HashMap::new();
    for cycle in 0.. {
        let mut given = vec![];
        messages.act(cycle, &mut given).expect("it can't go wrong");
        for message in given {
            to_come.insert(message.number, message.flits.div_ceil(PACKET_FLITS));
            let vc = usize::from(addresses[message.destination as usize]) % 64 % config.switch.vcs;
            users[message.source as usize].queues[vc].push_back((message, message.flits));
        }
        for (node, user) in users.iter_mut().enumerate() {
            Model::join(&mut nodes[node], 0, &mut switch, node, words);
            Model::join(&mut switch, node, &mut nodes[node], 0, words);
            nodes[node].set("address", 0, &[addresses[node].into()]);
            nodes[node].set("m_axis_tready", 0, &[1]);
            user.drive(&mut nodes[node], &addresses);
        }
        switch.step();
        for (node, user) in nodes.iter_mut().zip(&mut users) {
            node.step();
            user.after(node);
            if node.one("m_axis_tvalid") == 1 && node.one("m_axis_tlast") == 1 {
                let number = node.get("m_axis_tdata", 0, 1)[0];
                let left = to_come.get_mut(&number).expect("it was given");
                *left -= 1;
                if *left == 0 {
                    messages.delivered.push((cycle, number));
                }
            }
        }
        if messages.delivered.len() == all {
            break;
        }
        assert!(cycle < 100_000, "packets do not come in");
    }
    messages.delivered
}

/// The two come to the same; a network with a link a cycle longer does not.
pub fn check(seed: u64) {
    let vcs = 2 + seed as usize % 2;
    // Queues that run full, so that the stream waits.
    let switch =
        SwitchConfig { vcs, buffer_flits: vcs * 16, max_packet_flits: 6, flit_bits: 64, ..SwitchConfig::default() };
    let config = Config { switch, ..Config::of_network("star-4").expect("a network") };
    let messages = Messages::random(seed, 3_000);
    let network = |node_link_delay: u64| {
        let packet_flits = PACKET_FLITS as u16;
        let parameters = NetworkParameters { config: config.clone(), link_delay: 0, node_link_delay, packet_flits };
        let mut network = Network::with_interfaces(&parameters).expect("a network");
        let mut messages = messages.clone();
        assert_eq!(network.run(&mut messages, u64::MAX, &mut ()).expect("it ends"), Ended::Over);
        messages.delivered.sort();
        messages.delivered
    };
    let mut expected = joined(&config, messages.clone());
    expected.sort();
    assert!(expected.len() > 500, "{}", expected.len());
    let seen = network(LINK);
    let first = seen.iter().zip(&expected).position(|(seen, expected)| seen != expected);
    assert!(first.is_none() && seen.len() == expected.len(), "{:?}", first.map(|i| (seen[i], expected[i])));
    assert!(network(LINK + 1) != expected, "a longer link is not seen");
}
