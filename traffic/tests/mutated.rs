//! Logs and VEF traces with a few changes: opening and replaying them ends with messages, or with one line that says
//! which file and which line is wrong, or which ranks wait.
//!
//! `POWAR_LONG=1` tries 100 000 inputs of each format instead of 2000. One of them again, for logs:
//! `POWAR_SEED=SEED cargo test -p powar-traffic mutated::logs`.

use crate::common;
use anyhow::Result;
use common::driver::{Network, drive};
use common::mutation::{Mutator, little_memory, try_many};
use common::vef_file;
use powar_traffic::workload::Workload;
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, Trace, TrafficOptions};
use std::path::Path;

/// The log of one of two ranks, of either version, in which calls of all kinds fit together.
fn log(version: u32, rank: u32) -> String {
    let other = 1 - rank;
    // What version 2 adds: what a receive asked for, sizes and neighbours.
    let (asked, sizes, neighbours) = match version {
        1 => ("", String::new(), String::new()),
        _ => (" -", " n 2 2x8".into(), format!(" to 1 {other}:8 from 1 {other}")),
    };
    let mut lines = vec![
        format!("H pmpilog {version} {rank} 2"),
        "C 0000000a 2 0 1".into(),
        format!("Irecv 10 10 0000000a {other} 64 3 1"),
        format!("Isend 20 20 0000000a {other} 64 3 2"),
        format!("T 5 5 1 {other} 3 64 2"),
        "T 0 0 2 -1 3 64 0".into(),
        format!("SendrecvS 100 100 0000000a {other} 128 4 0"),
        format!("SendrecvR 0 0 0000000a {other} 128 4 0{asked}"),
        "Barrier 7 7 0000000a -1 0 0 0".into(),
        "Allreduce 7 7 0000000a -1 16 0 0".into(),
        "Bcast 0 0 0000000a 1 2000 0 0".into(),
        "Alltoall 30 30 0000000a -1 8 0 0".into(),
        "Comm_split 3 3 0000000a -1 0 0 0".into(),
        "C 0000000b 2 1 0".into(),
    ];
    lines.push(match rank {
        0 => format!("Send 40 40 0000000b {other} 700 9 0"),
        _ => format!("Recv 1 1 0000000b {other} 700 9 0{asked}"),
    });
    if version == 2 {
        lines.extend([
            format!("Alltoallv 4 4 0000000a -1 16 0 0{sizes}"),
            "Iallreduce 2 2 0000000b -1 24 0 5".into(),
            "P 300 300 5 -1 0 24 3".into(),
            format!("Neighbor_alltoall 9 9 0000000a -1 8 0 0{neighbours}"),
            "Scan 6 6 0000000b -1 8 0 0".into(),
        ]);
    }
    lines.push("FIN 8 8 polls 0".into());
    lines.join("\n") + "\n"
}

const LOG_WORDS: &[&str] = &[
    "0",
    "-1",
    "-2",
    "1",
    "2",
    "3",
    "65536",
    "4294967295",
    "4294967296",
    "99999999999999999999",
    "C",
    "T",
    "P",
    "FIN",
    "H",
    "pmpilog",
    "polls",
    "0000000a",
    "0000000b",
    "Send",
    "Recv",
    "Isend",
    "Irecv",
    "Allreduce",
    "Ibarrier",
    "Alltoallv",
    "Neighbor_allgather",
    "st",
    "n",
    "to",
    "from",
    "2x8",
    "65536x4294967296",
    "1:8",
    "1:x",
    "\n",
    " ",
    "\u{0}",
    "\u{fffd}",
];

/// Messages with all kinds of dependences, and two collectives.
fn vef() -> String {
    "VEF 3 5 2 2 6 0
C0 0 1 2
C1 2 0 1
0 0 1 300 0 160 -1
1 1 2 128 2 16 0
2 2 0 64 3 0 1
3 0 2 0 1 30 0
4 2 0 2000 2 0 3
G0 0 6 0 0 0 0 16 -1
G0 0 6 1 0 0 2 0 0
G0 0 6 2 0 0 2 32 1
G1 1 2 0 64 64 3 5 G0
G1 1 2 1 64 64 3 6 G0
G1 1 2 2 64 64 3 7 G0
"
    .into()
}

const VEF_WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "65536",
    "4294967295",
    "4294967296",
    "1000000000000",
    "99999999999999999999",
    "VEF",
    "C0",
    "C1",
    "C2",
    "G0",
    "G1",
    "G2",
    "G",
    "C",
    "\n",
    " ",
    "\u{0}",
    "\u{fffd}",
];

/// Whether what is at the path was read, and ended, over a network without contention.
fn replays(path: &Path, seed: u64) -> Result<bool> {
    let trace = Trace::open(path)?;
    let ranks = trace.ranks();
    let ranks_per_node = 1 + (seed % 2) as u32;
    let nodes = ranks.div_ceil(ranks_per_node);
    let options = PlacementOptions { ranks_per_node, ..PlacementOptions::default() };
    let placement = Placement::new(ranks, nodes, &options)?;
    let mut replay = ProgramReplay::new(&trace, &TrafficOptions::default(), placement)?;
    let network = Network { nodes: nodes as usize, latency: &|_| 50, backwards: false };
    let driven = drive(&mut replay, &network)?;
    // One that is not over says who waits.
    assert_eq!(driven.over, replay.waits().is_empty());
    Ok(driven.over)
}

fn judged(outcome: Result<bool>, seed: u64) -> bool {
    outcome.unwrap_or_else(|error| {
        let message = format!("{error:#}");
        assert!(!message.is_empty() && !message.contains('\n') && message.len() < 1000, "seed {seed}: {message}");
        false
    })
}

fn logs_replay(texts: [Vec<u8>; 2], seed: u64) -> bool {
    let folder = tempfile::TempDir::new().unwrap();
    for (rank, text) in texts.iter().enumerate() {
        std::fs::write(folder.path().join(format!("r{rank:05}.txt")), text).unwrap();
    }
    judged(replays(folder.path(), seed), seed)
}

fn vef_replays(text: &[u8], seed: u64) -> bool {
    judged(replays(vef_file(text).path(), seed), seed)
}

#[test]
fn the_samples_are_good() {
    for seed in 0..2 {
        for version in [1, 2] {
            assert!(logs_replay([0, 1].map(|rank| log(version, rank).into_bytes()), seed), "version {version}");
        }
        assert!(vef_replays(vef().as_bytes(), seed));
    }
}

#[test]
fn mutated_logs_end_in_messages_or_in_one_line() {
    try_many("mutated::logs", |seed| {
        let version = 1 + (seed / 2 % 2) as u32;
        logs_replay(Mutator::new(seed, LOG_WORDS).mutated([log(version, 0), log(version, 1)]), seed)
    });
    little_memory();
}

#[test]
fn mutated_vef_ends_in_messages_or_in_one_line() {
    try_many("mutated::vef", |seed| {
        let [text] = Mutator::new(seed, VEF_WORDS).mutated([vef()]);
        vef_replays(&text, seed)
    });
    little_memory();
}
