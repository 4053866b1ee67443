//! Programs of more than 2^32 cycles, in every format: times are counted to the cycle.

use super::packed::tar;
use powar_config::units::Nanoseconds;
use powar_traffic::program::run_ideal;
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, ReplayOptions, Trace, TrafficOptions};
use std::path::Path;
use tempfile::TempDir;

/// The longest time that traces may hold, ns.
const LONGEST: u64 = 1_000_000_000_000_000;
/// Cycles from the last flit's leaving to its coming in.
const LATENCY: u64 = 100;
/// A message of 256 bytes, in cycles.
const MESSAGE: u64 = 16 + LATENCY;

/// The cycles of a trace where one is 1 ns.
fn cycles(trace: &Trace, replay: ReplayOptions) -> u64 {
    let options = TrafficOptions { cycle_ps: 1_000, replay, ..TrafficOptions::default() };
    let placement = Placement::new(trace.ranks(), trace.ranks(), &PlacementOptions::default()).unwrap();
    let mut program = ProgramReplay::new(trace, &options, placement).unwrap();
    run_ideal(&mut program, trace.ranks(), |_| LATENCY).unwrap().cycles
}

fn open(folder: &TempDir, name: &str, content: &[u8]) -> Trace {
    let path: &Path = &folder.path().join(name);
    std::fs::write(path, content).unwrap();
    Trace::open(path).unwrap()
}

#[test]
fn times_of_days_are_counted() {
    let folder = TempDir::new().unwrap();
    let logs = [0, 1].map(|rank| super::log(rank).replace("Send 16 16", &format!("Send {LONGEST} 16")));
    let logs = tar(&[("r00000.txt", logs[0].as_bytes()), ("r00001.txt", logs[1].as_bytes())]);
    let vef = super::VEF.replace(" 16 -1", &format!(" {LONGEST} -1"));
    let goal = super::GOAL.replace("s: send", "c: calc 1000000000000000\ns requires c\ns: send");
    let traces = [
        (open(&folder, "logs.tar", &logs), LONGEST + MESSAGE),
        (open(&folder, "x.vef", vef.as_bytes()), LONGEST + MESSAGE),
        (open(&folder, "x.goal", goal.as_bytes()), LONGEST + MESSAGE + 16),
    ];
    for (trace, expected) in traces {
        assert_eq!(cycles(&trace, ReplayOptions::default()), expected, "{}", trace.name());
    }
    // Sends at 1 s and 2 s more, and a gap of 11 days in front of the end.
    let days = 900_000;
    let texts = [0, 1].map(|rank| super::dumpi(rank).replace("time 3.0", &format!("time {days}.0")));
    let texts = tar(&[("d-0.txt", texts[0].as_bytes()), ("d-1.txt", texts[1].as_bytes())]);
    let trace = open(&folder, "texts.tar", &texts);
    let end = cycles(&trace, ReplayOptions::default());
    // Rank 1 computes for a second, gets the message that left then, and computes to the end.
    assert_eq!(end, 1_000_000_000 + MESSAGE + (days - 2) * 1_000_000_000);
}

#[test]
fn scales_and_costs_may_make_times_long() {
    let folder = TempDir::new().unwrap();
    let logs = tar(&[("r00000.txt", super::log(0).as_bytes()), ("r00001.txt", super::log(1).as_bytes())]);
    let trace = open(&folder, "logs.tar", &logs);
    let scaled = ReplayOptions { gap_scale: 1e6, ..ReplayOptions::default() };
    assert_eq!(cycles(&trace, scaled.clone()), 16_000_000 + MESSAGE);
    // 10^6 ns for each of 256 bytes, on both sides, and 1 s more on each.
    let costs =
        ReplayOptions { o_byte: 1e6, o_send: Nanoseconds(1e9), o_recv: Nanoseconds(1e9), ..ReplayOptions::default() };
    assert_eq!(cycles(&trace, costs), 16 + 2 * (1_000_000_000 + 256_000_000) + MESSAGE);
    let skeleton = |rate: &str| Trace::skeleton(&format!("all-reduce:ranks=2,steps=1,rate={rate}")).unwrap();
    let days = skeleton("100k");
    let once = cycles(&days, ReplayOptions::default());
    let twice = cycles(&days, ReplayOptions { gap_scale: 2.0, ..ReplayOptions::default() });
    // 4 * 10^11 flops at 10^5 a second, and the optimiser's.
    assert!(once > 4_000_000 * 1_000_000_000 && twice > 2 * once - once / 100, "{once} {twice}");
    // Years are refused, and not taken for the 213 days that can be counted.
    let years = skeleton("1k");
    let placement = Placement::new(2, 2, &PlacementOptions::default()).unwrap();
    let mut program = ProgramReplay::new(&years, &TrafficOptions::default(), placement).unwrap();
    let error = format!("{:#}", run_ideal(&mut program, 2, |_| LATENCY).unwrap_err());
    assert!(error.contains("the replay's clock has run over"), "{error}");
}
