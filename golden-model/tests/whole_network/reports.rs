//! What goes wrong is said.

use crate::workloads::{Relay, Script, Told};
use powar_config::{Config, Message, Workload};
use powar_golden::network::{Network, NetworkParameters};

fn network(name: &str) -> Network {
    Network::new(&NetworkParameters::new(Config::of_network(name).unwrap())).unwrap()
}

#[test]
fn values_out_of_range_are_named() {
    let good = NetworkParameters::new(Config::of_network("star-4").unwrap());
    for (parameters, name) in [
        (NetworkParameters { packet_flits: 0, ..good.clone() }, "packet_flits: 0"),
        (NetworkParameters { packet_flits: 17, ..good.clone() }, "packet_flits: 17"),
        (NetworkParameters { link_delay: 1 << 21, ..good.clone() }, "link_delay: 2097152"),
        (NetworkParameters { node_link_delay: 1 << 21, ..good.clone() }, "node_link_delay: 2097152"),
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
