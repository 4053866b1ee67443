//! How fast the event-driven switch is: alone under traffic, nearly idle, and under the lock-step harness.
//!
//! The traffic is recorded once, with senders that have credits and wait for them; replaying the record costs next to nothing,
//! so that what is measured is the switch. criterion's "elements" are cycles, and steps where other cycles are skipped.

#[path = "traffic/links.rs"]
mod links;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use links::Recording;
use powar_config::topology::Torus;
use powar_config::{Config, Group, presets};
use powar_golden::fast::switch::{Inputs, Payload, Switch, Train, twin};
use std::hint::black_box;

/// The switches of POWAR's two networks and the network of one switch: 16, 28 and 16 ports.
const SWITCHES: [&str; 3] = ["fat-tree-8", "torus-28", "star-16"];
const CYCLES: u64 = 100_000;
type Flit = [u32; 4];

/// At 10 % load ports sleep and wake all the time.
fn switch(preset: &str, load: f64) -> Config {
    let mut config = presets::by_name(preset).unwrap();
    if load < 0.2 {
        config.powar_mut().unwrap().pdt = "1us".parse().unwrap();
    }
    config
}

fn under_traffic(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alone, uniform traffic");
    group.throughput(Throughput::Elements(CYCLES)).sample_size(20);
    for preset in SWITCHES {
        for load in [0.1, 0.4, 0.8] {
            let config = switch(preset, load);
            let recording = Recording::of_uniform_traffic(&config, load, CYCLES);
            let carried = recording.throughput(config.ports);
            group.bench_function(format!("{preset}, load {load}, carried {carried:.2}"), |bencher| {
                let fresh = Switch::<Flit>::new(&config, 0, 0).unwrap();
                bencher.iter(|| {
                    let mut switch = fresh.clone();
                    recording.replay(|inputs| {
                        black_box(switch.step(inputs));
                    });
                    switch.now()
                });
            });
        }
    }
    group.finish();
}

/// What networks carry: the header, and the number that the simulation has given the packet.
#[derive(Clone, Copy)]
struct Numbered {
    header: u32,
    #[expect(dead_code, reason = "the switch hands it on")]
    number: u32,
}

impl Payload for Numbered {
    const EMPTY: Self = Numbered { header: 0, number: 0 };

    fn header(&self) -> u32 {
        self.header
    }

    fn behind(&self, _: u16) -> Self {
        *self
    }
}

/// A switch as networks call it: a step only where something comes in or is due. A torus with single links has seven ports.
fn in_a_network(criterion: &mut Criterion) {
    let mut torus = switch("torus-28", 0.4);
    torus.topology = Some(Box::new(Torus { dimensions: vec![4; 3], trunk: 1, nodes: 1 }));
    torus.ports = 7;
    torus.groups = (0..torus.ports).map(|first| Group { first, size: 1 }).collect();
    let mut cases = vec![("torus-7", 0.05, torus.clone()), ("torus-7", 0.2, torus)];
    cases.extend([0.02, 0.05, 0.2, 0.4].map(|load| ("fat-tree-8", load, switch("fat-tree-8", load))));
    let mut group = criterion.benchmark_group("as in a network, payload of 8 bytes");
    group.sample_size(20);
    for (name, load, config) in cases {
        let recording = Recording::of_uniform_traffic(&config, load, CYCLES);
        let flits = recording.flits_with(|header, number| Numbered { header, number });
        let carried = recording.throughput(config.ports);
        let fresh = Switch::<Numbered>::new(&config, 0, 0).unwrap();
        let run = || {
            let (mut switch, mut steps) = (fresh.clone(), 0);
            recording.replay_with(&flits, |inputs| {
                if inputs.trains.is_empty() && inputs.credits.is_empty() && switch.next_event() > switch.now() {
                    switch.skip(1);
                } else {
                    black_box(switch.step(inputs));
                    steps += 1;
                }
            });
            steps
        };
        group.throughput(Throughput::Elements(run()));
        group.bench_function(format!("{name}, load {load}, carried {carried:.2}"), |bencher| bencher.iter(run));
    }
    group.finish();
}

/// A packet every 20 us on one input after the other, and nothing else.
fn nearly_idle(criterion: &mut Criterion) {
    const PACKETS: u64 = 16;
    const GAP: u64 = 12_500;
    let mut group = criterion.benchmark_group("alone, nearly idle");
    group.throughput(Throughput::Elements(PACKETS * GAP));
    for preset in SWITCHES {
        let config = presets::by_name(preset).unwrap();
        group.bench_function(preset, |bencher| {
            let fresh = Switch::<Flit>::new(&config, 0, 0).unwrap();
            bencher.iter(|| {
                let mut switch = fresh.clone();
                for packet in 0..PACKETS {
                    let payload = [1 << 16 | 1, 0, 0, 0];
                    let (port, phase) = (packet as u8 % config.ports as u8, Default::default());
                    let train = Train { port, vc: 0, head: true, phase, flits: 1, payload };
                    switch.step(&Inputs { trains: &[train], ..Inputs::IDLE });
                    switch.skip(GAP - 1);
                }
                switch.now()
            });
        });
    }
    group.finish();
}

fn observed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("with all signals observed");
    group.throughput(Throughput::Elements(CYCLES / 10)).sample_size(20);
    for preset in SWITCHES {
        let config = switch(preset, 0.4);
        let recording = Recording::of_uniform_traffic(&config, 0.4, CYCLES / 10);
        let layout = twin(&config).unwrap().layout().clone();
        group.bench_function(format!("{preset}, load 0.4, {} slots", layout.observed_slots()), |bencher| {
            let mut frame = vec![0; layout.input_slots()];
            let mut seen = vec![0; layout.observed_slots()];
            bencher.iter_batched_ref(
                || twin(&config).unwrap(),
                |twin| {
                    recording.replay(|inputs| {
                        links::fill_frame(&config, inputs, &mut frame);
                        twin.cycle(&frame, black_box(&mut seen));
                    });
                },
                criterion::BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, under_traffic, in_a_network, nearly_idle, observed);
criterion_main!(benches);
