//! Whatever bytes a log holds, reading and replaying it ends with records or one error.

use crate::common;
use common::driver::{Network, drive};
use common::{SMALL_TREE, arrivals, folder};
use powar_traffic::format::mpi_log::reader::LogReader;
use powar_traffic::format::mpi_log::record::{MORE_OPERATIONS, NON_BLOCKING, OPERATIONS};
use powar_traffic::workload::Workload;
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, Trace, TrafficOptions};
use proptest::prelude::*;

/// Reads to the end; checks that errors are one line and end the log. Returns the records.
fn read(bytes: &[u8]) -> usize {
    let mut log = match LogReader::new(bytes, "r00000.txt") {
        Ok(log) => log,
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            return 0;
        }
    };
    let mut records = 0;
    while let Some(record) = log.next() {
        match record {
            Ok(_) => records += 1,
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "{error}");
                assert!(log.next().is_none());
            }
        }
    }
    records
}

/// Words that occur in logs, good and bad.
fn word() -> impl Strategy<Value = String> {
    let names = [OPERATIONS, MORE_OPERATIONS, NON_BLOCKING].into_iter().flatten().map(|(name, _)| (*name).to_owned());
    let others = ["C", "T", "P", "FIN", "H", "pmpilog", "polls", "00000001", "-1", "-2", "\u{0}"];
    let others = others.into_iter().chain(["-", "st", "n", "to", "from", "3x8", "65536x4294967296", "1:8", "1:x"]);
    let known: Vec<String> = names.chain(others.map(str::to_owned)).collect();
    prop_oneof![
        proptest::sample::select(known),
        any::<i64>().prop_map(|number| number.to_string()),
        (0..70u32).prop_map(|number| number.to_string()),
        "\\PC{0,6}",
    ]
}

/// A call of one of two ranks that the reader accepts; most fit together only by chance.
fn good_line() -> impl Strategy<Value = String> {
    let call = (0..OPERATIONS.len(), 0..200u32, 0..2u32, 0..500u32, 0..2u32, 1..4u32);
    prop_oneof![
        5 => call.prop_map(|(operation, gap, peer, bytes, tag, request)| {
            let (name, _) = OPERATIONS[operation];
            let opens = name == "Isend" || name == "Irecv";
            let request = if opens { request } else { 0 };
            format!("{name} {gap} 0 00000001 {peer} {bytes} {tag} {request}")
        }),
        1 => (1..4u32, -1..2i32).prop_map(|(request, source)| {
            format!("T 5 0 {request} {source} 0 8 0")
        }),
    ]
}

proptest! {
    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read(&bytes);
        for header in [b"H pmpilog 1 0 64\n", b"H pmpilog 2 0 64\n"] {
            let mut behind_a_header = header.to_vec();
            behind_a_header.extend(&bytes);
            read(&behind_a_header);
        }
    }

    #[test]
    fn any_words_can_be_read(
        lines in proptest::collection::vec(proptest::collection::vec(word(), 0..10), 0..20)
    ) {
        let lines: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        for version in [1, 2] {
            read(format!("H pmpilog {version} 0 64\n{}\n", lines.join("\n")).as_bytes());
        }
    }

    #[test]
    fn good_lines_are_all_read(lines in proptest::collection::vec(good_line(), 0..20)) {
        let mut text = "H pmpilog 1 0 2\n".to_owned();
        for line in &lines {
            text += line;
            text += "\n";
        }
        text += "FIN 0 0 polls 0\n";
        prop_assert_eq!(read(text.as_bytes()), lines.len() + 1);
    }

    #[test]
    fn a_replay_ends_in_packets_in_order_or_in_one_error(
        first in proptest::collection::vec(good_line(), 0..12),
        second in proptest::collection::vec(good_line(), 0..12),
    ) {
        let logs = [first.join("\n"), second.join("\n")];
        let logs = [logs[0].as_str(), logs[1].as_str()];
        match arrivals(&logs, SMALL_TREE, &TrafficOptions::default()) {
            Ok(packets) => prop_assert!(packets.is_sorted_by_key(|p| (p.cycle, p.input))),
            Err(error) => {
                let message = format!("{error:#}");
                prop_assert!(!message.contains('\n'));
            }
        }
    }
    // In the closed loop as well, whoever shares a node, and if not, it says which ranks wait.
    #[test]
    fn a_workload_ends_or_fails_or_says_who_waits(
        logs in proptest::collection::vec(proptest::collection::vec(good_line(), 0..12), 2),
        latency in 0..400u64,
        ranks_per_node in 1..3u32,
    ) {
        let logs: Vec<String> = logs.iter().map(|lines| lines.join("\n")).collect();
        let folder = folder(&[logs[0].as_str(), logs[1].as_str()]);
        let trace = Trace::open(folder.path()).unwrap();
        let options = PlacementOptions { ranks_per_node, ..PlacementOptions::default() };
        let placement = Placement::new(2, 2, &options).unwrap();
        let mut replay = ProgramReplay::new(&trace, &TrafficOptions::default(), placement).unwrap();
        let latency = |message: &powar_traffic::workload::Message| latency / (1 + message.number % 3);
        match drive(&mut replay, &Network { nodes: 2, latency: &latency, backwards: false }) {
            Ok(drive) => {
                prop_assert_eq!(drive.over, replay.waits().is_empty());
                prop_assert_eq!(drive.over.then_some(drive.end), replay.run_time());
            }
            Err(error) => {
                let message = format!("{error:#}");
                prop_assert!(!message.contains('\n'));
            }
        }
    }
}
