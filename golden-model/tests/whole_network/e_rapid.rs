//! Networks of E-RAPID's boards: against the plain network, and what their mechanism says of packets that wait.

use crate::support::{TestedMechanism, e_rapid};
use crate::whole_network::equality::Pair;
use crate::whole_network::workloads::Script;
use powar_config::Config;
use powar_golden::network::{Ended, Network, NetworkParameters};

const NAMES: [&str; 4] = ["boards-2x3", "boards-3x2", "boards-4x2", "boards-3x4"];

/// Boards with short windows and random thresholds.
fn network(name: &str, seed: u64) -> NetworkParameters {
    let mut config = Config::of_network(name).unwrap();
    e_rapid::take_over(&mut config, &mut fastrand::Rng::with_seed(seed));
    let mut parameters = NetworkParameters::new(config);
    (parameters.link_delay, parameters.node_link_delay) = (3, 2);
    parameters
}

fn script(parameters: &NetworkParameters, seed: u64) -> Script {
    let nodes = parameters.wiring().unwrap().nodes.len() as u32;
    Script::random(seed, nodes, 3_000, [0.05, 0.3, 0.9][seed as usize % 3])
}

#[test]
fn the_event_driven_network_does_what_the_plain_one_does() {
    let mut flits = 0;
    for (seed, name) in (0..).zip(NAMES.into_iter().cycle().take(12)) {
        let parameters = network(name, seed);
        let pair = Pair::of(&parameters, TestedMechanism::Configured, seed);
        let compared = pair.compare(&script(&parameters, seed), |script| script.told.clone());
        flits += compared.unwrap_or_else(|difference| panic!("{name}, seed {seed}: {difference}"));
    }
    assert!(flits > 50_000, "{flits}");
}

/// Whoever asks how long packets have waited is told of every cycle once, and changes nothing by asking.
#[test]
fn waiting_is_counted_whenever_it_is_asked_for() {
    let mut all = 0;
    for (seed, name) in (0..).zip(NAMES.into_iter().cycle().take(12)) {
        let parameters = network(name, seed);
        let run = |piece: u64| {
            let mut network = Network::new(&parameters).unwrap();
            let (mut script, mut until) = (script(&parameters, seed), piece);
            let mut before = network.waited();
            while network.run(&mut script, until, &mut ()).unwrap() == Ended::Time {
                let now = network.waited();
                let steps = now.iter().flatten().zip(before.iter().flatten()).map(|(now, before)| now - before);
                assert!(steps.max() <= Some(piece), "{name}: more cycles than there were");
                (before, until) = (now, until + piece);
            }
            (network.now(), network.waited(), network.port_counts(), script.told)
        };
        let whole = run(1 << 40);
        for piece in [1, 137, 1000] {
            assert!(run(piece) == whole, "{name}, seed {seed}, in pieces of {piece}");
        }
        all += whole.1.iter().flatten().sum::<u64>();
    }
    assert!(all > 10_000, "{all}");
}
