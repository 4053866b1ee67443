//! Routing tables, exhaustively on small networks: every row is followed on every port that it offers, by a second search of the graph.

use powar_config::routing::tables::{RoutingTables, TableRow};
use powar_config::topology::wiring::{End, Place, Wiring};
use powar_config::{Config, Topology};
use proptest::prelude::*;
use std::sync::Arc;

/// A network of these cables between switches, with these switches' nodes (each with so many links), in this order.
fn network(switches: usize, nodes: &[(usize, usize)], cables: &[(usize, usize)]) -> Wiring {
    let mut wiring = Wiring {
        places: (0..switches).map(|switch| Place { position: switch as u16, stage: 0 }).collect(),
        ends: vec![vec![]; switches],
        nodes: vec![vec![]; nodes.len()],
        addresses: (0..nodes.len() as u16).collect(),
    };
    for (node, &(switch, links)) in nodes.iter().enumerate() {
        for link in 0..links {
            wiring.nodes[node].push((switch as u32, wiring.ends[switch].len() as u8));
            wiring.ends[switch].push(End::Node { node: node as u32, link: link as u8 });
        }
    }
    for &(one, other) in cables {
        let ports = [wiring.ends[one].len() as u8, wiring.ends[other].len() as u8];
        wiring.ends[one].push(End::Switch { switch: other as u32, port: ports[1] });
        wiring.ends[other].push(End::Switch { switch: one as u32, port: ports[0] });
    }
    wiring
}

/// Connected graphs of 1 to 12 switches, some without nodes, some of whose nodes have several links, with parallel cables.
fn networks() -> impl Strategy<Value = Wiring> {
    (1usize..=12).prop_flat_map(|switches| {
        let tree = prop::collection::vec(any::<prop::sample::Index>(), switches - 1);
        let more = prop::collection::vec((0..switches, 0..switches), 0..=20);
        let nodes = prop::collection::vec((0..switches, prop_oneof![4 => Just(1usize), 1 => 2usize..=3]), 1..=10);
        let names = Just((0..switches).collect::<Vec<_>>()).prop_shuffle();
        (tree, more, nodes, names).prop_map(move |(tree, more, nodes, names)| {
            let tree =
                tree.iter().enumerate().map(|(parent, index)| (names[parent + 1], names[index.index(parent + 1)]));
            let cables: Vec<_> = tree.chain(more.into_iter().filter(|(one, other)| one != other)).collect();
            network(switches, &nodes, &cables)
        })
    })
}

const NEVER: u32 = u32::MAX / 2;

/// Links between all pairs of switches over cables that may be taken (Floyd and Warshall); [`NEVER`] if no way leads there.
fn distances(wiring: &Wiring, may: impl Fn(usize, usize) -> bool) -> Vec<Vec<u32>> {
    let switches = wiring.ends.len();
    let mut all = vec![vec![NEVER; switches]; switches];
    for (switch, ends) in wiring.ends.iter().enumerate() {
        all[switch][switch] = 0;
        for end in ends {
            if let End::Switch { switch: other, .. } = *end
                && may(switch, other as usize)
            {
                all[switch][other as usize] = 1;
            }
        }
    }
    for over in 0..switches {
        for from in 0..switches {
            for to in 0..switches {
                all[from][to] = all[from][to].min(all[from][over] + all[over][to]);
            }
        }
    }
    all
}

fn next(wiring: &Wiring, switch: usize, port: usize) -> usize {
    match wiring.ends[switch][port] {
        End::Switch { switch, .. } => switch as usize,
        end => panic!("port {port} of switch {switch} leads to {end:?}"),
    }
}

