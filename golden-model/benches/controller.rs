//! How fast the event-driven power controller is: alone under traffic, nearly idle, and under the lock-step harness.
//!
//! The traffic is a closed loop and is recorded once; replaying the record costs next to nothing, so that what is
//! measured is the controller. criterion's "elements" are cycles.

mod traffic;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use powar_config::{Config, CycleModel, presets};
use powar_golden::fast::controller::{Inputs, PowerController};
use std::hint::black_box;
use traffic::Recording;

/// The switches of POWAR's two networks: 16 ports and 28 ports.
const SWITCHES: [&str; 2] = ["fat-tree-8", "torus-28"];
const CYCLES: u64 = 200_000;

/// Loads: what part of the time an input has a packet coming in. At 10 % ports sleep and wake all the time.
fn switch(preset: &str, load: f64) -> Config {
    let mut config = presets::by_name(preset).unwrap();
    if load < 0.2 {
        config.powar_mut().unwrap().pdt = "1us".parse().unwrap();
    }
    config
}

fn under_traffic(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alone, uniform traffic");
    group.throughput(Throughput::Elements(CYCLES));
    for preset in SWITCHES {
        for load in [0.1, 0.5, 0.9] {
            let config = switch(preset, load);
            let recording = Recording::of_uniform_traffic(&config, load, CYCLES);
            let carried = recording.throughput(config.ports);
            group.bench_function(format!("{preset}, load {load}, carried {carried:.2}"), |bencher| {
                let fresh = PowerController::new(&config);
                bencher.iter(|| {
                    let mut controller = fresh.clone();
                    recording.replay(&config, |inputs| {
                        black_box(controller.step(inputs));
                    });
                    controller.now()
                });
            });
        }
    }
    group.finish();
}

/// A packet every 20 us on one input after the other, and nothing else.
fn nearly_idle(criterion: &mut Criterion) {
    const PACKETS: u64 = 16;
    const GAP: u64 = 12_500;
    let mut group = criterion.benchmark_group("alone, nearly idle");
    group.throughput(Throughput::Elements(PACKETS * (GAP + 4)));
    for preset in SWITCHES {
        let config = presets::by_name(preset).unwrap();
        let any = [(1 << config.ports) - 1; 64];
        group.bench_function(preset, |bencher| {
            let fresh = PowerController::new(&config);
            bencher.iter(|| {
                let mut controller = fresh.clone();
                for packet in 0..PACKETS {
                    let requesting = Some(1 << (packet % config.ports as u64));
                    let asks = Inputs { requesting, adaptive: &any, deterministic: &[0; 64], ..Inputs::IDLE };
                    controller.step(&asks);
                    let given = controller.step(&asks).given;
                    controller.step(&Inputs { flit_valid: given, flit_tail: given, ..Inputs::IDLE });
                    controller.step(&Inputs::IDLE);
                    controller.skip(GAP);
                }
                controller.now()
            });
        });
    }
    group.finish();
}

fn observed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("with all signals observed");
    group.throughput(Throughput::Elements(CYCLES));
    for preset in SWITCHES {
        let config = switch(preset, 0.5);
        let recording = Recording::of_uniform_traffic(&config, 0.5, CYCLES);
        group.bench_function(format!("{preset}, load 0.5"), |bencher| {
            let fresh = PowerController::new(&config);
            let mut frame = vec![0; fresh.layout().input_slots()];
            let mut seen = vec![0; fresh.layout().observed_slots()];
            let rows = config.requesters();
            bencher.iter(|| {
                let mut controller = fresh.clone();
                recording.replay(&config, |inputs| {
                    frame[1..1 + rows].copy_from_slice(inputs.adaptive);
                    frame[1 + rows..1 + 2 * rows].copy_from_slice(inputs.deterministic);
                    frame[1 + 2 * rows] = inputs.flit_valid;
                    frame[2 + 2 * rows] = inputs.flit_tail;
                    controller.cycle(&frame, black_box(&mut seen));
                });
                controller.now()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, under_traffic, nearly_idle, observed);
criterion_main!(benches);
