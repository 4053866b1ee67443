//! What synthetic traffic costs a simulation: criterion's "elements" are packets of 8 flits. The simulator asks for the next event
//! and for its messages, cycle by cycle.
//!
//! `heap` is the same traffic with a binary heap of all nodes instead of the timing wheel.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use powar_config::{Message, Workload};
use powar_traffic::synthetic::arrivals::{self, ArrivalParameters, ArrivalProcess};
use powar_traffic::synthetic::patterns::{self, Pattern, PatternParameters};
use powar_traffic::synthetic::random::Random;
use powar_traffic::synthetic::timeline::LoadProfile;
use powar_traffic::synthetic::{HotSpotOptions, Surroundings, Synthetic, SyntheticOptions};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Packets a measurement takes.
const PACKETS: u64 = 200_000;

/// Options for about [`PACKETS`] packets.
fn options(load: f64, nodes: u32) -> SyntheticOptions {
    let cycles = (PACKETS as f64 * 8.0 / load / f64::from(nodes)) as u64;
    SyntheticOptions { load, cycles, ..Default::default() }
}

/// Packets of the whole traffic, by the wheel.
fn wheel(options: &SyntheticOptions, nodes: u32) -> u64 {
    let mut traffic = Synthetic::new(options, nodes, &[]).unwrap();
    let (mut messages, mut packets) = (Vec::new(), 0);
    while !traffic.is_over() {
        traffic.act(traffic.next_event(), &mut messages).unwrap();
        packets += messages.len() as u64;
        messages.clear();
    }
    packets
}

/// The same by a heap.
fn heap(options: &SyntheticOptions, nodes: u32) -> u64 {
    let mut random: Vec<Random> = (0..nodes).map(|node| Random::new(options.seed, u64::from(node))).collect();
    let load = LoadProfile::new(options.load, &[]).unwrap();
    let parameters = ArrivalParameters { options, load: &load, mean_flits: 8.0, start: 0, stop: options.cycles };
    let mut arrivals: Box<dyn ArrivalProcess> =
        (arrivals::by_name(&options.arrivals).unwrap().build)(&parameters, &mut random).unwrap();
    let surroundings = Surroundings { nodes, dimensions: &[nodes], cycle_ns: 1.0, wiring: None, names: None };
    let parameters = PatternParameters { options, surroundings: &surroundings };
    let pattern: Box<dyn Pattern> = (patterns::by_name(&options.pattern).unwrap().build)(&parameters).unwrap();
    let mut due: BinaryHeap<_> =
        (0..nodes).map(|node| Reverse((arrivals.next(node, &mut random[node as usize]), node))).collect();
    let (mut messages, mut packets) = (Vec::new(), 0);
    while let Some(&Reverse((now, _))) = due.peek()
        && now < options.cycles
    {
        while let Some(mut next) = due.peek_mut().filter(|next| next.0.0 <= now) {
            let source = next.0.1;
            let random = &mut random[source as usize];
            let destination = pattern.destination(source, random);
            messages.push(Message { number: packets, source, destination, flits: 8, foretold: false });
            packets += 1;
            *next = Reverse((arrivals.next(source, random), source));
        }
        std::hint::black_box(&messages);
        messages.clear();
    }
    packets
}

fn synthetic(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("synthetic");
    group.sample_size(20);
    for nodes in [64, 256, 4096] {
        for load in [0.4, 0.05, 1e-4] {
            let options = options(load, nodes);
            let packets = wheel(&options, nodes);
            assert_eq!(packets, heap(&options, nodes));
            group.throughput(Throughput::Elements(packets));
            let name = format!("{nodes} nodes, load {load}");
            group.bench_function(BenchmarkId::new("wheel", &name), |bencher| bencher.iter(|| wheel(&options, nodes)));
            group.bench_function(BenchmarkId::new("heap", &name), |bencher| bencher.iter(|| heap(&options, nodes)));
        }
    }
    for (arrivals, pattern) in
        [("bernoulli", "tornado"), ("bernoulli", "hot-spot"), ("periodic", "uniform"), ("self-similar", "uniform")]
    {
        let hot_spot = (pattern == "hot-spot").then(|| HotSpotOptions { nodes: vec![0], share: 0.1 });
        let options =
            SyntheticOptions { arrivals: arrivals.into(), pattern: pattern.into(), hot_spot, ..options(0.4, 64) };
        group.throughput(Throughput::Elements(wheel(&options, 64)));
        group.bench_function(BenchmarkId::new(arrivals, pattern), |bencher| bencher.iter(|| wheel(&options, 64)));
    }
    group.finish();
}

criterion_group!(benches, synthetic);
criterion_main!(benches);
