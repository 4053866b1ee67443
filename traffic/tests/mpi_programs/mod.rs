//! Hand-made programs whose cycles are worked out by hand from `docs/programs.md`.

use crate::common;

mod calls;
mod costs;
mod polling;
mod wildcards;

use common::driver::{Network, drive};
use common::folder_of;
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, ReplayOptions, Trace, TrafficOptions};

/// Cycles from a message's last flit to its arrival: a message of 8 flits that is given in cycle t has left in t + 8 and is there in
/// t + 64.
const LATENCY: u64 = 56;

/// What came of a program.
#[derive(Debug, PartialEq)]
struct Run {
    /// First flit, source, destination and flits of every message.
    messages: Vec<(u64, u32, u32, u64)>,
    /// The cycle in which the last rank ended.
    end: u64,
}

/// Replays logs of version 2, one rank a node, over a network without contention, whose reports come in either order.
#[track_caller]
fn run(logs: &[&str], replay: ReplayOptions) -> Run {
    run_with(logs, replay, 1, &|_, _| LATENCY)
}

#[track_caller]
fn run_with(logs: &[&str], replay: ReplayOptions, ranks_per_node: u32, latency: &dyn Fn(u32, u32) -> u64) -> Run {
    let folder = folder_of(2, logs);
    let trace = Trace::open(folder.path()).unwrap();
    let options = TrafficOptions { replay, ..TrafficOptions::default() };
    let nodes = trace.ranks().div_ceil(ranks_per_node);
    let placement = PlacementOptions { ranks_per_node, ..PlacementOptions::default() };
    let runs = [false, true].map(|backwards| {
        let placement = Placement::new(trace.ranks(), nodes, &placement).unwrap();
        let mut program = ProgramReplay::new(&trace, &options, placement).unwrap();
        let latency = |message: &powar_traffic::workload::Message| latency(message.source, message.destination);
        let network = Network { nodes: nodes as usize, latency: &latency, backwards };
        let drive = drive(&mut program, &network).unwrap();
        assert!(drive.over, "{:?}", powar_traffic::workload::Workload::waits(&program));
        let messages = drive.starts.iter().map(|(cycle, m)| (*cycle, m.source, m.destination, m.flits)).collect();
        Run { messages, end: program.run_time().unwrap() }
    });
    assert_eq!(runs[0], runs[1], "the order of reports within a cycle matters");
    let [run, _] = runs;
    run
}
