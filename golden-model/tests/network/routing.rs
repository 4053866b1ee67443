//! The routing units, searched by brute force: every packet arrives over minimal paths whatever the switches choose, all
//! minimal paths are offered, and no set of channels that a packet may have to wait for closes a cycle.

use crate::network::build::{End, Network, config, fat_tree, route_at, torus};
use powar_config::Config;
use powar_config::topology::{Star, unpack_address};
use powar_golden::bits::ones;
use powar_golden::reference::routing::{Route, routing_unit};
use std::collections::{HashMap, HashSet, VecDeque};

/// A channel of the network: switch, output port, VC.
type Channel = (usize, usize, usize);

impl Network {
    fn route(&self, switch: usize, node: usize) -> Route {
        route_at(&*self.unit, self.positions[switch], self.stages[switch], self.nodes[node])
    }

    /// Hops from every switch to a node, found by search alone.
    fn distances(&self, node: usize) -> Vec<usize> {
        let mut distances = vec![usize::MAX; self.links.len()];
        let mut queue: VecDeque<usize> = VecDeque::new();
        for (switch, links) in self.links.iter().enumerate() {
            if links.contains(&End::Node(node)) {
                distances[switch] = 1;
                queue.push_back(switch);
            }
        }
        // Every cable goes both ways, so the neighbours a switch reaches are those that reach it.
        while let Some(switch) = queue.pop_front() {
            for &end in &self.links[switch] {
                if let End::Switch(other, _) = end
                    && distances[other] == usize::MAX
                {
                    distances[other] = distances[switch] + 1;
                    queue.push_back(other);
                }
            }
        }
        assert!(distances.iter().all(|&distance| distance != usize::MAX), "the network hangs together");
        distances
    }

    /// The ports over which a node is a hop nearer.
    fn minimal_ports(&self, switch: usize, node: usize, distances: &[usize]) -> u64 {
        let nearer = |end: &End| match *end {
            End::Node(other) => other == node,
            End::Switch(other, _) => distances[other] + 1 == distances[switch],
            End::Open => false,
        };
        self.links[switch].iter().enumerate().fold(0, |ports, (p, end)| ports | u64::from(nearer(end)) << p)
    }

    /// Every switch sends packets for every node only over minimal paths, so that all arrive, and offers all of them.
    fn walk(&self) {
        for node in 0..self.nodes.len() {
            let distances = self.distances(node);
            for switch in self.passed_by(node) {
                let route = self.route(switch, node);
                let minimal = self.minimal_ports(switch, node, &distances);
                let at = format!("{} switch {switch} node {node}: {route:?}", self.unit.name());
                assert!(route.routable, "{at}");
                assert_ne!(minimal, 0);
                assert_eq!(route.adaptive | route.deterministic, minimal, "{at}");
                assert_eq!((route.adaptive_vcs >> self.vcs, route.deterministic_vcs >> self.vcs), (0, 0), "{at}");
                assert_eq!(route.deterministic == 0, route.deterministic_vcs == 0, "{at}");
            }
        }
    }

    /// The switches that packets for a node pass, from any node and with any choice.
    fn passed_by(&self, node: usize) -> Vec<usize> {
        let mut seen: HashSet<usize> = HashSet::new();
        let with_nodes = |switch: &usize| self.links[*switch].iter().any(|end| matches!(end, End::Node(_)));
        let mut stack: Vec<usize> = (0..self.links.len()).filter(with_nodes).collect();
        while let Some(switch) = stack.pop() {
            if !seen.insert(switch) {
                continue;
            }
            let route = self.route(switch, node);
            for port in ones(route.adaptive | route.deterministic) {
                match self.links[switch][port] {
                    End::Switch(next, _) => stack.push(next),
                    End::Node(reached) => assert_eq!(reached, node, "{} switch {switch}", self.unit.name()),
                    End::Open => panic!("{} switch {switch}: port {port} leads nowhere", self.unit.name()),
                }
            }
        }
        let mut seen: Vec<usize> = seen.into_iter().collect();
        seen.sort_unstable();
        seen
    }

