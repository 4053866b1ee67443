//! Where nodes send to.

use super::run;
use powar_traffic::synthetic::{
    ClosedLoopOptions, HotSpotOptions, IncastOptions, PATTERNS, Synthetic, SyntheticOptions,
};
use std::collections::{BTreeMap, BTreeSet};

/// Packets from each node to each other one.
fn flows(options: &SyntheticOptions, nodes: u32, dimensions: &[u32]) -> BTreeMap<(u32, u32), u64> {
    let mut flows = BTreeMap::new();
    for (_, message) in run(options, nodes, dimensions) {
        assert_ne!(message.source, message.destination);
        assert!(message.source < nodes && message.destination < nodes);
        *flows.entry((message.source, message.destination)).or_default() += 1;
    }
    flows
}

/// A pattern in which each node sends to one other at most: the destinations, the node itself if it is silent.
fn permutation(pattern: &str, nodes: u32, dimensions: &[u32]) -> Vec<u32> {
    let options =
        SyntheticOptions { pattern: pattern.into(), load: 1.0, packet_flits: 1, cycles: 50, ..Default::default() };
    let mut table: Vec<u32> = (0..nodes).collect();
    for ((source, destination), packets) in flows(&options, nodes, dimensions) {
        assert_eq!(table[source as usize], source, "{pattern}: a second destination of {source}");
        assert_eq!(packets, 50, "one packet a cycle, all to the same node");
        table[source as usize] = destination;
    }
    table
}

/// The bits of a number, lowest first, as the definitions count them.
fn bits(number: u32, count: usize) -> Vec<u32> {
    (0..count).map(|bit| number >> bit & 1).collect()
}

fn number(bits: &[u32]) -> u32 {
    bits.iter().rev().fold(0, |number, bit| number * 2 + bit)
}

/// Dally and Towles, Table 3.1, bit by bit.
#[test]
fn bit_patterns_are_those_of_the_book() {
    type Definition = fn(&[u32], usize) -> u32;
    let definitions: [(&str, Definition); 5] = [
        ("bit-complement", |s, i| 1 - s[i]),
        ("bit-reversal", |s, i| s[s.len() - 1 - i]),
        ("shuffle", |s, i| s[(i + s.len() - 1) % s.len()]),
        ("transpose", |s, i| s[(i + s.len() / 2) % s.len()]),
        ("butterfly", |s, i| {
            s[if i == 0 {
                s.len() - 1
            } else if i == s.len() - 1 {
                0
            } else {
                i
            }]
        }),
    ];
    for (pattern, definition) in definitions {
        for count in 2..=10 {
            if pattern == "transpose" && count % 2 == 1 {
                continue;
            }
            let expected: Vec<u32> = (0..1 << count)
                .map(|source| bits(source, count))
                .map(|source| number(&(0..count).map(|i| definition(&source, i)).collect::<Vec<_>>()))
                .collect();
            assert_eq!(permutation(pattern, 1 << count, &[]), expected, "{pattern}, {count} bits");
        }
    }
}

