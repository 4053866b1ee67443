//! Any program that can finish comes back from a VEF trace as its logs replay, and runs to its end over any network.

use crate::common;
use common::driver::{Drive, Network, drive};
use common::programs::{RANKS, event, logs};
use common::{folder, textbook};
use powar_traffic::format::vef;
use powar_traffic::replay::message::Message;
use powar_traffic::workload::{self, Workload};
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, Trace, TrafficOptions};
use proptest::prelude::*;

fn messages(trace: &Trace, options: &TrafficOptions) -> Vec<Message> {
    trace.replay(options, Box::new(|a, b| a + b)).unwrap().map(|message| message.unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_program_comes_back_cycle_by_cycle(
        program in proptest::collection::vec(event(), 1..16),
        cycle_ps in 1_000..3_000u64,
    ) {
        let logs = logs(&program, true);
        let folder = folder(&logs.each_ref().map(String::as_str));
        let trace = Trace::open(folder.path()).unwrap();
        let options = TrafficOptions { cycle_ps, ..textbook() };
        let path = folder.path().join("x.vef");
        let mut text = Vec::new();
        vef::write(&trace, &options, Box::new(|a, b| a + b), &mut text).unwrap();
        std::fs::write(&path, &text).unwrap();
        let again = Trace::open(&path).unwrap();
        prop_assert_eq!(messages(&trace, &options), messages(&again, &options));
    }
    // A network delivers in any order, and reports in any; the program takes the same course, and ends.
    #[test]
    fn a_program_ends_over_any_network(
        program in proptest::collection::vec(event(), 1..16),
        latencies in [0..3_000u64, 0..3_000u64, 0..3_000u64],
        ranks_per_node in 1..4u32,
    ) {
        let logs = logs(&program, true);
        let folder = folder(&logs.each_ref().map(String::as_str));
        let trace = Trace::open(folder.path()).unwrap();
        let path = folder.path().join("x.vef");
        let mut text = Vec::new();
        vef::write(&trace, &TrafficOptions::default(), Box::new(|_, _| 1), &mut text).unwrap();
        std::fs::write(&path, &text).unwrap();
        for trace in [trace, Trace::open(&path).unwrap()] {
            let (forth, computed) = course(&trace, latencies, ranks_per_node, false);
            let (back, computed_back) = course(&trace, latencies, ranks_per_node, true);
            prop_assert!(forth.over);
            prop_assert_eq!((forth.starts, forth.end), (back.starts, back.end));
            prop_assert!(computed.iter().all(|&cycles| cycles <= forth.end as f64), "{:?}", computed);
            prop_assert_eq!(computed, computed_back);
        }
    }
}

/// Runs a program over a network with different latencies; returns its course and how long its nodes have computed.
fn course(trace: &Trace, latencies: [u64; 3], ranks_per_node: u32, backwards: bool) -> (Drive, Vec<f64>) {
    let options = PlacementOptions { ranks_per_node, ..PlacementOptions::default() };
    let placement = Placement::new(trace.ranks(), RANKS as u32, &options).unwrap();
    let mut replay = ProgramReplay::new(trace, &TrafficOptions::default(), placement).unwrap();
    let latency = |message: &workload::Message| latencies[message.number as usize % latencies.len()];
    let drive = drive(&mut replay, &Network { nodes: RANKS, latency: &latency, backwards }).unwrap();
    let computed = replay.computing(drive.end);
    (drive, computed)
}
