//! The golden switch under every kind of traffic, judged by the monitors: long runs, where nothing has to be compared.

use powar_config::{Config, presets};
use powar_testbenches::expected_routing::ExpectedRouting;
use powar_testbenches::monitor::{SwitchMonitor, Totals};
use powar_testbenches::random::Random;
use powar_testbenches::stimulus::{LinkOptions, LinkTraffic, Stimulus, TrafficKind};
use powar_testbenches::twins;

/// A preset, with small buffers if wanted: they run full, and credits run out.
fn config(preset: &str, small: bool) -> Config {
    let mut config = presets::by_name(preset).expect("a preset");
    if small {
        config.switch.buffer_flits = 20 * config.switch.vcs;
        config.switch.max_packet_flits = 9;
    }
    config.check().expect("a good configuration");
    config
}

/// Runs the golden switch; fails with the first violations.
fn run(config: &Config, options: LinkOptions, cycles: u64) -> Totals {
    let what = format!("{} under {options:?}", config.name);
    let routing = ExpectedRouting::any(config, &mut Random::new(options.seed)).expect("it exists");
    let mut golden = twins::golden(config, twins::SWITCH).expect("a switch");
    let layout = golden.layout().clone();
    let mut traffic = LinkTraffic::new(config, &routing, &layout, options).expect("a switch");
    let mut monitor = SwitchMonitor::new(config, &routing, &layout).expect("a switch");
    let (mut inputs, mut observed) = (vec![0; layout.input_slots()], vec![0; layout.observed_slots()]);
    for cycle in 0..cycles {
        traffic.drive(cycle, &observed, &mut inputs);
        golden.cycle(&inputs, &mut observed);
        monitor.cycle(&inputs, &observed);
    }
    assert!(monitor.violations().is_empty(), "{what}\n{}", monitor.violations().join("\n"));
    monitor.totals().clone()
}

const SWITCHES: [&str; 5] = ["fat-tree-2", "fat-tree-4", "fat-tree-8", "star-16", "torus-28"];

fn kinds() -> [TrafficKind; 4] {
    [TrafficKind::Uniform, TrafficKind::HotSpot, TrafficKind::Permutation, TrafficKind::Bursty { cycles: 200 }]
}

#[test]
fn every_kind_of_traffic_keeps_the_rules() {
    for preset in SWITCHES {
        for (seed, kind) in (1..).zip(kinds()) {
            let load = 0.1 + 0.2 * seed as f64;
            let totals = run(&config(preset, seed % 2 == 0), LinkOptions::lively(kind, load, seed), 20_000);
            assert!(totals.packets_out > 500 && totals.not_sending > 100, "{preset}: {totals:?}");
            assert_eq!(
                (totals.packets_dropped, totals.framing_errors, totals.overflow_errors),
                (0, 0, 0),
                "{totals:?}"
            );
        }
    }
}

#[test]
fn whatever_goes_wrong_on_a_link_stays_there() {
    for preset in SWITCHES {
        for (seed, kind) in (10..).zip(kinds()) {
            let totals = run(&config(preset, seed % 3 != 0), LinkOptions::rough(kind, 0.8, seed), 30_000);
            assert!(
                totals.packets_out > 500 && totals.packets_dropped > 50 && totals.resets > 1,
                "{preset}: {totals:?}"
            );
            assert!(totals.framing_errors > 20, "{preset}: {totals:?}");
        }
    }
}
