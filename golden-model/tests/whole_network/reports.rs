//! What goes wrong is said.

use crate::whole_network::workloads::{Relay, Script, Told};
use powar_config::{Config, Message, Workload};
use powar_golden::fast::switch::{Inputs, Outputs, Switch};
use powar_golden::network::{Ended, NetPacket, Network, NetworkParameters, SwitchModel};

fn network(name: &str) -> Network {
    Network::new(&NetworkParameters::new(Config::of_network(name).unwrap())).unwrap()
}

#[test]
fn values_out_of_range_are_named() {
    let good = NetworkParameters::new(Config::of_network("star-4").unwrap());
    for (parameters, name) in [
        (NetworkParameters { packet_flits: 0, ..good.clone() }, "packet_flits: 0"),
        (NetworkParameters { packet_flits: 17, ..good.clone() }, "packet_flits: 17"),
        (NetworkParameters { link_delay: 4096, ..good.clone() }, "link_delay: 4096"),
        (NetworkParameters { node_link_delay: 4096, ..good.clone() }, "node_link_delay: 4096"),
    ] {
        let error = Network::new(&parameters).unwrap_err().to_string();
        assert!(error.starts_with(name) && error.contains("out of range"), "{error}");
    }
}

#[test]
fn messages_to_nowhere_are_refused() {
    for (source, destination, flits) in [(0, 4, 1), (9, 0, 1), (2, 2, 8), (1, 2, 0)] {
        let mut script = Script::new(&[(3, source, destination, flits)]);
        let error = network("star-4").run(&mut script, 100, &mut ()).unwrap_err().to_string();
        assert!(error.contains("between two different of 4 nodes"), "{error}");
    }
}

/// Waits for an answer that nobody sends.
struct Forlorn(Relay);

impl Workload for Forlorn {
    fn next_event(&self) -> u64 {
        self.0.next_event()
    }
    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
        self.0.act(now, messages)
    }
    fn sent(&mut self, _: u64, _: &Message) {}
    fn delivered(&mut self, _: u64, _: &Message) {}
    fn is_over(&self) -> bool {
        false
    }
    fn waits(&self) -> Vec<String> {
        self.0.waits()
    }
    fn computing(&self, _: u64) -> Vec<f64> {
        vec![]
    }
}

#[test]
fn who_waits_for_ever_is_named() {
    let relay = Relay { nodes: 4, left: 3, gap: 1, next: 0, told: Told::default() };
    let error = network("star-4").run(&mut Forlorn(relay), u64::MAX, &mut ()).unwrap_err().to_string();
    assert!(error.contains("the nodes wait for ever: message 2 is still to come"), "{error}");
}

/// Switches of a ring that all take themselves for the first: packets to node 1 go round for ever, until nothing fits in any more.
#[test]
fn a_deadlock_is_shown_as_a_circle_of_packets() {
    let mut config = Config::of_network("torus-4").unwrap();
    config.powar_mut().unwrap().policy = "reference".into();
    config.switch.buffer_flits = 4 * 24;
    let parameters = NetworkParameters::new(config);
    let mut network = Network::with_switches(&parameters, |_, mut switch| {
        switch.move_to(0, 0);
        Ok(switch)
    })
    .unwrap();
    let messages: Vec<(u64, u32, u32, u64)> = (0..400).map(|i| (i * 10, [0, 2, 3][i as usize % 3], 1, 8)).collect();
    let error = network.run(&mut Script::new(&messages), u64::MAX, &mut ()).unwrap_err().to_string();
    assert!(error.contains("packets are deadlocked; the one to node 1 in switch"), "{error}");
    assert_eq!(error.matches("waits for room in switch").count(), 4, "{error}");
}

/// A switch that forgets to give credits back.
struct Forgetful(Switch<NetPacket>, Outputs<NetPacket>);

impl SwitchModel for Forgetful {
    fn step(&mut self, now: u64, inputs: &Inputs<NetPacket>) -> &Outputs<NetPacket> {
        self.1.clone_from(SwitchModel::step(&mut self.0, now, inputs));
        self.1.credits.clear();
        &self.1
    }
    fn next_event(&self) -> u64 {
        SwitchModel::next_event(&self.0)
    }
    fn golden(&self) -> &Switch<NetPacket> {
        &self.0
    }
    fn golden_mut(&mut self) -> &mut Switch<NetPacket> {
        &mut self.0
    }
}

#[test]
fn lost_credits_are_no_deadlock_and_said_to_be_lost() {
    let parameters = NetworkParameters::new(Config::of_network("2-ary-2-tree").unwrap());
    let outputs = Outputs::default();
    let mut network = Network::with_switches(&parameters, |_, switch| Ok(Forgetful(switch, outputs.clone()))).unwrap();
    let messages: Vec<(u64, u32, u32, u64)> = (0..400).map(|i| (i * 10, 0, 3, 8)).collect();
    let error = network.run(&mut Script::new(&messages), u64::MAX, &mut ()).unwrap_err().to_string();
    assert!(error.contains("no flit has moved") && error.contains("flits or credits are lost"), "{error}");
}

/// Everybody sends to one node: slow, but everything gets there.
#[test]
fn saturation_is_no_deadlock() {
    let mut network = network("torus-3x3");
    let messages: Vec<(u64, u32, u32, u64)> = (0..4000).map(|i| (i * 2, 1 + (i % 8) as u32, 0, 8)).collect();
    let mut script = Script::new(&messages);
    assert_eq!(network.run(&mut script, u64::MAX, &mut ()).unwrap(), Ended::Over);
    assert!(network.deadlock().is_none() && script.told.delivered.len() == 4000);
}
