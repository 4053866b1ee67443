//! E-RAPID's experiments on shorter runs: what follows from counts of wavelengths and from rates, and the shapes that results rest on.

use crate::experiment::support::shortened;
use powar_evaluation::experiment::Results;

/// Flits a node and cycle that the network carries of uniform traffic with all wavelengths at 10 Gb/s: 7 wavelengths of 10 of 12.8 Gb/s for 8 nodes, of whose packets
/// 56 of 63 go to other boards.
const CAPACITY: f64 = 7.0 * 10.0 / 12.8 / 8.0 * 63.0 / 56.0;

/// Accepted traffic as a share of capacity, and power with that of one wavelength at 10 Gb/s between any two boards as 1.
fn accepted_and_power(results: &Results, row: usize) -> (f64, f64) {
    let at = |column| results.number(row, column).unwrap();
    (at("accepted") / CAPACITY, 8.0 * at("channels_power"))
}

fn close(value: f64, expected: f64, within: f64) {
    assert!((value - expected).abs() < within, "{value} for {expected}");
}

/// Complement traffic: with N wavelengths a board's 8 nodes get N times 10 Gb/s to the other board, 1.25 N of the 9.84 Gb/s of capacity a node.
#[test]
fn complement_traffic_gets_as_many_wavelengths_as_it_may() {
    close(CAPACITY * 12.8, 9.84, 0.01);
    let changes = [
        ("cycles = 130000", "cycles = 50000"),
        ("warm_up = 30000", "warm_up = 20000"),
        ("values = [0.0769, 0.3845, 0.6921]\nlabels = [\"0.1\", \"0.5\", \"0.9\"]", "values = [0.6921]"),
        (
            "values = [\"bit-complement\", \"butterfly\"]\nlabels = [\"complement\", \"butterfly\"]",
            "values = [\"bit-complement\"]",
        ),
        ("values = [2, 4, 8]", "values = [1, 2, 4, 8]"),
    ];
    let results = shortened("e-rapid-degree", &changes);
    for (row, wavelengths) in [1.0, 2.0, 4.0].into_iter().enumerate() {
        close(accepted_and_power(&results, row).0, wavelengths * 10.0 / 8.0 / 9.84, 0.002);
    }
    // All eight carry what is offered.
    close(accepted_and_power(&results, 3).0, 0.9, 0.005);
}

/// The four modes under complement and uniform traffic at a low load.
#[test]
fn modes_do_what_their_names_say() {
    let changes = [
        ("cycles = 130000", "cycles = 50000"),
        ("warm_up = 30000", "warm_up = 20000"),
        (
            "values = [\"uniform\", \"bit-complement\", \"butterfly\", \"shuffle\"]",
            "values = [\"uniform\", \"bit-complement\"]",
        ),
        (
            "labels = [\"uniform\", \"complement\", \"butterfly\", \"perfect shuffle\"]",
            "labels = [\"uniform\", \"complement\"]",
        ),
        ("values = [0.0769, 0.1538, 0.2307, 0.3076, 0.3845, 0.4614, 0.5383, 0.6152, 0.6921]", "values = [0.1538]"),
        (
            "labels = [\"0.1\", \"0.2\", \"0.3\", \"0.4\", \"0.5\", \"0.6\", \"0.7\", \"0.8\", \"0.9\"]",
            "labels = [\"0.2\"]",
        ),
    ];
    let results = shortened("e-rapid", &changes);
    let row = |row| accepted_and_power(&results, row);
    let [uniform, complement] = [[row(0), row(1), row(2), row(3)], [row(4), row(5), row(6), row(7)]];
    // Uniform traffic is carried by all, and levels fall: one of 108.8 of 535 mW is the least.
    uniform.iter().for_each(|(accepted, _)| close(*accepted, 0.2, 0.005));
    assert_eq!((uniform[0].1, uniform[2].1), (1.0, 1.0));
    assert!(uniform[1].1 < 0.3 && uniform[3].1 < 0.35 && uniform[1].1 >= 108.8 / 535.0, "{uniform:?}");
    // Of complement traffic one wavelength carries 0.127 of capacity, whatever its power.
    complement[..2].iter().for_each(|(accepted, _)| close(*accepted, 0.127, 0.001));
    // Nothing is lost while wavelengths change hands, and every board reaches every other: all that was given has come in.
    for row in [0, 1, 2, 3, 6, 7] {
        let outcome = &results.rows[row].outcome;
        assert!(!outcome.saturated && outcome.packets > 5_000, "{outcome:?}");
    }
    complement[2..].iter().for_each(|(accepted, _)| close(*accepted, 0.2, 0.005));
    // One at 10 Gb/s and six at 5; with the spare, eight for seven.
    close(complement[1].1, (535.0 + 6.0 * 108.8) / (7.0 * 535.0), 0.002);
    close(complement[2].1, 8.0 / 7.0, 1e-6);
    close(complement[3].1, 8.0 * 108.8 / (7.0 * 535.0), 0.002);
}

/// Figure 6: utilisation of buffers and rates drive each other.
#[test]
fn rates_follow_how_full_buffers_are() {
    let results = shortened("e-rapid-thresholds", &[("cycles = 60000", "cycles = 30000")]);
    for (row, b_max) in [(0, 0.3), (1, 0.2)] {
        let series = &results.rows[row].series[0];
        let (full, rate): (Vec<f64>, Vec<f64>) =
            series.iter().map(|one| (one.buffer_utilisation.unwrap(), one.bit_rate.unwrap())).unzip();
        assert!(full.iter().all(|share| (0.0..=1.0).contains(share)), "{full:?}");
        assert!(rate.iter().all(|rate| (5.0..=10.0).contains(rate)), "{rate:?}");
        // One wavelength is too few; with all at the peak rate, nothing waits, and a window later they are slower.
        assert!(full[0] > 0.7 && rate[0] == 10.0, "{full:?} {rate:?}");
        let calm = full.iter().position(|share| *share < 0.1).unwrap();
        assert_eq!(rate[calm], 10.0);
        assert!(rate[calm + 1] < 9.9 && rate[calm + 2] < rate[calm + 1] - 0.5, "{rate:?}");
        let settled = &full[10..];
        let within = settled.iter().filter(|share| (0.05..=b_max + 0.1).contains(*share)).count();
        assert!(within * 10 >= settled.len() * 9, "{settled:?}");
    }
    let mean = |row: usize| {
        let rates = results.rows[row].series[0][10..].iter().map(|one| one.bit_rate.unwrap());
        rates.sum::<f64>() / 20.0
    };
    assert!(mean(1) > mean(0) + 0.2, "a lower B_max, higher rates: {} {}", mean(0), mean(1));
}