    /// The channels to a switch that a packet may always wait for: those of D, or of P where D is empty.
    fn escapes(&self, switch: usize, node: usize) -> Vec<Channel> {
        let route = self.route(switch, node);
        let (ports, vcs) = match route.deterministic {
            0 => (route.adaptive, route.adaptive_vcs),
            set => (set, route.deterministic_vcs),
        };
        ones(ports).flat_map(|p| ones(vcs).map(move |w| (switch, p, w))).collect()
    }

    /// Duato's extended channel dependency graph: from an escape channel to every one that the packet may wait for next,
    /// directly or after hops on adaptive channels.
    fn dependencies(&self) -> HashMap<Channel, HashSet<Channel>> {
        let mut graph: HashMap<Channel, HashSet<Channel>> = HashMap::new();
        for node in 0..self.nodes.len() {
            for switch in self.passed_by(node) {
                for channel in self.escapes(switch, node) {
                    let next = graph.entry(channel).or_default();
                    let mut stack = vec![self.links[switch][channel.1]];
                    let mut seen = HashSet::new();
                    while let Some(end) = stack.pop() {
                        let End::Switch(at, _) = end else { continue };
                        if !seen.insert(at) {
                            continue;
                        }
                        next.extend(self.escapes(at, node));
                        stack.extend(ones(self.route(at, node).adaptive).map(|p| self.links[at][p]));
                    }
                }
            }
        }
        graph
    }
}

/// Takes away channels that nothing depends on until none is left.
fn is_acyclic(graph: &HashMap<Channel, HashSet<Channel>>) -> bool {
    let mut waiting: HashMap<Channel, usize> = graph.keys().map(|&channel| (channel, 0)).collect();
    for &next in graph.values().flatten() {
        *waiting.entry(next).or_default() += 1;
    }
    let mut free: Vec<Channel> =
        waiting.iter().filter(|&(_, &count)| count == 0).map(|(&channel, _)| channel).collect();
    let mut taken = 0;
    while let Some(channel) = free.pop() {
        taken += 1;
        for next in graph.get(&channel).into_iter().flatten() {
            let count = waiting.get_mut(next).unwrap();
            *count -= 1;
            if *count == 0 {
                free.push(*next);
            }
        }
    }
    taken == waiting.len()
}

#[test]
fn fat_trees_deliver_over_all_minimal_paths_without_cycles() {
    for (k, n) in [(2, 1), (3, 1), (2, 2), (3, 2), (4, 2), (5, 2), (2, 3), (3, 3), (2, 4)] {
        let network = fat_tree(k, n, false, 4);
        network.walk();
        assert!(is_acyclic(&network.dependencies()), "{k}-ary {n}-tree");
    }
}

#[test]
fn folded_fat_trees_use_both_links_to_a_subtree() {
    for (k, n) in [(2, 2), (4, 2), (6, 2), (2, 3), (4, 3), (2, 4)] {
        let network = fat_tree(k, n, true, 2);
        network.walk();
        assert!(is_acyclic(&network.dependencies()), "folded {k}-ary {n}-tree");
    }
}

#[test]
fn a_fat_trees_packets_keep_the_vc_of_their_destination() {
    for (folded, vcs) in [(false, 4), (true, 4), (false, 3), (true, 5), (false, 7)] {
        let network = fat_tree(4, 2, folded, vcs);
        for (node, &address) in network.nodes.iter().enumerate() {
            for switch in 0..network.links.len() {
                let route = network.route(switch, node);
                let vc = 1 << (address % 64 % vcs as u16);
                let masks = (route.adaptive_vcs, route.deterministic_vcs);
                assert_eq!(masks, if route.adaptive != 0 { (vc, 0) } else { (0, vc) });
                assert_eq!(route.adaptive != 0, route.deterministic == 0);
            }
        }
    }
}

