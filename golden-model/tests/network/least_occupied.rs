//! The routing of trees that looks at buffers, beside the one that does not.

use crate::network::build::{End, Network, fat_tree};
use fastrand::Rng;
use powar_config::routing;
use powar_golden::bits::ones;
use powar_golden::reference::routing::{Route, RoutingInputs, RoutingUnit, routing_unit};
use std::sync::Arc;

/// Bit of the header that asks for a deterministic way.
const DETERMINISTIC: u32 = 1 << 26;

fn least_occupied(network: &Network) -> Arc<dyn RoutingUnit> {
    let mut config = network.config.clone();
    let routing = &routing::least_occupied::ROUTING;
    config.route_by(routing);
    config.check_switch().unwrap();
    routing_unit(&config).unwrap()
}

/// What a unit sees of a packet in a switch, but for the output ports.
fn packet(network: &Network, switch: usize, node: usize, header: u32) -> RoutingInputs<'static> {
    RoutingInputs {
        position: network.positions[switch],
        stage: network.stages[switch],
        destination: network.nodes[node],
        header: header | u32::from(network.nodes[node]),
        ..RoutingInputs::default()
    }
}

/// Every switch and node, and a port at which packets for the node come in there: none that leads to it, if there is one.
fn cases(network: &Network, plain: &dyn RoutingUnit) -> Vec<(usize, usize, u8, Route)> {
    let mut cases = vec![];
    for switch in 0..network.links.len() {
        for node in 0..network.nodes.len() {
            let route = plain.route(&packet(network, switch, node, 0));
            let others = !(route.adaptive | route.deterministic);
            cases.push((switch, node, others.trailing_zeros() as u8, route));
        }
    }
    cases
}

const TREES: [(usize, usize, bool, usize); 6] =
    [(2, 1, false, 1), (4, 2, false, 4), (3, 3, false, 3), (2, 4, false, 7), (4, 2, true, 5), (2, 3, true, 8)];

#[test]
fn with_all_serving_and_equal_occupancy_it_is_that_of_fat_trees() {
    for (k, n, folded, vcs) in TREES {
        let network = fat_tree(k, n, folded, vcs);
        let unit = least_occupied(&network);
        for (switch, node, input_port, plain) in cases(&network, &*network.unit) {
            for occupancy in [[0; 64], [1234; 64]] {
                // On the VC of its destination, as in networks.
                let input_vc = (plain.adaptive_vcs | plain.deterministic_vcs).trailing_zeros() as u8;
                let serves = u64::MAX >> (64 - 2 * k);
                let seen = packet(&network, switch, node, 1 << 16);
                let route = unit.route(&RoutingInputs { input_port, input_vc, serves, occupancy: &occupancy, ..seen });
                // VCs of sets that may hold ports in another cycle.
                let deterministic_vcs = if route.deterministic == 0 { 0 } else { route.deterministic_vcs };
                assert_eq!(
                    Route { deterministic_vcs, ..route },
                    plain,
                    "{k}-ary {n}-tree, switch {switch}, node {node}"
                );
            }
        }
    }
}

#[test]
fn it_never_leads_elsewhere_and_always_somewhere() {
    let mut rng = Rng::with_seed(1);
    for (k, n, folded, vcs) in TREES {
        let network = fat_tree(k, n, folded, vcs);
        let unit = least_occupied(&network);
        let mut fewer = 0;
        for (switch, node, _, plain) in cases(&network, &*network.unit) {
            let occupancy: Vec<u64> = (0..2 * k).map(|_| rng.u64(0..4)).collect();
            let (input_port, input_vc) = (rng.u8(0..2 * k as u8), rng.u8(0..vcs as u8));
            let seen = RoutingInputs {
                input_port,
                input_vc,
                serves: rng.u64(..),
                occupancy: &occupancy,
                ..packet(&network, switch, node, rng.u32(..) << 16)
            };
            let route = unit.route(&seen);
            let (ports, all) = (route.adaptive | route.deterministic, plain.adaptive | plain.deterministic);
            assert!(ports != 0 && ports & !all == 0, "{seen:?}: {route:?}");
            assert_eq!(route.adaptive_vcs | route.deterministic_vcs, 1 << input_vc);
            assert!((route.adaptive == 0 || route.adaptive_vcs != 0) && route.deterministic_vcs != 0);
            // A choice is granted with the VCs of a cycle later, so they may not hang on what a switch changes.
            let other: Vec<u64> = (0..2 * k).map(|_| rng.u64(0..4)).collect();
            let later = unit.route(&RoutingInputs { serves: rng.u64(..), occupancy: &other, ..seen });
            let stays = |route: Route| (route.routable, route.adaptive_vcs, route.deterministic_vcs);
            assert_eq!(stays(route), stays(later));
            fewer += usize::from(route.adaptive != plain.adaptive);
        }
        assert!(fewer > 0 || n == 1, "{k}-ary {n}-tree: the choice is never narrowed");
    }
}

/// Packets that ask for a deterministic way arrive on the shortest, and all from a node to another on the same.
#[test]
fn deterministic_ways_arrive() {
    for (k, n, folded, vcs) in TREES {
        let network = fat_tree(k, n, folded, vcs);
        let unit = least_occupied(&network);
        for (from, to) in (0..network.nodes.len()).flat_map(|from| (0..network.nodes.len()).map(move |to| (from, to))) {
            let mut at = End::Switch(from / k, from % k);
            let mut hops = 0;
            while let End::Switch(switch, input_port) = at {
                hops += 1;
                assert!(hops < 2 * n, "{k}-ary {n}-tree: from {from} to {to} in circles");
                let seen = packet(&network, switch, to, DETERMINISTIC | 1 << 16);
                let route = unit.route(&RoutingInputs { input_port: input_port as u8, ..seen });
                let ports: Vec<usize> = ones(route.deterministic).collect();
                assert_eq!((ports.len(), route.adaptive, route.adaptive_vcs), (1, 0, 0));
                at = network.links[switch][ports[0]];
            }
            assert_eq!(at, End::Node(to), "{k}-ary {n}-tree: from {from}");
        }
    }
}
