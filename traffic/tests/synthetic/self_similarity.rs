//! Bursts and silence: the Hurst index and the mean load.

use powar_config::Workload;
use powar_traffic::synthetic::{SelfSimilarOptions, Synthetic, SyntheticOptions, hurst};

/// Flits of all nodes in each `window` cycles.
fn series(options: &SyntheticOptions, nodes: u32, window: u64) -> Vec<f64> {
    let mut traffic = Synthetic::new(options, nodes, &[]).unwrap();
    let mut series = vec![0.0; (options.cycles / window) as usize];
    let mut messages = Vec::new();
    while !traffic.is_over() {
        let now = traffic.next_event();
        traffic.act(now, &mut messages).unwrap();
        series[((now - options.start) / window) as usize] += messages.drain(..).map(|m| m.flits as f64).sum::<f64>();
    }
    series
}

fn self_similar(alpha_on: f64, alpha_off: f64, mean_on: f64) -> Option<SelfSimilarOptions> {
    Some(SelfSimilarOptions { alpha_on, alpha_off, mean_on, burst_load: 1.0 })
}

/// H = (3 - min(alpha)) / 2. Bursts are short beside the scales looked at, 1024 cycles and more, or the bursts themselves would be what is seen.
#[test]
fn the_hurst_index_is_that_of_the_theory() {
    for (alpha_on, alpha_off) in [(1.2, 1.2), (1.4, 1.4), (1.6, 1.6), (1.9, 1.4)] {
        let options = SyntheticOptions {
            arrivals: "self-similar".into(),
            load: 0.5,
            packet_flits: 8,
            cycles: 1 << 21,
            seed: 1,
            self_similar: self_similar(alpha_on, alpha_off, 4.0),
            ..Default::default()
        };
        let series = series(&options, 64, 64);
        let expected = options.self_similar.as_ref().unwrap().hurst();
        let wavelet = hurst::wavelet(&series, 4..=12);
        println!("alpha {alpha_on} / {alpha_off}, seed {}: H {expected}, wavelet {wavelet:.3}", options.seed);
        assert!((wavelet - expected).abs() < 0.05, "H is {wavelet}, expected {expected}");
    }
}

#[test]
fn memoryless_arrivals_are_not_self_similar() {
    let options = SyntheticOptions { load: 0.5, packet_flits: 4, cycles: 1 << 20, seed: 1, ..Default::default() };
    let series = series(&options, 64, 16);
    let h = hurst::wavelet(&series, 3..=12);
    assert!((h - 0.5).abs() < 0.04, "{h}");
}

/// From the first cycle on, for loads up to the rate of bursts itself.
#[test]
fn the_expected_load_is_the_one_asked_for() {
    for load in [0.05, 0.3, 0.6, 1.0] {
        let options = SyntheticOptions {
            arrivals: "self-similar".into(),
            load,
            cycles: 20_000,
            seed: 4,
            self_similar: self_similar(1.5, 1.5, 50.0),
            ..Default::default()
        };
        let nodes = 4096;
        let series = series(&options, nodes, 400);
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64 / 400.0 / f64::from(nodes);
        let (all, first, last) = (mean(&series), mean(&series[..1]), mean(&series[49..]));
        println!("load {load}, seed {}: {all:.4}, at first {first:.4}, at last {last:.4}", options.seed);
        // A node's mean over the whole time deviates by about 0.2 sqrt(load (1 - load)), over a window by about 0.8 of that.
        let deviation = (load * (1.0 - load) / f64::from(nodes)).sqrt() + 1e-4;
        assert!((all - load).abs() < 1.5 * deviation, "{all}");
        assert!((first - load).abs() < 4.5 * deviation, "{first}");
        assert!((last - load).abs() < 4.5 * deviation, "{last}");
    }
}