#[test]
fn tori_of_odd_and_even_sizes_deliver_over_all_minimal_paths() {
    for sizes in [&[2][..], &[3], &[4], &[5], &[8], &[2, 2], &[3, 4], &[2, 5], &[5, 3], &[4, 4], &[2, 3, 4], &[3, 3, 3]]
    {
        for trunk in [1, 2] {
            torus(sizes, trunk, 4).walk();
        }
    }
}

#[test]
fn the_escape_channels_of_a_torus_close_no_cycle_even_over_adaptive_hops() {
    for sizes in [&[2][..], &[3], &[4], &[5], &[8], &[2, 2], &[3, 4], &[5, 4], &[4, 4], &[2, 3, 4], &[3, 3, 3]] {
        for vcs in [2, 3, 4] {
            assert!(is_acyclic(&torus(sizes, 1, vcs).dependencies()), "{sizes:?} with {vcs} VCs");
        }
    }
    assert!(is_acyclic(&torus(&[4, 3], 2, 8).dependencies()));
}

#[test]
fn the_search_for_cycles_finds_one() {
    // All escape hops of a ring on one class: the textbook deadlock.
    let mut graph = HashMap::new();
    for ((switch, port, _), next) in torus(&[5], 1, 2).dependencies() {
        let merged: &mut HashSet<Channel> = graph.entry((switch, port, 0)).or_default();
        merged.extend(next.into_iter().map(|(switch, port, _)| (switch, port, 0)));
    }
    assert!(!is_acyclic(&graph));
}

#[test]
fn adaptive_packets_of_a_torus_stay_off_the_escape_channels() {
    let network = torus(&[4, 5], 2, 4);
    for (switch, node) in (0..20).flat_map(|switch| (0..20).map(move |node| (switch, node))) {
        let route = network.route(switch, node);
        let expected = if switch == node { (0, 0b1111) } else { (0b0011, route.deterministic_vcs & 0b1100) };
        assert_eq!((route.adaptive_vcs, route.deterministic_vcs), expected);
        assert_eq!(route.adaptive == 0, switch == node);
        let escape_vcs = if switch == node { 4 } else { 1 };
        assert_eq!((route.deterministic.count_ones(), route.deterministic_vcs.count_ones()), (2, escape_vcs));
    }
    assert_eq!(
        torus(&[3], 1, 2).route(0, 1),
        Route { routable: true, adaptive: 0b00001, deterministic: 0b00001, adaptive_vcs: 0, deterministic_vcs: 0b10 }
    );
}

#[test]
fn a_star_sends_to_the_port_of_the_node() {
    let star = config(Star {}, 5, 4);
    let unit = routing_unit(&star).unwrap();
    for node in 0..5 {
        let expected =
            Route { routable: true, deterministic: 1 << node, deterministic_vcs: 1 << (node % 4), ..Route::default() };
        assert_eq!(route_at(&*unit, 3, 0, node), expected);
    }
}

#[test]
fn exactly_the_nodes_that_exist_are_routable() {
    for name in ["star-5", "3-ary-3-tree", "k4-n2", "torus-3x5-trunk2", "torus-16x16x16x16"] {
        let mut config = Config::of_network(name).unwrap();
        config.switch.vcs = 2;
        let (topology, ports) = (config.check_switch().unwrap(), config.ports);
        let unit = routing_unit(&config).unwrap();
        let bases = topology.bases(ports);
        for address in 0..=u16::MAX {
            let route = route_at(&*unit, 0, 0, address);
            assert_eq!(route.routable, unpack_address(&bases, address).is_some(), "{topology:?} {address:#x}");
            assert_eq!(route.adaptive | route.deterministic == 0, !route.routable);
            assert!(route.routable || route == Route::default());
        }
    }
}
