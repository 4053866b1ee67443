//! Logs written as a VEF trace replay like the logs.

use crate::common;
use common::{folder, textbook};
use powar_traffic::format::convert::{Conversion, Destination};
use powar_traffic::format::vef::{self, Written};
use powar_traffic::replay::Hops;
use powar_traffic::replay::message::Message;
use powar_traffic::{ReplayOptions, Trace, TrafficOptions};
use std::path::Path;
use tempfile::TempDir;

/// All messages, over a network with this many switches between any two nodes.
fn messages(trace: &Trace, options: &TrafficOptions, hops: u32) -> Vec<Message> {
    trace.replay(options, Box::new(move |_, _| hops)).unwrap().map(|message| message.unwrap()).collect()
}

/// Writes logs and opens the trace again.
fn converted(trace: &Trace, options: &TrafficOptions, hops: u32) -> (Written, String, Trace) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace");
    let mut text = Vec::new();
    let written = vef::write(trace, options, Box::new(move |_, _| hops), &mut text).unwrap();
    std::fs::write(&path, &text).unwrap();
    let converted = Trace::open(&path).unwrap();
    assert_eq!(converted.ranks(), trace.ranks());
    (written, String::from_utf8(text).unwrap(), converted)
}

#[track_caller]
fn check(trace: &Trace, options: &TrafficOptions) -> (Written, String) {
    let (written, text, converted) = converted(trace, options, 3);
    let (from_logs, from_vef) = (messages(trace, options, 3), messages(&converted, options, 3));
    for (log, vef) in from_logs.iter().zip(&from_vef) {
        assert_eq!(log, vef);
    }
    assert_eq!(from_logs.len(), from_vef.len());
    (written, text)
}

fn shipped(name: &str) -> Trace {
    Trace::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbenches/traces").join(name)).unwrap()
}

#[test]
fn the_shipped_logs_come_back_message_by_message_and_cycle_by_cycle() {
    let (written, text) = check(&shipped("hpl-64.tar.xz"), &TrafficOptions::default());
    assert_eq!(written, Written { tasks: 64, messages: 37_723, communicators: 1, collectives: 0 });
    assert_eq!(text.lines().next().unwrap(), "VEF 64 37723 1 0 0 0");
    let (written, _) = check(&shipped("random-access-64.tar.xz"), &TrafficOptions::default());
    assert_eq!((written.tasks, written.communicators), (64, 1));
    assert!(written.collectives > 0 && written.messages > 20_000, "{written:?}");
}

#[test]
fn every_operation_of_a_log_comes_back() {
    let lines = |rank: u32| {
        let other = rank ^ 1;
        let mut text = String::from("C 0000000a 2 2 0\n");
        for operation in ["Bcast", "Reduce", "Gather", "Gatherv", "Scatter", "Scatterv"] {
            text += &format!("{operation} {} 0 00000001 1 300 0 0\n", 100 + 37 * rank);
        }
        for operation in ["Allreduce", "Allgather", "Alltoall", "Comm_split", "Barrier"] {
            text += &format!("{operation} {} 0 00000001 -1 200 0 0\n", 100 + 53 * rank);
        }
        if rank.is_multiple_of(2) {
            text += "Allreduce 16 0 0000000a -1 8 0 0\nBcast 16 0 0000000a 0 1024 0 0\n";
        }
        text += &format!(
            "Isend 10 0 00000001 {other} 5000 7 1
             Irecv 10 0 00000001 -1 9000 -1 2
             Isend 10 0 00000001 {rank} 60 8 3
             T {} 0 2 {other} 7 5000 0
             T 30 0 1 -2 -1 0 0
             Recv 30 0 00000001 {rank} 60 8 0
             T 30 0 3 -2 -1 0 0
             SendrecvS 30 0 00000001 {other} {} 9 0
             SendrecvR 0 0 00000001 {other} 700 9 0
             Send 20 0 00000001 {} 1 3 0
             Recv 20 0 00000001 {} 1 3 0
             Isend 20 0 00000001 -2 1 3 4
             T 0 0 4 -2 -1 0 0
             Barrier 20 0 00000001 -1 0 0 0",
            1 + 999 * rank,
            1 + 2000 * rank,
            (rank + 1) % 3,
            (rank + 2) % 3,
        );
        text
    };
    // The third rank is a neighbour of itself.
    let logs = [lines(0), lines(1), lines(2).replace("00000001 3 ", "00000001 2 ").replace(" 2 3 7 ", " 2 2 7 ")];
    let folder = folder(&logs.each_ref().map(String::as_str));
    let trace = Trace::open(folder.path()).unwrap();
    let (written, text) = check(&trace, &textbook());
    assert_eq!(written, Written { tasks: 3, messages: 12, communicators: 2, collectives: 14 });
    assert!(text.starts_with("VEF 3 12 2 14 40 0\nC0 0 1 2\nC1 2 0\n"), "{text}");
    // Another clock, another packet, gaps stretched: the scale is part of the trace.
    let stretched = TrafficOptions {
        replay: ReplayOptions { gap_scale: 7.3, ..textbook().replay },
        cycle_ps: 1_000,
        packet_bytes: 64,
        ..textbook()
    };
    let (_, _, scaled) = converted(&trace, &stretched, 3);
    let unscaled = TrafficOptions { replay: textbook().replay, ..stretched.clone() };
    assert_eq!(messages(&scaled, &unscaled, 3), messages(&trace, &stretched, 3));
}

