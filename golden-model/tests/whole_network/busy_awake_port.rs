//! The routing example of POWAR (Andújar et al. 2019, Figure 3): in a 2-ary 2-tree node 0 sends to node 2 over one root, the only one with a port
//! awake, when a packet from node 1 to node 3 comes to the same leaf. Either it wakes the leaf's other up-port, and then a port of the other
//! root (Figure 3b), or it waits for a gap and takes the way that is awake (Figure 3c), unless the way carries so much that another one pays.

use crate::whole_network::workloads::Script;
use powar_config::{Config, PowarValues};
use powar_golden::network::{Network, NetworkParameters};

/// When node 0 begins: everything sleeps.
const START: u64 = 100_000;
/// Up-ports of a leaf; its switch is the first.
const UP: [usize; 2] = [2, 3];

/// What came of the packet.
#[derive(Debug)]
struct Seen {
    /// Wake-ups of the leaf's up-ports together, and of the down-ports of both roots.
    up: u64,
    roots: u64,
    /// Cycles that the packet took.
    latency: u64,
    /// T_w, cycles.
    wake: u64,
}

/// Node 0 sends a packet, which wakes all of its path, and then so many flits in one message; node 1 a packet, so many cycles after that has begun.
fn seen(policy: &str, flits: u64, later: u64) -> Seen {
    let mut config = Config::of_network("2-ary-2-tree").unwrap();
    let powar = config.powar_mut().unwrap();
    (powar.policy, powar.pdt) = (policy.into(), "100us".parse().unwrap());
    let wake = u64::from(PowarValues::of(&config).t_wake);
    let mut network = Network::new(&NetworkParameters::new(config)).unwrap();
    let begin = START + 4 * wake;
    let mut script = Script::new(&[(START, 0, 2, 8), (begin, 0, 2, flits), (begin + later, 1, 3, 8)]);
    network.run(&mut script, u64::MAX, &mut ()).unwrap();
    let counts = network.port_counts();
    let wake_ups = |switch: usize, ports: &[usize]| ports.iter().map(|&port| counts[switch][port].wake_ups).sum();
    let &(end, _) = script.told.delivered.iter().find(|&&(_, message)| message == 2).unwrap();
    Seen {
        up: wake_ups(0, &UP),
        roots: wake_ups(2, &[0, 1, 2, 3]) + wake_ups(3, &[0, 1, 2, 3]),
        latency: end - begin - later,
        wake,
    }
}

/// Node 0's packets are under way on all of their path, to which they are next to no load.
fn flowing(policy: &str) -> Seen {
    seen(policy, 800, 300)
}

#[test]
fn a_policy_without_selectable_ports_wakes_another_way() {
    let Seen { up, roots, latency, wake } = flowing("first-on");
    assert_eq!((up, roots), (2, 2));
    // The leaf's port, the other root's, and that of the destination, one after the other.
    assert!((3 * wake..3 * wake + 500).contains(&latency), "{latency}");
}

#[test]
fn powar_waits_for_the_way_that_is_awake() {
    let Seen { up, roots, latency, wake } = flowing("powar");
    assert_eq!((up, roots), (1, 1));
    // The destination's port alone.
    assert!((wake..wake + 500).contains(&latency), "{latency}");
}

#[test]
fn powar_takes_another_way_once_the_first_is_loaded() {
    // Half a dozen check periods at full rate, in which the second port becomes selectable.
    let Seen { up, roots, .. } = seen("powar", 60_000, 50_000);
    assert_eq!((up, roots), (2, 2));
}