#[test]
fn worked_examples() {
    // 16 nodes, node 0001 and others.
    for (pattern, pairs) in [
        ("bit-complement", [(0b0001, 0b1110), (0b1010, 0b0101), (0b1111, 0b0000)]),
        ("bit-reversal", [(0b0001, 0b1000), (0b1010, 0b0101), (0b0110, 0b0110)]),
        ("shuffle", [(0b0001, 0b0010), (0b1010, 0b0101), (0b1111, 0b1111)]),
        ("butterfly", [(0b0001, 0b1000), (0b1010, 0b0011), (0b1001, 0b1001)]),
        ("transpose", [(0b0001, 0b0100), (0b1011, 0b1110), (0b0101, 0b0101)]),
        // A ring of 16: 7 on. Of the torus below: see there.
        ("tornado", [(0, 7), (8, 15), (9, 0)]),
        ("neighbor", [(0, 1), (14, 15), (15, 0)]),
    ] {
        let table = permutation(pattern, 16, &[]);
        for (source, destination) in pairs {
            assert_eq!(table[source as usize], destination, "{pattern} from {source}");
        }
    }
    // A torus of 4 x 4 x 4: one on in each dimension, for tornado (4/2 - 1) and neighbor; node (3, 0, 2) is 3 + 2 x 16 = 35.
    for pattern in ["tornado", "neighbor"] {
        let table = permutation(pattern, 64, &[4, 4, 4]);
        assert_eq!([table[0], table[35], table[63]], [1 + 4 + 16, 4 + 3 * 16, 0], "{pattern}");
    }
    // 8 x 2 x 5, odd and short rings: 3, 0 and 2 on; node (6, 1, 4) is 6 + 8 + 4 x 16 = 78, and goes to (1, 1, 1).
    assert_eq!(permutation("tornado", 80, &[8, 2, 5])[78], 1 + 8 + 16);
    // And (7, 0, 4) for (6, 1, 3) as a neighbor.
    assert_eq!(permutation("neighbor", 80, &[8, 2, 5])[6 + 8 + 3 * 16], 7 + 4 * 16);
    // Row 1, column 4 of 6 x 6.
    assert_eq!(permutation("transpose", 36, &[])[10], 4 * 6 + 1);
}

/// Nodes that a permutation maps to themselves are silent.
#[test]
fn senders_are_counted() {
    for (pattern, nodes, senders) in [
        ("uniform", 16, 16),
        ("bit-complement", 16, 16),
        ("bit-reversal", 16, 12),
        ("shuffle", 16, 14),
        ("transpose", 36, 30),
    ] {
        let options = SyntheticOptions { pattern: pattern.into(), ..Default::default() };
        assert_eq!(Synthetic::new(&options, nodes, &[]).unwrap().senders(), senders, "{pattern}");
        let sources: BTreeSet<u32> = flows(&options, nodes, &[]).into_keys().map(|(source, _)| source).collect();
        assert_eq!(sources.len(), senders as usize, "{pattern}");
        let closed = ClosedLoopOptions { active_nodes: Some(5), ..Default::default() };
        let options = SyntheticOptions { closed_loop: Some(closed), ..options };
        assert_eq!(Synthetic::new(&options, nodes, &[]).unwrap().senders(), 5, "{pattern}");
    }
}

#[test]
fn permutations_are_permutations() {
    for pattern in [
        "bit-complement",
        "bit-reversal",
        "shuffle",
        "butterfly",
        "transpose",
        "tornado",
        "neighbor",
        "random-permutation",
    ] {
        for (nodes, dimensions) in [(16, &[][..]), (64, &[4, 4, 4]), (256, &[16, 16])] {
            let table = permutation(pattern, nodes, dimensions);
            assert_eq!(table.iter().collect::<BTreeSet<_>>().len(), nodes as usize, "{pattern}, {nodes}");
        }
    }
}

#[test]
fn random_permutations_follow_the_seed_and_leave_nobody_out() {
    let table = |seed, nodes| {
        let options = SyntheticOptions {
            pattern: "random-permutation".into(),
            load: 1.0,
            seed,
            packet_flits: 1,
            cycles: 1,
            ..Default::default()
        };
        flows(&options, nodes, &[]).into_keys().collect::<Vec<_>>()
    };
    assert_eq!(table(5, 100), table(5, 100));
    assert_ne!(table(5, 100), table(6, 100));
    // All nine permutations of four nodes that map none to itself, about as often.
    let mut seen = BTreeMap::new();
    for seed in 0..900 {
        let table = table(seed, 4);
        assert_eq!(table.len(), 4);
        *seen.entry(table).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 9);
    assert!(seen.values().all(|count| (60..=140).contains(count)), "{seen:?}");
    for nodes in [2, 3, 5] {
        assert_eq!(table(1, nodes).len(), nodes as usize);
    }
}

