//! How fast whole networks are, under the loads of the peers' table: uniform traffic, packets of 8 flits (16 in the 4-ary 4-tree),
//! hops of 31 cycles. criterion's "elements" are cycles.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use powar_config::{Config, Message, Workload};
use powar_golden::network::{Network, NetworkParameters};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Every node sends packets to random others, at random times.
#[derive(Clone)]
struct Uniform {
    random: fastrand::Rng,
    nodes: u32,
    flits: u64,
    /// Mean cycles between two packets of a node.
    gap: f64,
    next: BinaryHeap<Reverse<(u64, u32)>>,
    number: u64,
}

impl Uniform {
    fn new(nodes: u32, flits: u64, load: f64) -> Self {
        let mut random = fastrand::Rng::with_seed(1);
        let gap = flits as f64 / load;
        let next = (0..nodes).map(|node| Reverse(((random.f64() * gap) as u64, node))).collect();
        Uniform { random, nodes, flits, gap, next, number: 0 }
    }
}

impl Workload for Uniform {
    fn next_event(&self) -> u64 {
        self.next.peek().map_or(u64::MAX, |Reverse((cycle, _))| *cycle)
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
        while let Some(mut next) = self.next.peek_mut().filter(|next| next.0.0 <= now) {
            let Reverse((cycle, source)) = *next;
            let gap = (-(1.0 - self.random.f64()).ln() * self.gap) as u64;
            *next = Reverse((cycle + gap.max(1), source));
            let destination = (source + self.random.u32(1..self.nodes)) % self.nodes;
            messages.push(Message { number: self.number, source, destination, flits: self.flits });
            self.number += 1;
        }
        Ok(())
    }

    fn sent(&mut self, _: u64, _: &Message) {}
    fn delivered(&mut self, _: u64, _: &Message) {}
    fn is_over(&self) -> bool {
        false
    }
    fn waits(&self) -> Vec<String> {
        vec![]
    }
    fn computing(&self, _: u64) -> Vec<f64> {
        vec![]
    }
}

fn uniform(criterion: &mut Criterion) {
    for (name, flits) in [("8-ary-2-tree", 8), ("torus-4x4x4", 8), ("4-ary-4-tree", 16)] {
        let mut group = criterion.benchmark_group(name);
        for (load, cycles) in [(0.0001, 5_000_000), (0.05, 50_000), (0.2, 20_000), (0.4, 10_000)] {
            let mut config = Config::of_network(name).unwrap();
            config.policy = "reference".into();
            let parameters = NetworkParameters { packet_flits: flits, ..NetworkParameters::new(config) };
            let mut network = Network::new(&parameters).unwrap();
            let mut traffic = Uniform::new(network.nodes() as u32, flits.into(), load);
            network.run(&mut traffic, 5_000, &mut ()).unwrap();
            group.throughput(Throughput::Elements(cycles)).sample_size(10);
            group.bench_function(BenchmarkId::from_parameter(load), |bencher| {
                bencher.iter(|| {
                    let until = network.now() + cycles;
                    network.run(&mut traffic, until, &mut ()).unwrap()
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, uniform);
criterion_main!(benches);
