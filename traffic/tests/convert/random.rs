//! Any program that can finish.

use super::common::folder;
use super::common::programs::{RANKS, event, logs};
use super::{by_byte, check_text, converted, goal_text, ideal, instant};
use powar_traffic::format::mpi_log::Logs;
use powar_traffic::program::call::{CallSource, Entry};
use powar_traffic::{ReplayOptions, Trace};
use proptest::prelude::*;

/// Some time before the first message.
const BEGIN: &str = "Iprobe 10 0 00000001 1 0 0 0\n";

fn options() -> impl Strategy<Value = ReplayOptions> {
    let names = proptest::sample::select(vec!["open-mpi", "textbook"]);
    let scales = proptest::sample::select(vec![1.0, 0.37, 4.2]);
    (names, scales, 0..50u32, 0..2u32).prop_map(|(collectives, gap_scale, floor, reduce)| ReplayOptions {
        collectives: collectives.into(),
        gap_scale,
        // The time before the first message has to stay.
        gap_floor: powar_config::units::Nanoseconds(f64::from(floor) / 10.0),
        reduce_byte: f64::from(reduce) * 0.7,
        ..ReplayOptions::default()
    })
}

/// The options for a replay of what was written with these: times are in it.
fn written(options: &ReplayOptions) -> ReplayOptions {
    let default = ReplayOptions::default();
    ReplayOptions { gap_scale: 1.0, gap_floor: default.gap_floor, reduce_byte: 0.0, ..options.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    // Where messages leave at once, waiting until they have is nothing: GOAL says all there is to say.
    #[test]
    fn a_program_takes_the_same_cycles_as_goal(
        program in proptest::collection::vec(event(), 1..24),
        latencies in [1..3_000u64, 1..3_000u64, 1..3_000u64],
        replay in options(),
        cycle_ps in 1_000..3_000u64,
    ) {
        let logs = logs(&program, false).map(|log| BEGIN.to_owned() + &log);
        let folder = folder(&logs.each_ref().map(String::as_str));
        let trace = Trace::open(folder.path()).unwrap();
        // The number of a message depends on who runs first within a cycle; its pair does not.
        let latency = |message: &powar_traffic::workload::Message| {
            latencies[(message.source * 2 + message.destination) as usize % latencies.len()]
        };
        let options = powar_traffic::TrafficOptions { cycle_ps, ..by_byte(replay.clone()) };
        let mut text = Vec::new();
        powar_traffic::format::goal::from_calls(&trace, &options, &mut text).unwrap();
        let path = folder.path().join("x.goal");
        std::fs::write(&path, text).unwrap();
        let goal = Trace::open(&path).unwrap();
        let of_goal = powar_traffic::TrafficOptions { cycle_ps, ..by_byte(written(&replay)) };
        prop_assert_eq!(instant(&trace, &options, latency), instant(&goal, &of_goal, latency));
    }

    // In the logs a blocking send is over when its last flit has left: that is the only difference, and each message's flits count once.
    #[test]
    fn waiting_until_messages_have_left_is_all_that_goal_does_not_say(
        program in proptest::collection::vec(event(), 1..24),
        replay in options(),
    ) {
        let logs = logs(&program, false).map(|log| BEGIN.to_owned() + &log);
        let folder = folder(&logs.each_ref().map(String::as_str));
        let trace = Trace::open(folder.path()).unwrap();
        let goal = converted(&trace, "x.goal", &replay);
        let (of_logs, of_goal) = (ideal(&trace, &by_byte(replay.clone())), ideal(&goal, &by_byte(written(&replay))));
        prop_assert_eq!(&of_logs.pairs, &of_goal.pairs);
        let flits: u64 = of_logs.pairs.values().map(|(_, flits)| flits).sum();
        prop_assert!(of_goal.cycles <= of_logs.cycles, "{} {}", of_goal.cycles, of_logs.cycles);
        prop_assert!(of_logs.cycles <= of_goal.cycles + flits, "{} {} {flits}", of_goal.cycles, of_logs.cycles);
    }

    // Receives with wildcards name what they got.
    #[test]
    fn a_program_with_wildcards_sends_the_same(program in proptest::collection::vec(event(), 1..24)) {
        let logs = logs(&program, true);
        let folder = folder(&logs.each_ref().map(String::as_str));
        let trace = Trace::open(folder.path()).unwrap();
        let replay = ReplayOptions::default();
        let text = goal_text(&trace, &replay);
        check_text(&text);
        prop_assert!(!text.contains("from -1") && !text.contains("tag -1"));
        let goal = converted(&trace, "x.goal.xz", &replay);
        let options = by_byte(replay);
        prop_assert_eq!(ideal(&trace, &options).pairs, ideal(&goal, &options).pairs);
    }

    #[test]
    fn logs_come_back_as_logs(program in proptest::collection::vec(event(), 1..24), wildcards: bool) {
        let logs = logs(&program, wildcards);
        let folder = folder(&logs.each_ref().map(String::as_str));
        let trace = Trace::open(folder.path()).unwrap();
        let (written, _) = super::write(&trace, "x.tar.xz", &ReplayOptions::default()).unwrap();
        let (before, after) = (Logs::open(folder.path()).unwrap(), Logs::open(&written.path().join("x.tar.xz")).unwrap());
        for rank in 0..RANKS as u32 {
            let (before, after) = (entries(&before, rank), entries(&after, rank));
            prop_assert_eq!(before.len(), after.len());
            for (before, after) in before.into_iter().zip(after) {
                prop_assert_eq!(super::logs::with_sizes(before, RANKS), super::logs::with_sizes(after, RANKS));
            }
        }
    }
}

fn entries(source: &dyn CallSource, rank: u32) -> Vec<Entry> {
    let mut calls = source.calls(rank).unwrap();
    std::iter::from_fn(|| calls.next().unwrap()).collect()
}
