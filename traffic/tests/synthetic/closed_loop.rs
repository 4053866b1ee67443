//! Requests and responses over a network of which nothing is asked but latency.

use powar_config::{Message, Workload};
use powar_traffic::synthetic::random::Random;
use powar_traffic::synthetic::{ClosedLoopOptions, LongPackets, Synthetic, SyntheticOptions};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Runs it to its end over a network in which a message takes `latency` cycles; what was sent when, and the last cycle.
fn run(options: &SyntheticOptions, nodes: u32, mut latency: impl FnMut() -> u64) -> (Vec<(u64, Message)>, u64) {
    let mut traffic = Synthetic::new(options, nodes, &[]).unwrap();
    let mut under_way = BinaryHeap::new();
    let mut numbers: BTreeMap<u64, Message> = BTreeMap::new();
    let (mut all, mut messages, mut now) = (Vec::new(), Vec::new(), 0);
    loop {
        let arrival = under_way.peek().map_or(u64::MAX, |&Reverse((cycle, _))| cycle);
        let next = arrival.min(traffic.next_event());
        if next == u64::MAX {
            break;
        }
        assert!(!traffic.is_over());
        now = now.max(next);
        while let Some(&Reverse((cycle, number))) = under_way.peek()
            && cycle <= now
        {
            under_way.pop();
            traffic.delivered(now, &numbers.remove(&number).unwrap());
        }
        if traffic.next_event() <= now {
            traffic.act(now, &mut messages).unwrap();
        }
        for message in messages.drain(..) {
            traffic.sent(now, &message);
            under_way.push(Reverse((now + latency(), message.number)));
            assert!(numbers.insert(message.number, message).is_none(), "two messages under way have one number");
            assert_ne!(message.source, message.destination);
            all.push((now, message));
        }
    }
    assert!(traffic.is_over(), "{:?}", traffic.waits());
    assert!(traffic.waits().is_empty());
    (all, now)
}

fn options(closed: ClosedLoopOptions, cycles: u64) -> SyntheticOptions {
    SyntheticOptions { packet_flits: 2, cycles, closed_loop: Some(closed), ..Default::default() }
}

/// Requests have 2 flits here, responses others.
fn requests(all: &[(u64, Message)]) -> impl Iterator<Item = &(u64, Message)> {
    all.iter().filter(|(_, message)| message.flits == 2)
}

/// Without thinking, n clients have exactly n requests every 2 L + S cycles, all of them open at any time.
#[test]
fn a_constant_network_has_constant_throughput() {
    let closed = ClosedLoopOptions { outstanding: 3, service: 30, response_flits: 8, ..Default::default() };
    let (all, end) = run(&options(closed, 10_000), 16, || 35);
    assert_eq!(requests(&all).count(), 16 * 3 * 100);
    assert_eq!(all.len(), 2 * 16 * 3 * 100);
    assert_eq!(end, 10_000);
    assert!(requests(&all).all(|(cycle, _)| cycle % 100 == 0));
    assert!(all.iter().filter(|(_, m)| m.flits == 8).all(|(cycle, _)| cycle % 100 == 65));
}

/// Whatever the network does: never more open than allowed, each request answered once by the one asked.
#[test]
fn no_node_has_more_open_than_it_may() {
    for seed in 0..20 {
        let mut random = Random::new(seed, 0);
        let closed = ClosedLoopOptions {
            outstanding: 1 + random.below(5),
            response_flits: 5,
            service: u64::from(random.below(50)),
            think: f64::from(random.below(3)) * 20.0,
            ..Default::default()
        };
        let most = i64::from(closed.outstanding);
        let service = closed.service;
        let (all, _) = run(&options(closed, 5000), 10, || 1 + u64::from(random.below(80)));
        let mut open: BTreeMap<(u32, u32), i64> = BTreeMap::new();
        for (_, message) in &all {
            let (node, server, change) = match message.flits {
                2 => (message.source, message.destination, 1),
                _ => (message.destination, message.source, 0),
            };
            let pair = open.entry((node, server)).or_default();
            *pair += change;
            // A response sent is not one received: a request is open for that long at least.
            if change == 0 {
                assert!(*pair > 0, "a response without a request");
                *pair -= 1;
            }
            let unanswered: i64 = (0..10).filter_map(|server| open.get(&(node, server))).sum();
            assert!(
                unanswered <= most,
                "seed {seed}: {unanswered} requests of node {node} are open, service {service}"
            );
        }
        assert!(open.values().all(|&count| count == 0), "seed {seed}: unanswered requests");
    }
}

