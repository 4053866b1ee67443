//! Sums, predictions and what comes of them.

use crate::power::bench::Bench;
use powar_hdl::mechanisms::soteriou_peh::{AgeMonitor, LinkChoice, LoadPredictor, WindowSums};

#[test]
fn sums_are_of_a_window() {
    let mut bench = Bench::new(Box::new(WindowSums::new(3)));
    for (link, fill) in [7, 0, 4096].into_iter().enumerate() {
        bench.set("fill", link, fill);
    }
    bench.set("flit", 0, 0b101);
    bench.set("leaving", 0, 0b010);
    bench.cycles(3);
    bench.set("check", 0, 1);
    bench.cycle();
    let seen = |bench: &Bench| ["filled", "flits", "departures"].map(|sum| bench.see(sum, 0));
    assert_eq!(seen(&bench), [3 * 4103, 6, 3]);
    bench.set("check", 0, 0);
    bench.cycle();
    assert_eq!(seen(&bench), [4103, 2, 1], "the cycle of the check");
}

/// Of a predictor for buffers of 40 flits and windows of 1000 cycles, with the thresholds of the paper and all of four links on: below and
/// above behind a check of a load that has been the same for long.
fn decision(filled: u64, flits: u64, sleep_index: u64, wake_index: u64) -> [u64; 2] {
    let mut bench = Bench::new(Box::new(LoadPredictor::new(40)));
    let inputs = [
        ("filled", filled),
        ("flits", flits),
        ("in_ports", 4),
        ("out_ports", 4),
        ("sleep_index", sleep_index),
        ("wake_index", wake_index),
        ("sleep_load", 200),
        ("sleep_step", 200),
        ("wake_load", 1500),
        ("wake_step", 200),
    ];
    inputs.into_iter().for_each(|(input, value)| bench.set(input, 0, value));
    for _ in 0..24 {
        bench.set("check", 0, 1);
        bench.cycle();
        bench.set("check", 0, 0);
        bench.cycles(3);
    }
    assert_eq!(bench.see("stage", 0), 0b100);
    ["below", "above"].map(|signal| bench.see(signal, 0))
}

/// 8 % and 15 % of 160 000 flit cycles in buffers, and of 4000 flits on links; predictions are rounded down.
#[test]
fn a_load_is_compared_with_the_thresholds_for_so_many_links() {
    assert_eq!(decision(12_800, 319, 3, 0), [1, 0]);
    assert_eq!(decision(12_801, 324, 3, 0), [0, 0]);
    assert_eq!(decision(24_001, 604, 3, 0), [0, 1]);
    assert_eq!(decision(24_000, 600, 3, 0), [0, 0]);
    // With two links on 4 %; with two off 13 %.
    assert_eq!(decision(6_400, 159, 1, 1), [1, 0]);
    assert_eq!(decision(6_401, 164, 1, 1), [0, 0]);
    assert_eq!(decision(20_801, 524, 1, 1), [0, 1]);
    // Links alone: 0.3 of 60 % is 18 %.
    assert_eq!(decision(0, 2400, 3, 0), [0, 1]);
}

#[test]
fn flits_are_late_beyond_a_quarter_above_the_target() {
    // The prediction of 4000 departures is 3999, rounded down: 24 993.75 cycles of 6.25 each.
    for (filled, late) in [(24_993, 0), (24_994, 1)] {
        let mut bench = Bench::new(Box::new(AgeMonitor::new()));
        for (input, value) in [("departures", 4000), ("past_filled", filled), ("age_limit", 25)] {
            bench.set(input, 0, value);
        }
        for _ in 0..20 {
            for (check, stage) in [(1, 0), (0, 1), (0, 2), (0, 4)] {
                bench.set("check", 0, check);
                bench.set("stage", 0, stage);
                bench.cycle();
            }
        }
        assert_eq!(bench.see("late", 0), late, "{filled}");
    }
}

#[test]
fn the_highest_link_goes_and_the_lowest_comes_back() {
    let mut bench = Bench::new(Box::new(LinkChoice::new(4)));
    bench.set("by_load", 0, 1);
    bench.set("may_sleep", 0, 0b1110);
    bench.set("below", 0, 1);
    assert_eq!(bench.history("active", 0, 5), [0b1111, 0b0111, 0b0011, 0b0001, 0b0001]);
    bench.set("below", 0, 0);
    bench.set("above", 0, 1);
    assert_eq!(bench.history("active", 0, 3), [0b0001, 0b0011, 0b0111]);
    bench.set("woken", 0, 0b1000);
    bench.set("above", 0, 0);
    assert_eq!(bench.history("active", 0, 2), [0b1111, 0b1111]);
    bench.set("by_load", 0, 0);
    bench.set("below", 0, 1);
    assert_eq!(bench.history("active", 0, 2), [0b1111, 0b1111]);
}