#[test]
fn uniform_is_uniform_over_the_others() {
    let options = SyntheticOptions { load: 1.0, packet_flits: 1, cycles: 14_000, seed: 11, ..Default::default() };
    let flows = flows(&options, 8, &[]);
    assert_eq!(flows.len(), 56);
    for (flow, packets) in flows {
        // 2000 each, standard deviation 41.
        assert!(packets.abs_diff(2000) < 200, "{flow:?}: {packets}, seed {}", options.seed);
    }
}

#[test]
fn next_group_is_uniform_in_one_group() {
    let options = SyntheticOptions {
        pattern: "next-group".into(),
        load: 1.0,
        packet_flits: 1,
        cycles: 4_000,
        seed: 5,
        ..Default::default()
    };
    let flows = flows(&options, 12, &[4, 3]);
    assert_eq!(flows.len(), 48);
    for ((source, destination), packets) in flows {
        assert_eq!(destination / 4, (source / 4 + 1) % 3, "{source} to {destination}");
        // 1000 each, standard deviation 27.
        assert!(packets.abs_diff(1000) < 150, "{source} to {destination}: {packets}");
    }
    let error = Synthetic::new(&options, 12, &[12]).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error,
        "pattern is `next-group` with dimensions of [12] nodes, expected two or more, the last of 2 or more"
    );
}

#[test]
fn hot_nodes_get_their_share() {
    let hot_spot = HotSpotOptions { nodes: vec![3, 6], share: 0.4 };
    let options = SyntheticOptions {
        pattern: "hot-spot".into(),
        load: 1.0,
        packet_flits: 1,
        cycles: 20_000,
        seed: 2,
        hot_spot: Some(hot_spot),
        ..Default::default()
    };
    for ((source, destination), packets) in flows(&options, 9, &[]) {
        // An eighth of the rest goes to every other node; the hot share goes to hot nodes but oneself.
        let to_hot = match (source, destination) {
            (3 | 6, 3 | 6) => 0.4,
            (_, 3 | 6) => 0.2,
            _ => 0.0,
        };
        let expected = 20_000.0 * (0.6 / 8.0 + to_hot);
        assert!(
            (packets as f64 - expected).abs() < 5.0 * expected.sqrt(),
            "{source} to {destination}: {packets}, {expected}"
        );
    }
    // A single hot node sends uniform traffic.
    let alone = SyntheticOptions { hot_spot: Some(HotSpotOptions { nodes: vec![0], share: 1.0 }), ..options };
    let flows = flows(&alone, 5, &[]);
    assert_eq!(flows.keys().filter(|(source, _)| *source == 0).count(), 4);
    assert!(flows.keys().all(|&(source, destination)| source == 0 || destination == 0));
}

#[test]
fn patterns_with_parameters_have_defaults_and_say_what_they_are() {
    let described = |pattern: &str| {
        let options = SyntheticOptions { pattern: pattern.into(), ..Default::default() };
        Synthetic::new(&options, 64, &[]).unwrap().described().map(str::to_owned)
    };
    assert_eq!(described("uniform"), None);
    assert_eq!(described("hot-spot").unwrap(), "hot-spot: a share of 0.1 to node 0, the rest uniform");
    assert_eq!(described("incast").unwrap(), "incast: 63 nodes send to node 0");
}