/// Everything that is promised of the rows of a network.
fn check(wiring: &Wiring, vcs: usize) {
    let tables = RoutingTables::new(wiring, vcs).unwrap();
    let distance = distances(wiring, |_, _| true);
    let below = distances(wiring, |from, to| tables.rank(to) > tables.rank(from));
    let all_vcs = ((1u32 << vcs) - 1) as u8;
    for (node, links) in wiring.nodes.iter().enumerate() {
        let destination = links[0].0 as usize;
        let own: u64 = links.iter().map(|(_, port)| 1 << port).sum();
        for switch in 0..wiring.ends.len() {
            let row = tables.row(switch, wiring.addresses[node]);
            if switch == destination {
                let several = links.len() > 1;
                assert_eq!(row.adaptive, if several { own } else { 0 });
                assert_eq!(row.deterministic, 1 << own.trailing_zeros());
                assert_eq!((row.adaptive_vcs, row.deterministic_vcs), (if several { all_vcs } else { 0 }, all_vcs));
                continue;
            }
            // P: every port on a shortest way and no other.
            assert_eq!(tables.distance(switch, destination), distance[switch][destination]);
            let closer = wiring.ends[switch].iter().enumerate().filter(|(_, end)| {
                matches!(end, End::Switch { switch: next, .. }
                    if distance[*next as usize][destination] + 1 == distance[switch][destination])
            });
            let closer: u64 = closer.map(|(port, _)| 1 << port).sum();
            assert!(closer != 0);
            assert_eq!(row.adaptive, if vcs == 1 { 0 } else { closer });
            // A VC for a distance, all of them used: those that are more than there are distances go to the near ones.
            let longest = distance.iter().flatten().max().unwrap();
            let classes = (vcs as u32 - 1).min(*longest).max(1);
            let is_its = |vc: &u32| vc % classes == (distance[switch][destination] - 1) % classes;
            let its: u8 = (0..vcs as u32 - 1).filter(is_its).map(|vc| 1 << vc).sum();
            assert_eq!((row.adaptive_vcs, row.deterministic_vcs), (its, 1 << (vcs - 1)));
            assert!(vcs == 1 || its != 0);
            // D: the escape, followed to its end.
            let (mut here, mut steps, mut down) = (switch, 0, false);
            while here != destination {
                let row = tables.row(here, wiring.addresses[node]);
                assert_eq!(row.deterministic.count_ones(), 1);
                let next = next(wiring, here, row.deterministic.trailing_zeros() as usize);
                let goes_down = tables.rank(next) > tables.rank(here);
                assert!(goes_down || !down, "up after down, from {switch} to {destination}");
                (here, steps, down) = (next, steps + 1, goes_down);
                assert!(steps <= 2 * wiring.ends.len() as u32, "a circle, from {switch} to {destination}");
            }
            assert_eq!(steps, tables.escape_distance(switch, destination));
            // A shortest way down if there is one, else the best of those up.
            let up = wiring.ends[switch].iter().filter_map(|end| match *end {
                End::Switch { switch: next, .. } if tables.rank(next as usize) < tables.rank(switch) => {
                    Some(1 + tables.escape_distance(next as usize, destination))
                }
                _ => None,
            });
            let down = Some(below[switch][destination]).filter(|&links| links < NEVER);
            assert_eq!(Some(steps), down.or(up.min()), "from {switch} to {destination}");
        }
    }
    for address in (0..=u16::MAX).filter(|address| !wiring.addresses.contains(address)).step_by(97) {
        assert!((0..wiring.ends.len()).all(|switch| tables.row(switch, address).is_empty()), "{address:#x}");
    }
    assert!(is_acyclic(wiring, &tables), "the escape's channels wait for each other in a circle");
}

