//! Any program that can finish comes back from a VEF trace as its logs replay, and runs to its end over any network.

mod common;

use common::driver::{Drive, Network, drive};
use common::{folder, textbook};
use powar_traffic::format::vef;
use powar_traffic::replay::message::Message;
use powar_traffic::workload::{self, Workload};
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, Trace, TrafficOptions};
use proptest::prelude::*;

const RANKS: usize = 3;

/// What happens next in the program, with the compute gaps of the ranks before it, ns.
#[derive(Clone, Debug)]
enum Event {
    /// `late`: which sides leave their call open until their next event: 1 the sender, 2 the receiver.
    Message {
        from: usize,
        to: usize,
        bytes: u64,
        tag: i32,
        late: u32,
        gaps: [u32; 2],
    },
    Collective {
        name: &'static str,
        root: usize,
        bytes: u64,
        gaps: [u32; RANKS],
    },
}

const ROOTED: [&str; 6] = ["Bcast", "Reduce", "Gather", "Gatherv", "Scatter", "Scatterv"];
const ROOTLESS: [&str; 5] = ["Allreduce", "Allgather", "Alltoall", "Comm_split", "Barrier"];

fn event() -> impl Strategy<Value = Event> {
    let names: Vec<_> = ROOTED.into_iter().chain(ROOTLESS).collect();
    let gap = || prop_oneof![Just(0u32), 0..200u32, 0..20_000u32];
    prop_oneof![
        3 => (0..RANKS, 0..RANKS, 0..3000u64, 0..3i32, 0..4u32, [gap(), gap()])
            .prop_map(|(from, to, bytes, tag, late, gaps)| Event::Message { from, to, bytes, tag, late, gaps }),
        // A collective without payload would lose its root.
        1 => (proptest::sample::select(names), 0..RANKS, 1..3000u64, [gap(), gap(), gap()])
            .prop_map(|(name, root, bytes, gaps)| Event::Collective { name, root, bytes, gaps }),
    ]
}

/// The logs of a program.
fn logs(program: &[Event]) -> [String; RANKS] {
    let mut logs = [const { String::new() }; RANKS];
    // The completions each rank still owes.
    let mut owed = [const { String::new() }; RANKS];
    let mut settle = |logs: &mut [String; RANKS], rank: usize, next: String| {
        let before = std::mem::replace(&mut owed[rank], next);
        logs[rank] += &before;
    };
    for (number, event) in program.iter().enumerate() {
        let request = number + 1;
        match *event {
            Event::Message { from, to, bytes, tag, late, gaps: [before, after] } => {
                settle(&mut logs, from, String::new());
                let call = |name: &str, gap, peer, request| {
                    format!("{name} {gap} 0 00000001 {peer} {bytes} {tag} {request}\n")
                };
                if late & 1 == 0 {
                    logs[from] += &call("Send", before, to, 0);
                } else {
                    logs[from] += &call("Isend", before, to, request);
                    settle(&mut logs, from, format!("T {after} 0 {request} -2 -1 0 0\n"));
                }
                settle(&mut logs, to, String::new());
                if late & 2 == 0 {
                    logs[to] += &call("Recv", after, from, 0);
                } else {
                    // Of requests and calls with the same tag the first is completed first, because
                    // what is owed is settled before the rank's next call.
                    logs[to] += &format!("Irecv {after} 0 00000001 -1 9999 -1 {}\n", 1000 + request);
                    settle(&mut logs, to, format!("T {before} 0 {} {from} {tag} {bytes} 0\n", 1000 + request));
                }
            }
            Event::Collective { name, root, bytes, gaps } => {
                let root = if ROOTED.contains(&name) { root as i64 } else { -1 };
                for (rank, gap) in gaps.into_iter().enumerate() {
                    settle(&mut logs, rank, String::new());
                    logs[rank] += &format!("{name} {gap} 0 00000001 {root} {bytes} 0 0\n");
                }
            }
        }
    }
    for rank in 0..RANKS {
        settle(&mut logs, rank, String::new());
    }
    logs
}

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
        let logs = logs(&program);
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
        let logs = logs(&program);
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
