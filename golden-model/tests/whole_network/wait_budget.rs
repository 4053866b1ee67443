//! The promise of the mechanism Ahead in whole networks: in any window of L cycles a port makes packets wait for at most `bound` x L + `cap` cycles.

use crate::whole_network::workloads::Script;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::ahead::{AheadParameters, AheadValues, BOUND_BITS};
use powar_config::units::Nanoseconds;
use powar_config::{Config, PowarParameters};
use powar_golden::network::{Ended, Network, NetworkParameters};

/// Ports that sleep after 20 idle cycles, take 30 to fall asleep and 40 to wake: a packet often comes a moment too late.
pub fn hasty() -> PowarParameters {
    let cycle_ns = Config::of_network("2-ary-2-tree").unwrap().cycle_ns;
    let cycles = |count: u32| Nanoseconds(f64::from(count) * cycle_ns);
    PowarParameters { pdt: cycles(20), t_sleep: cycles(30), t_wake: cycles(40), ..PowarParameters::default() }
}

pub fn network(topology: &str, mechanism: Chosen) -> (Config, Network) {
    let config = Config { mechanism, ..Config::of_network(topology).unwrap() };
    config.check().unwrap();
    let network = Network::new(&NetworkParameters::new(config.clone())).unwrap();
    (config, network)
}

fn ahead(bound: f64, cap: f64) -> Chosen {
    Chosen(Box::new(AheadParameters { powar: hasty(), bound, cap, ..AheadParameters::default() }))
}

/// The worst of all windows of a run: by how much more a port has lost than `bound` of the window, parts of 2^-16 of a cycle; and the cycles that all ports have lost.
fn worst(network: &mut Network, script: &mut Script, bound: i64) -> (i64, u64) {
    let mut excess = vec![[0i64; 64]; network.switches().len()];
    let (mut worst, mut lost_cycles) = (0, 0);
    loop {
        for (switch, excess) in network.switches().iter().zip(&mut excess) {
            let lost = switch.held() & !switch.ready();
            lost_cycles += u64::from(lost.count_ones());
            for (port, excess) in excess.iter_mut().enumerate() {
                // The sum of the worst window that ends here: a window that comes to less than none begins anew.
                *excess = (*excess).max(0) + ((lost >> port & 1) as i64 * (1 << BOUND_BITS)) - bound;
                worst = worst.max(*excess);
            }
        }
        if network.run(script, network.now() + 1, &mut ()).unwrap() != Ended::Time {
            return (worst, lost_cycles);
        }
    }
}

/// A network with a budget keeps the promise, and the same one without it does not, by far; returned is the one with the
/// budget at the end of its run.
pub fn keeps_the_promise(
    topology: &str,
    budgeted: Chosen,
    values: fn(&Config) -> AheadValues,
    plain: Chosen,
) -> Network {
    let (config, mut budgeted) = network(topology, budgeted);
    let values = values(&config);
    let nodes = budgeted.nodes() as u32;
    let script = Script::random(11, nodes, 30_000, 0.05);
    let (excess, lost) = worst(&mut budgeted, &mut script.clone(), values.bound.into());
    let promised = (i64::from(values.cap) << BOUND_BITS) + (1 << BOUND_BITS);
    assert!(excess < promised, "{topology}: {excess} of {promised}");
    // It is not for nothing: budgets run out, and the network that has none loses more by far in its worst window.
    assert!(excess > promised / 2, "{topology}: {excess} of {promised}");
    let (_, mut plain) = network(topology, plain);
    let (plain_excess, plain_lost) = worst(&mut plain, &mut script.clone(), values.bound.into());
    assert!(
        plain_excess > 2 * promised && 2 * plain_lost > 3 * lost,
        "{topology}: {plain_excess} of {promised}, {plain_lost}, {lost}"
    );
    budgeted
}

#[test]
fn no_window_of_any_port_loses_more_than_was_promised() {
    for (topology, bound, cap) in [("4-ary-2-tree", 0.01, 2.0), ("4-ary-2-tree", 0.05, 4.0), ("torus-3x3", 0.02, 3.0)] {
        keeps_the_promise(topology, ahead(bound, cap), AheadValues::of, Chosen(Box::new(hasty())));
    }
}

#[test]
fn with_a_bound_of_1_a_network_behaves_as_with_powar() {
    for topology in ["4-ary-2-tree", "torus-3x3"] {
        let (_, mut budgeted) = network(topology, ahead(1.0, 2.0));
        let (_, mut plain) = network(topology, Chosen(Box::new(hasty())));
        let [mut first, mut second] = [0; 2].map(|_| Script::random(5, plain.nodes() as u32, 20_000, 0.1));
        budgeted.run(&mut first, u64::MAX, &mut ()).unwrap();
        plain.run(&mut second, u64::MAX, &mut ()).unwrap();
        assert_eq!(first.told, second.told);
        assert_eq!((budgeted.now(), budgeted.port_counts()), (plain.now(), plain.port_counts()));
        assert!(plain.port_counts().iter().flatten().map(|port| port.wake_ups).sum::<u64>() > 100);
    }
}