/// Source, destination, bytes of each message from one task to another, in order.
fn per_pair(messages: &[Message]) -> Vec<(u32, u32, u64)> {
    let mut pairs: Vec<_> = messages.iter().map(|m| (m.source, m.destination, m.bytes)).collect();
    // Stable: the order within a pair stays.
    pairs.sort_by_key(|(source, destination, _)| (*source, *destination));
    pairs
}

#[test]
fn in_another_network_a_trace_keeps_its_messages() {
    let trace = shipped("random-access-64.tar.xz");
    let options = TrafficOptions::default();
    let (_, _, vef) = converted(&trace, &options, 3);
    let (from_logs, from_vef) = (messages(&trace, &options, 40), messages(&vef, &options, 40));
    assert!(per_pair(&from_logs) == per_pair(&from_vef));
}

#[test]
fn a_packed_trace_is_the_same() {
    let folder = folder(&["Send 160 0 00000001 1 300 7 0", "Recv 0 0 00000001 0 300 7 0"]);
    let trace = Trace::open(folder.path()).unwrap();
    let options = TrafficOptions::default();
    let path = folder.path().join("packed.vef.xz");
    let mut packed = Vec::new();
    let hops = || -> anyhow::Result<Hops> { Ok(Box::new(|_, _| 1)) };
    let conversion = Conversion { options: options.clone(), hops: &hops, name: "" };
    let packer = Destination::of("packed.vef.xz", None).unwrap();
    packer.write(&trace, &conversion, &mut packed).unwrap();
    std::fs::write(&path, &packed).unwrap();
    assert_eq!(messages(&Trace::open(&path).unwrap(), &options, 1), messages(&trace, &options, 1));
    // Half of it is half a file, wherever that is.
    for end in [1, 5, 30, packed.len() - 1] {
        std::fs::write(&path, &packed[..end]).unwrap();
        let error = format!("{:#}", Trace::open(&path).unwrap_err());
        assert!(error.contains("packed.vef.xz") && !error.contains('\n'), "{error}");
    }
}

#[test]
fn the_same_logs_give_the_same_text() {
    let trace = shipped("random-access-64.tar.xz");
    let text = || converted(&trace, &TrafficOptions::default(), 1).1;
    assert!(text() == text());
}

#[test]
fn what_can_not_be_written_is_refused() {
    let error = |trace: &Trace| {
        let written = vef::write(trace, &TrafficOptions::default(), Box::new(|_, _| 1), &mut Vec::new());
        let name = trace.name().to_owned();
        format!("{:#}", written.unwrap_err()).replace(&name, "TRACE")
    };
    // A broadcast whose root leaves before the other has come, and it never does.
    let logs = folder(&["Bcast 0 0 00000001 0 8 0 0", ""]);
    assert_eq!(
        error(&Trace::open(logs.path()).unwrap()),
        "TRACE: collective 0 of the trace has 1 of its 2 members, expected all before the logs end"
    );
    let path = logs.path().join("x.vef");
    std::fs::write(&path, "VEF 1 0 1 0 0 0\nC0 0\n").unwrap();
    assert_eq!(
        error(&Trace::open(&path).unwrap()),
        "TRACE holds messages and what they wait for, expected a trace of MPI calls"
    );
}