/// Whether no channels of the escape wait for each other in a circle: an input port (its VC of the escape) waits for the next on a row's D. Who may be in
/// it is followed from *every* switch, since packets come to the escape from adaptive VCs.
fn is_acyclic(wiring: &Wiring, tables: &RoutingTables) -> bool {
    let number = |switch: usize, port: usize| switch * 64 + port;
    let mut waits: Vec<Vec<usize>> = vec![vec![]; wiring.ends.len() * 64];
    for (node, &address) in wiring.addresses.iter().enumerate() {
        let destination = wiring.nodes[node][0].0 as usize;
        for start in (0..wiring.ends.len()).filter(|&start| start != destination) {
            let (mut here, mut channel) = (start, None);
            while here != destination {
                let port = tables.row(here, address).deterministic.trailing_zeros() as usize;
                let End::Switch { switch, port } = wiring.ends[here][port] else { panic!("no way out") };
                let next = number(switch as usize, port.into());
                if let Some(channel) = channel.replace(next) {
                    let waits: &mut Vec<usize> = &mut waits[channel];
                    waits.push(next);
                }
                here = switch as usize;
            }
        }
    }
    // Who waits for nobody (any more) is taken away.
    let mut left: Vec<usize> = (0..waits.len()).collect();
    let mut gone = vec![false; waits.len()];
    loop {
        let before = left.len();
        left.retain(|&channel| {
            gone[channel] = waits[channel].iter().all(|&next| gone[next]);
            !gone[channel]
        });
        if left.is_empty() || left.len() == before {
            return left.is_empty();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rows_of_random_networks(wiring in networks(), vcs in 1usize..=4) {
        check(&wiring, vcs);
    }

    #[test]
    fn words_are_fields_side_by_side(adaptive: u64, port: usize, of_adaptive: u8, of_deterministic: u8, ports in 2usize..=64, vcs in 1usize..=8) {
        let port_mask = u64::MAX >> (64 - ports);
        let vc_mask = u8::MAX >> (8 - vcs);
        let row = TableRow {
            adaptive: adaptive & port_mask | 1 << (port % ports),
            deterministic: 1 << (port % ports),
            adaptive_vcs: of_adaptive & vc_mask | 1,
            deterministic_vcs: of_deterministic & vc_mask | 1 << (vcs - 1),
        };
        let words = row.words(ports, vcs);
        prop_assert_eq!(words.len(), TableRow::word_count(ports, vcs));
        prop_assert_eq!(TableRow::of_words(&words, ports, vcs), row);
        // As one number in text, most significant bit first.
        let bits: String = words.iter().rev().map(|word| format!("{word:032b}")).collect();
        let bits = &bits[bits.len() - TableRow::bits(ports, vcs)..];
        let port_bits = TableRow::port_bits(ports);
        let wanted = format!(
            "{:0vcs$b}{:0vcs$b}{:0port_bits$b}{:0ports$b}",
            row.deterministic_vcs,
            row.adaptive_vcs,
            port % ports,
            row.adaptive
        );
        prop_assert_eq!(bits, wanted);
        // Either set alone.
        let adaptive = TableRow { deterministic: 0, deterministic_vcs: 0, ..row };
        let deterministic = TableRow { adaptive: 0, adaptive_vcs: 0, ..row };
        for row in [adaptive, deterministic, TableRow::default()] {
            prop_assert_eq!(TableRow::of_words(&row.words(ports, vcs), ports, vcs), row);
        }
    }
}

#[test]
fn words_by_hand() {
    let row = TableRow { adaptive: 0b101, deterministic: 0b010, adaptive_vcs: 0b01, deterministic_vcs: 0b10 };
    assert_eq!((TableRow::bits(3, 2), row.words(3, 2)), (9, vec![0b1_0010_1101]));
    let widest = TableRow { adaptive: 1 << 63, deterministic: 1 << 62, adaptive_vcs: 0x7f, deterministic_vcs: 0x80 };
    assert_eq!(widest.words(64, 8), [0, 1 << 31, 0x80 << 14 | 0x7f << 6 | 62]);
    // Neither a set without a virtual channel nor a port that isn't there.
    assert_eq!(TableRow::of_words(&[0b0_0000_1101], 3, 2), TableRow::default());
    assert_eq!(TableRow::of_words(&[0b0_1001_1101], 3, 2), TableRow::default());
    assert_eq!(TableRow::word_count(2, 1), 1);
    assert!(TableRow::default().is_empty() && !row.is_empty());
}

#[test]
fn rows_of_named_networks() {
    for name in
        ["star-4", "3-ary-2-tree", "k4-n3", "mesh-3x4-nodes2", "torus-4x4-trunk2", "dragonfly-p2a4h2", "boards-4x3"]
    {
        let wiring = Wiring::new(&Config::of_network(name).unwrap()).unwrap();
        for vcs in [1, 2, 4] {
            check(&wiring, vcs);
        }
    }
}

#[test]
fn destinations_take_turns_at_parallel_cables() {
    let name = "torus-4x4-trunk4-nodes4";
    let wiring = Wiring::new(&Config::of_network(name).unwrap()).unwrap();
    let tables = RoutingTables::new(&wiring, 4).unwrap();
    for switch in 0..wiring.ends.len() {
        let mut used = [0; 20];
        for &address in &wiring.addresses {
            used[tables.row(switch, address).deterministic.trailing_zeros() as usize] += 1;
        }
        assert!(
            used[..16].chunks(4).all(|cables| cables.iter().all(|&times| times == cables[0])),
            "{switch}: {used:?}"
        );
        assert!(used[16..].iter().all(|&times| times == 1));
    }
    // All of a fat-tree's roots lead to a leaf, but only one is above all others: the escape of all goes over that.
    let wiring = Wiring::new(&Config::of_network("4-ary-2-tree").unwrap()).unwrap();
    let tables = RoutingTables::new(&wiring, 4).unwrap();
    let row = tables.row(0, wiring.addresses[15]);
    assert_eq!((row.adaptive.count_ones(), row.deterministic.count_ones()), (4, 1));
    assert!(
        (0..8).any(|switch| tables.rank(switch) == 0 && wiring.first_node(switch as u32).is_err()),
        "a root is a root"
    );
}

#[test]
fn neighbours_that_are_as_good_share_destinations() {
    let wiring = Wiring::new(&Config::of_network("mesh-9x9").unwrap()).unwrap();
    let tables = RoutingTables::new(&wiring, 2).unwrap();
    // The root is in the middle; what is neither in its row nor in its column may go along either.
    let root = (0..81).find(|&switch| tables.rank(switch) == 0).unwrap();
    assert_eq!(root, 40);
    let aside = (0..81).filter(|switch| switch / 9 != 4 && switch % 9 != 4);
    let rows = aside.map(|switch| tables.row(root, wiring.addresses[switch]));
    let along_x = rows.filter(|row| row.deterministic.trailing_zeros() < 2).count();
    assert!((24..=40).contains(&along_x), "{along_x} of 64");
}

#[test]
fn switches_of_equal_networks_share_their_tables() {
    let config = Config::of_network("torus-4x4").unwrap();
    let first = RoutingTables::of(&config).unwrap();
    assert!(Arc::ptr_eq(&first, &RoutingTables::of(&config.clone()).unwrap()));
    let mut other = config.clone();
    other.switch.vcs = 2;
    let two = RoutingTables::of(&other).unwrap();
    assert_eq!((first.vcs(), two.vcs()), (4, 2));
    assert_eq!(two.wiring().ends.len(), config.topology.as_deref().map(|torus: &dyn Topology| torus.nodes(5)).unwrap());
    let elsewhere = RoutingTables::of(&Config::of_network("torus-4x5").unwrap()).unwrap();
    assert_eq!(elsewhere.wiring().ends.len(), 20);
}

#[test]
fn other_networks_are_refused_in_a_line() {
    let error = |wiring: &Wiring, vcs| RoutingTables::new(wiring, vcs).unwrap_err().to_string();
    let two = network(2, &[(0, 1), (1, 1)], &[]);
    assert_eq!(error(&two, 4), "topology: is in pieces; no way leads from switch 0 to switch 1");
    let good = network(2, &[(0, 1), (1, 1)], &[(0, 1)]);
    assert_eq!(error(&good, 0), "switch.vcs: 0 is out of range 1..=8");
    assert_eq!(error(&good, 9), "switch.vcs: 9 is out of range 1..=8");
    let mut lost = good.clone();
    lost.nodes[1].clear();
    assert_eq!(error(&lost, 4), "topology: node 1 is at no switch");
    let mut torn = good.clone();
    torn.nodes[1].push((0, 0));
    assert_eq!(error(&torn, 4), "topology: node 1 is at switches 1 and 0; expected one");
    let mut unnamed = good.clone();
    unnamed.addresses.pop();
    assert_eq!(error(&unnamed, 4), "topology: node 1 has no address");
    let many = network(16385, &[], &[]);
    assert_eq!(error(&many, 4), "topology: 16385 switches are out of range 1..=16384 for routing tables");
    assert_eq!(error(&network(0, &[], &[]), 4), "topology: 0 switches are out of range 1..=16384 for routing tables");
}

/// A ring's ways are longer than a byte can say.
#[test]
fn long_ways() {
    let switches = 700;
    let cables: Vec<_> = (0..switches).map(|switch| (switch, (switch + 1) % switches)).collect();
    let wiring = network(switches, &[(0, 1), (350, 1)], &cables);
    let tables = RoutingTables::new(&wiring, 2).unwrap();
    assert_eq!((tables.distance(0, 350), tables.distance(349, 350), tables.distance(10, 690)), (350, 1, 20));
    assert!(is_acyclic(&wiring, &tables));
}

/// 65536 nodes on 4096 switches: two bytes for a pair of switches.
#[test]
fn a_large_network() {
    let wiring = Wiring::new(&Config::of_network("torus-16x16x16-nodes16").unwrap()).unwrap();
    let tables = RoutingTables::new(&wiring, 4).unwrap();
    assert_eq!((wiring.nodes.len(), wiring.ends.len()), (65536, 4096));
    for (switch, node, links) in [(0, 65535, 3), (0, 8 * 16, 8), (4095, 16 * 2048 + 5, 1 + 1 + 7), (100, 1600, 0)] {
        assert_eq!(tables.distance(switch, node / 16), links);
        let row = tables.row(switch, wiring.addresses[node]);
        assert_eq!(row.deterministic.count_ones(), 1);
        assert_eq!(row.adaptive == 0, links == 0);
    }
    #[cfg(target_os = "linux")]
    {
        // Of the process, with the other tests and the wiring twice.
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        println!("{peak} KiB");
        assert!(peak < 200 * 1024, "{peak} KiB in memory at a time");
    }
}

/// What docs/networks.md says of the shipped network's ways; the other two means were computed apart, with networkx.
#[test]
fn ways_of_the_shipped_network() {
    let config = Config::of_network("file:../experiments/networks/random-40.edges").unwrap();
    let tables = RoutingTables::of(&config).unwrap();
    let mean = |links: &dyn Fn(usize, usize) -> u32| {
        let all: u32 =
            (0..40).flat_map(|from| (0..40).map(move |to| (from, to))).map(|(from, to)| links(from, to)).sum();
        f64::from(all) / (40.0 * 39.0)
    };
    let (shortest, escape) =
        (mean(&|from, to| tables.distance(from, to)), mean(&|from, to| tables.escape_distance(from, to)));
    assert!((shortest - 2.39615).abs() < 1e-4 && (escape - 2.69936).abs() < 1e-4, "{shortest} {escape}");
}