#[test]
fn an_incast_is_all_to_few() {
    let incast = |incast: IncastOptions, seed| SyntheticOptions {
        pattern: "incast".into(),
        load: 0.5,
        packet_flits: 1,
        cycles: 20_000,
        seed,
        incast: Some(incast),
        ..Default::default()
    };
    // All others to two nodes, each as likely: 5000 packets of each sender to each.
    let two = incast(IncastOptions { nodes: vec![4, 1], ..Default::default() }, 9);
    let all = flows(&two, 6, &[]);
    let expected: Vec<_> = [0, 2, 3, 5].into_iter().flat_map(|source| [(source, 1), (source, 4)]).collect();
    assert_eq!(all.keys().copied().collect::<Vec<_>>(), expected);
    assert!(all.values().all(|packets| packets.abs_diff(5_000) < 400), "{all:?}, seed {}", two.seed);
    // Those that are named, and so many drawn from the seed, each as often.
    let named = incast(IncastOptions { senders: vec![5, 2], ..Default::default() }, 1);
    assert_eq!(flows(&named, 6, &[]).into_keys().collect::<Vec<_>>(), [(2, 0), (5, 0)]);
    let mut drawn = [0; 6];
    for seed in 0..500 {
        let options = SyntheticOptions {
            load: 1.0,
            cycles: 1,
            ..incast(IncastOptions { fan_in: Some(2), ..Default::default() }, seed)
        };
        let flows = flows(&options, 6, &[]);
        assert_eq!((flows.len(), Synthetic::new(&options, 6, &[]).unwrap().senders()), (2, 2));
        flows.into_keys().for_each(|(source, _)| drawn[source as usize] += 1);
    }
    assert!(drawn[0] == 0 && drawn[1..].iter().all(|seen| (150..250).contains(seen)), "{drawn:?}");
    let error = |options: IncastOptions| Synthetic::new(&incast(options, 1), 4, &[]).err().unwrap().to_string();
    for (options, says) in [
        (IncastOptions { nodes: vec![], ..Default::default() }, "incast.nodes is `[]`, expected one node"),
        (IncastOptions { nodes: vec![4], ..Default::default() }, "incast.nodes has `4`, expected 0 to 3"),
        (IncastOptions { nodes: vec![0, 1, 2, 3], ..Default::default() }, "incast.nodes has all 4 nodes"),
        (IncastOptions { senders: vec![1, 0], ..Default::default() }, "incast.senders has `0`, which receives"),
        (IncastOptions { senders: vec![1, 1], ..Default::default() }, "incast.senders has `1` twice"),
        (IncastOptions { fan_in: Some(4), ..Default::default() }, "incast.fan_in is `4`, expected 1 to 3"),
        (IncastOptions { fan_in: Some(0), ..Default::default() }, "incast.fan_in is `0`, expected 1 to 3"),
        (
            IncastOptions { fan_in: Some(1), senders: vec![1], ..Default::default() },
            "incast.fan_in is `1` beside senders, expected one of them",
        ),
    ] {
        assert!(error(options).starts_with(says), "{says}");
    }
}

#[test]
fn what_a_pattern_cannot_do_is_said() {
    let error = |pattern: &str, nodes, dimensions: &[u32], hot_spot: Option<HotSpotOptions>| {
        let options = SyntheticOptions { pattern: pattern.into(), hot_spot, ..Default::default() };
        Synthetic::new(&options, nodes, dimensions).err().unwrap().to_string()
    };
    for pattern in ["bit-complement", "bit-reversal", "shuffle", "butterfly"] {
        let error = error(pattern, 48, &[], None);
        assert!(error.contains(pattern) && error.contains("48 nodes, expected a power of two"), "{error}");
    }
    assert!(error("transpose", 32, &[], None).contains("`transpose` with 32 nodes, expected a square"));
    assert!(
        error("tornado", 4, &[2, 2], None).contains("`tornado` with dimensions of [2, 2] nodes, expected one of 3")
    );
    assert!(error("shuffle", 2, &[], None).contains("each of the 2 nodes send to itself"));
    assert!(error("matrix", 4, &[], None).contains("matrix is missing, expected one with a file"));
    for (nodes, share, says) in [
        (vec![], 0.5, "hot_spot.nodes is `[]`, expected one node"),
        (vec![1, 4], 0.5, "hot_spot.nodes has `4`, expected 0 to 3"),
        (vec![1, 1], 0.5, "hot_spot.nodes has `1` twice"),
        (vec![1], 1.5, "hot_spot.share is `1.5`, expected a number from 0 to 1"),
    ] {
        let error = error("hot-spot", 4, &[], Some(HotSpotOptions { nodes, share }));
        assert!(error.contains(says), "{error}");
    }
    let unknown = error("gossip", 4, &[], None);
    assert!(PATTERNS.iter().all(|pattern| unknown.contains(pattern.name)), "{unknown}");
}
