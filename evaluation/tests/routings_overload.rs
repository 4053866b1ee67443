//! Every routing where nodes give more than the network takes: it goes on carrying about as much as it can, and is as quick as before when the
//! burst is over.

use powar_config::routing;
use powar_config::units::Nanoseconds;
use powar_evaluation::network::{Outcome, Simulation, Traffic, simulate};
use powar_traffic::synthetic::SyntheticOptions;

/// A network of some routing, with packets of 5 flits and hops of 8 cycles.
struct Case {
    topology: &'static str,
    routing: &'static str,
    vcs: usize,
}

/// Those whose packets may be led in circles are large enough to be full of them.
const CASES: [Case; 27] = [
    case("star-8", "star", 2),
    case("4-ary-2-tree", "fat-tree", 4),
    case("4-ary-2-tree", "least-occupied", 4),
    case("mesh-6x6", "mesh", 3),
    case("torus-6x6", "torus", 3),
    case("torus-8x8", "torus-limited", 4),
    case("torus-8x8", "torus-limited", 8),
    case("torus-16", "torus-limited", 4),
    case("torus-4x4x4", "torus-limited", 2),
    case("dragonfly-p2a4h2", "dragonfly-minimal", 4),
    case("dragonfly-p2a4h2", "dragonfly-ugal", 4),
    case("boards-4x4", "boards", 4),
    case("mesh-8x8", "staircase-escape", 3),
    case("torus-8x8", "staircase-escape", 3),
    case("torus-8x8", "staircase-escape", 6),
    case("mesh-8x8", "alternating-escape", 3),
    case("torus-8x8", "alternating-escape", 3),
    case("mesh-6x6", "west-last-east-last", 4),
    case("mesh-6x6", "table", 3),
    case("mesh-8x8", "table", 4),
    case("torus-8x8", "table", 3),
    case("file:../experiments/networks/random-40.edges", "table", 4),
    // Where tables without a limit carry 0.5 to 0.8 of their most.
    case("torus-16", "table-limited", 2),
    case("torus-16", "table-limited", 4),
    case("mesh-8x8", "table-limited", 3),
    case("file:../experiments/networks/random-40.edges", "table-limited", 2),
    case("file:../experiments/networks/random-40.edges", "table-limited", 3),
];

const fn case(topology: &'static str, routing: &'static str, vcs: usize) -> Case {
    Case { topology, routing, vcs }
}

impl Case {
    fn run(&self, traffic: SyntheticOptions, warm_up: u64, interval: u64) -> Outcome {
        let simulation = Simulation {
            topology: self.topology.into(),
            routing: Some(self.routing.into()),
            policy: "reference".into(),
            vcs: self.vcs,
            buffer_flits: 27 * self.vcs,
            packet_flits: 5,
            max_packet_flits: Some(5),
            hop: Nanoseconds(12.8),
            traffic: Traffic::Synthetic(SyntheticOptions { packet_flits: 5, ..traffic }),
            warm_up,
            interval,
            ..Simulation::default()
        };
        simulate(&simulation, &mut |_| ()).unwrap()
    }

    /// Flits that a node puts in a cycle, at this load.
    fn accepted(&self, load: f64) -> f64 {
        self.run(SyntheticOptions { load, cycles: 12_000, ..SyntheticOptions::default() }, 6_000, 0).accepted
    }
}

#[test]
fn every_routing_carries_nearly_as_much_under_overload_as_it_can() {
    for case in CASES {
        let most = [0.1, 0.2, 0.3, 0.4, 0.6].map(|load| case.accepted(load)).into_iter().fold(0.0, f64::max);
        let overloaded = case.accepted(1.0);
        let Case { topology, routing, vcs } = case;
        assert!(overloaded > 0.8 * most, "{topology}, {routing}, {vcs} VCs: {overloaded} of {most}");
    }
}

#[test]
fn after_a_burst_every_routing_is_as_quick_as_before() {
    for case in CASES {
        let steps = [(0, 0.1), (8_000, 0.1), (8_001, 1.0), (14_000, 1.0), (14_001, 0.1), (64_000, 0.1)];
        let traffic = SyntheticOptions { load: 1.0, ramp: steps.into(), cycles: 64_000, ..SyntheticOptions::default() };
        let latencies: Vec<_> = case.run(traffic, 0, 4_000).series.iter().map(|interval| interval.latency).collect();
        let [before, burst, after] = [1, 3, 15].map(|interval| latencies[interval].expect("packets come in"));
        let Case { topology, routing, vcs } = case;
        assert!(burst > 1.5 * before, "{topology}, {routing}, {vcs} VCs: no burst, {latencies:?}");
        assert!(after < 1.3 * before, "{topology}, {routing}, {vcs} VCs: {latencies:?}");
    }
}

#[test]
fn no_routing_is_left_out() {
    for routing in routing::ALL {
        assert!(CASES.iter().any(|case| case.routing == routing.name), "{}", routing.name);
    }
}