/// Little's law: clients = throughput x (response time + thinking).
#[test]
fn thinking_and_response_times_make_the_throughput() {
    for (think, seed) in [(10.0, 1), (200.0, 2), (3000.0, 3)] {
        let closed = ClosedLoopOptions { outstanding: 4, service: 20, think, response_flits: 8, ..Default::default() };
        let options = SyntheticOptions { seed, ..options(closed, 200_000) };
        let mut random = Random::new(seed, 99);
        let (mut sum, mut count) = (0, 0);
        let (all, _) = run(&options, 32, || {
            let latency = 20 + u64::from(random.below(61));
            (sum, count) = (sum + latency, count + 1);
            latency
        });
        let response = 2.0 * sum as f64 / f64::from(count) + 20.0;
        let expected = 32.0 * 4.0 / (response + think) * 200_000.0;
        let found = requests(&all).count() as f64;
        println!("thinking {think}, seed {seed}: {found} requests, expected {expected:.0}");
        assert!((found / expected - 1.0).abs() < 0.02, "{found} requests, expected {expected}");
    }
}

#[test]
fn part_of_the_nodes_is_active() {
    let sources = |closed: ClosedLoopOptions, seed| {
        let options = SyntheticOptions { seed, ..options(closed, 2000) };
        let (all, _) = run(&options, 40, || 10);
        let servers: BTreeSet<u32> = requests(&all).map(|(_, m)| m.destination).collect();
        assert!(servers.len() >= 39, "all nodes answer, but for the only one that asks");
        requests(&all).map(|(_, m)| m.source).collect::<BTreeSet<_>>()
    };
    let quarter = ClosedLoopOptions { active: 0.25, ..Default::default() };
    assert_eq!(sources(quarter.clone(), 1).len(), 10);
    assert_eq!(sources(quarter.clone(), 1), sources(quarter.clone(), 1));
    assert_ne!(sources(quarter.clone(), 1), sources(quarter, 2));
    assert_eq!(sources(ClosedLoopOptions { active: 0.001, ..Default::default() }, 1).len(), 1);
    assert_eq!(sources(ClosedLoopOptions { active_nodes: Some(7), ..Default::default() }, 1).len(), 7);
}

/// A fixed number of requests: exactly that many of each node, and the end comes later on a slower network.
#[test]
fn a_fixed_number_of_requests() {
    let closed = ClosedLoopOptions { requests: Some(25), outstanding: 4, ..Default::default() };
    let mut options = options(closed, 1_000_000);
    options.long_packets = Some(LongPackets { flits: 3, share: 0.5 });
    let mut ends = Vec::new();
    for latency in [10, 20] {
        let (all, end) = run(&options, 12, || latency);
        for node in 0..12 {
            assert_eq!(all.iter().filter(|(_, m)| m.flits < 8 && m.source == node).count(), 25);
        }
        ends.push(end);
    }
    // 25 requests of 4 clients: 7 turns of two latencies.
    assert_eq!(ends, [140, 280]);
}

#[test]
fn who_waits_is_said() {
    let closed = ClosedLoopOptions { outstanding: 1, service: 5, active_nodes: Some(1), ..Default::default() };
    let mut traffic = Synthetic::new(&options(closed, 100), 4, &[]).unwrap();
    let mut messages = Vec::new();
    traffic.act(traffic.next_event(), &mut messages).unwrap();
    let request = messages.pop().unwrap();
    let (node, server) = (request.source, request.destination);
    let who = format!("node {node} waits for the response of node {server} to request 1 of a client: ");
    assert_eq!(traffic.waits(), [format!("{who}the request is under way since cycle 0")]);
    assert_eq!(traffic.next_event(), u64::MAX);
    assert!(!traffic.is_over());
    traffic.delivered(10, &request);
    assert_eq!(traffic.waits(), [format!("{who}the request is being served")]);
    assert_eq!(traffic.next_event(), 15);
    traffic.act(15, &mut messages).unwrap();
    assert_eq!(traffic.waits(), [format!("{who}the response is under way since cycle 15")]);
    let response = messages.pop().unwrap();
    assert_eq!((response.source, response.destination, response.flits), (server, node, 8));
    traffic.delivered(200, &response);
    assert!(traffic.is_over() && traffic.waits().is_empty());
}
