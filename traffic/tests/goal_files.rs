//! Which files are GOAL traces, and traces that are packed or written by ourselves.

use crate::common;
use common::goal_file;
use lzma_rust2::{XzOptions, XzWriter};
use powar_traffic::format::goal::{After, GoalTrace, Writer, Written};
use powar_traffic::program::run_ideal;
use powar_traffic::{Placement, PlacementOptions, TrafficOptions};
use std::io::Write;
use std::sync::Arc;

fn packed(text: &[u8]) -> Vec<u8> {
    let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
    xz.write_all(text).unwrap();
    xz.finish().unwrap()
}

fn recognised(content: &[u8], suffix: &str) -> bool {
    let file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
    std::fs::write(file.path(), content).unwrap();
    GoalTrace::recognises(file.path()).unwrap()
}

#[test]
fn a_trace_is_told_by_its_first_word_or_its_name() {
    let comment = format!("// {}\n/* num_ranks\n*/ num_ranks", "x".repeat(5000));
    for text in ["num_ranks 2\n", "\r\n\t num_ranks 2", "/* a\n b */num_ranks/**/2", comment.as_str()] {
        assert!(recognised(text.as_bytes(), ""), "{text}");
        assert!(recognised(&packed(text.as_bytes()), ".txt"), "{text}");
    }
    let endless = " ".repeat(1 << 20) + "num_ranks 2";
    for text in
        ["", "num_rank 2", "num_ranks2", "VEF 2 1 1 0 0 0\n", "/* num_ranks 2", "// num_ranks 2", endless.as_str()]
    {
        assert!(!recognised(text.as_bytes(), ".txt"), "{text}");
    }
    assert!(!recognised(b"\xff num_ranks 2", "") && !recognised(b"\xfd7zXZ\0num_ranks", ""));
    assert!(recognised(b"", ".goal") && recognised(b"", ".GOAL.xz") && recognised(b"", ".goal.zst"));
    assert!(GoalTrace::recognises("/nowhere/x".as_ref()).is_err());
}

/// Cycles to the end, without costs, over a network of 100 cycles.
fn cycles(trace: GoalTrace) -> u64 {
    let ranks = trace.ranks();
    let placement = Placement::new(ranks, ranks, &PlacementOptions::default()).unwrap();
    let options = TrafficOptions { cycle_ps: 1_000, ..TrafficOptions::default() };
    let mut workload = Arc::new(trace).workload(&options, placement).unwrap();
    run_ideal(&mut workload, ranks, |_| 100).unwrap().cycles
}

#[test]
fn what_is_written_comes_back() {
    let mut writer = Writer::begin(3).unwrap();
    let none = After::default();
    // Rank 0 computes and sends to both others, rank 2 computes beside the wait for it and answers.
    let a = writer.calc(0, 40, none).unwrap();
    let to_2 = writer.send(0, 2, 128, 5, After { finished: &[a], ..none }).unwrap();
    let from_0 = writer.receive(2, None, 128, Some(5), none).unwrap();
    let beside = writer.calc(2, 30, After { started: &[from_0], ..none }).unwrap();
    let to_1 = writer.send(0, 1, 0, 6, After { finished: &[a], started: &[to_2] }).unwrap();
    writer.receive(1, Some(0), 0, None, none).unwrap();
    let answer = writer.send(2, 0, 256, 7, After { finished: &[from_0, beside], ..none }).unwrap();
    writer.receive(0, Some(2), 256, Some(7), After { finished: &[to_1], ..none }).unwrap();
    assert_ne!(answer, to_1);
    let mut text = Vec::new();
    assert_eq!(writer.finish(&mut text).unwrap(), Written { ranks: 3, operations: 8 });
    let expected = "num_ranks 3

rank 0 {
l1: calc 40
l2: send 128b to 2 tag 5
l2 requires l1
l3: send 0b to 1 tag 6
l3 requires l1
l3 irequires l2
l4: recv 256b from 2 tag 7
l4 requires l3
}

rank 1 {
l1: recv 0b from 0 tag -1
}

rank 2 {
l1: recv 128b from -1 tag 5
l2: calc 30
l2 irequires l1
l3: send 256b to 0 tag 7
l3 requires l1
l3 requires l2
}
";
    assert_eq!(String::from_utf8(text.clone()).unwrap(), expected);
    // 40, 8 flits, 100; 16 flits, 100.
    for content in [text.clone(), packed(&text)] {
        let file = goal_file(content);
        assert_eq!(cycles(GoalTrace::open(file.path()).unwrap()), 40 + 8 + 100 + 16 + 100);
    }
}

#[test]
fn schedgen_writes_like_this() {
    // A broadcast of 16 bytes down a binomial tree, with Schedgen's blanks and an operation for what comes behind.
    let text = "num_ranks 4\n\nrank 0 {\nl1: send 16b to 1 tag 3\nl2: send 16b to 2 tag 3\nl3: calc 0\nl3 requires l1\nl3 requires l2\n}\n\n\
                rank 1 {\nl1: recv 16b from 0 tag 3\nl2: send 16b to 3 tag 3\nl2 requires l1\n}\n\n\
                rank 2 {\nl1: recv 16b from 0 tag 3\n}\n\nrank 3 {\nl1: recv 16b from 1 tag 3\n}\n\n";
    let file = goal_file(text);
    let trace = GoalTrace::open(file.path()).unwrap();
    assert_eq!((trace.ranks(), trace.operations()), (4, 7));
    assert_eq!(cycles(trace), 2 * 108);
}

#[test]
fn a_trace_without_operations_is_over_at_once() {
    let file = goal_file("num_ranks 2 rank 1 { } rank 0 {\n}");
    assert_eq!(cycles(GoalTrace::open(file.path()).unwrap()), 0);
}

#[test]
fn a_full_disk_is_an_error() {
    let mut writer = Writer::begin(1).unwrap();
    writer.calc(0, 1, After::default()).unwrap();
    let mut small = [0u8; 4];
    let error = writer.finish(&mut small.as_mut_slice()).unwrap_err().to_string();
    assert_eq!(error, "cannot write the GOAL trace: failed to write the buffered data");
}
