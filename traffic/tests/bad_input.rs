//! What is wrong with an input is said in one line: file, line, field, value, what was expected.

use crate::common;
use common::{SMALL_TREE, arrivals, folder};
use powar_traffic::format::mpi_log::Logs;
use powar_traffic::format::mpi_log::reader::LogReader;
use powar_traffic::{ReplayOptions, Trace, TrafficOptions, view};
use std::path::Path;

/// The error of a two-rank log that has `line` as its second line.
fn line_error(line: &str) -> String {
    let text = format!("H pmpilog 1 0 2\n{line}\nFIN 0 0 polls 0\n");
    let mut log = LogReader::new(text.as_bytes(), "r00000.txt").unwrap();
    let error = log.next().unwrap().unwrap_err().to_string();
    assert!(log.next().is_none(), "the first error ends the log");
    error
}

fn whole_log_error(text: &str) -> String {
    let all = LogReader::new(text.as_bytes(), "r00000.txt").and_then(|log| log.collect::<anyhow::Result<Vec<_>>>());
    all.unwrap_err().to_string()
}

#[test]
fn every_field_of_a_call_is_checked() {
    let cases = [
        ("Send x 0 00000001 1 8 7 0", "field `gap_cpu` is `x`, expected an integer from 0 to 1000000000000000"),
        ("Send 0 -1 00000001 1 8 7 0", "field `gap_wall` is `-1`, expected an integer from 0 to 1000000000000000"),
        ("Send 0 0 1 1 8 7 0", "field `comm` is `1`, expected eight hexadecimal digits"),
        ("Send 0 0 00000001 2 8 7 0", "field `peer` is `2`, expected an integer from -2 to 1"),
        (
            "Send 0 0 00000001 1 4294967297 7 0",
            "field `bytes` is `4294967297`, expected an integer from 0 to 4294967296",
        ),
        (
            "Send 0 0 00000001 1 8 2147483648 0",
            "field `tag` is `2147483648`, expected an integer from -2147483648 to 2147483647",
        ),
        ("Send 0 0 00000001 1 8 7 3", "field `req` is `3`, expected 0 for Send"),
        ("Isend 0 0 00000001 1 8 7 0", "field `req` is `0`, expected 1 or more for Isend"),
        ("Bcast 0 0 00000001 -1 8 0 0", "field `peer` is negative, expected the root's rank for Bcast"),
        ("Send 0 0 00000001 1 8 7", "field `req` is missing: the line ends before it"),
        ("Send 0 0 00000001 1 8 7 0 9", "found `9` after the last field"),
        ("", "field `record` is missing: the line ends before it"),
    ];
    for (line, expected) in cases {
        assert_eq!(line_error(line), format!("r00000.txt, line 2: {expected}"));
    }
}

#[test]
fn every_field_of_the_other_records_is_checked() {
    let cases = [
        ("T 0 0 0 1 7 8 0", "field `req` is `0`, expected an integer from 1 to 18446744073709551615"),
        ("T 0 0 1 2 7 8 0", "field `source` is `2`, expected an integer from -2 to 1"),
        ("T 0 0 1 1 7 8 -1", "field `polls` is `-1`, expected an integer from 0 to 18446744073709551615"),
        ("C zz000001 1 0", "field `hash` is `zz000001`, expected eight hexadecimal digits"),
        ("C 00000001 3 0 1 2", "field `n` is `3`, expected an integer from 1 to 2"),
        ("C 00000001 2 0 2", "field `member` is `2`, expected an integer from 0 to 1"),
        ("C 00000001 2 1 1", "field `member` is `1` a second time, expected 2 different ranks"),
        ("FIN 0 0 pools 0", "field `polls` is `pools`, expected `polls`"),
    ];
    for (line, expected) in cases {
        assert_eq!(line_error(line), format!("r00000.txt, line 2: {expected}"));
    }
}

#[test]
fn an_unknown_operation_is_named_with_the_known_ones() {
    let error = line_error("Start 0 0 00000001 1 8 7 0");
    let begin = "r00000.txt, line 2: field `OP` is `Start`, expected C, T, FIN or one of Send, ";
    assert!(error.starts_with(begin), "{error}");
    assert!(error.ends_with("Alltoall, Comm_split"), "{error}");
}

#[test]
fn a_broken_value_can_not_break_the_message() {
    let error = line_error(&format!("Send {}\u{1b}[2J 0", "9".repeat(38)));
    assert_eq!(
        error,
        format!(
            "r00000.txt, line 2: field `gap_cpu` is `{}\\u{{1b}}[...`, \
             expected an integer from 0 to 1000000000000000",
            "9".repeat(38)
        )
    );
}

#[test]
fn the_header_is_checked() {
    let cases = [
        ("", "r00000.txt: the log is empty, expected `H pmpilog 2 RANK NRANKS`"),
        ("C\n", "r00000.txt, line 1: field `record` is `C`, expected `H`"),
        ("H log 1 0 2", "r00000.txt, line 1: field `format` is `log`, expected `pmpilog`"),
        ("H pmpilog 3 0 2", "r00000.txt, line 1: field `version` is `3`, expected an integer from 1 to 2"),
        ("H pmpilog 1 2 2", "r00000.txt, line 1: field `rank` is `2`, expected a rank below the number of ranks, 2"),
        ("H pmpilog 1 0 0", "r00000.txt, line 1: field `ranks` is `0`, expected an integer from 1 to 65536"),
    ];
    for (text, expected) in cases {
        assert_eq!(whole_log_error(text), expected);
    }
}

#[test]
fn a_log_cut_short_is_noticed() {
    assert_eq!(
        whole_log_error("H pmpilog 1 0 2\nSend 0 0 00000001 1 8 7 0\n"),
        "r00000.txt: the log is cut short: it ends at line 2 without its FIN line"
    );
    assert_eq!(
        whole_log_error("H pmpilog 1 0 2\nSend 0 0 000"),
        "r00000.txt, line 2: field `comm` is `000`, expected eight hexadecimal digits"
    );
}

#[test]
fn text_behind_the_end_is_noticed() {
    assert_eq!(
        whole_log_error("H pmpilog 1 0 2\nFIN 0 0 polls 0\nH pmpilog 1 1 2\n"),
        "r00000.txt, line 3: found more text, expected the end of the file after FIN"
    );
}

#[test]
fn bytes_that_are_no_text_are_noticed() {
    let bytes = b"H pmpilog 1 0 2\n\xff\xfe\n";
    let mut log = LogReader::new(bytes.as_slice(), "r00000.txt").unwrap();
    let error = log.next().unwrap().unwrap_err().to_string();
    assert_eq!(error, "r00000.txt, line 2: found bytes that are not text, expected a log line");
}

#[test]
fn an_endless_line_is_not_read_into_memory() {
    let text = format!("H pmpilog 1 0 2\n{}", " ".repeat(3 << 20));
    let mut log = LogReader::new(text.as_bytes(), "r00000.txt").unwrap();
    let error = log.next().unwrap().unwrap_err().to_string();
    assert_eq!(error, "r00000.txt, line 2: longer than 1048576 bytes, expected a log line");
}

fn open_error(path: &Path) -> String {
    let error = format!("{:#}", Trace::open(path).unwrap_err());
    // Temporary folders have random names.
    error.replace(&path.display().to_string(), "TRACE")
}

#[test]
fn a_missing_rank_is_named() {
    let folder = folder(&["", "", ""]);
    std::fs::remove_file(folder.path().join("r00001.txt")).unwrap();
    assert_eq!(open_error(folder.path()), "TRACE: r00001.txt is missing, expected the logs of ranks 0 to 2");
}

#[test]
fn logs_must_fit_their_names_and_each_other() {
    let swapped = folder(&["", ""]);
    let log = |rank| swapped.path().join(format!("r0000{rank}.txt"));
    std::fs::copy(log(0), log(1)).unwrap();
    assert_eq!(
        open_error(swapped.path()),
        "TRACE: r00001.txt, line 1: field `rank` is `0`, expected 1 as in the file's name"
    );
    std::fs::write(log(1), "H pmpilog 1 1 3\n").unwrap();
    assert_eq!(
        open_error(swapped.path()),
        "TRACE: r00001.txt, line 1: field `ranks` is `3`, expected 2 as in r00000.txt"
    );
}

#[test]
fn a_bad_line_is_named_with_the_folder_of_its_log() {
    let folder = folder(&["Send 0 0 00000001 2 8 7 0", ""]);
    let trace = Logs::open(folder.path()).unwrap();
    let error = trace.log(0).unwrap().last().unwrap().unwrap_err().to_string();
    let place = format!("{}: r00000.txt, line 3: field `peer` is `2`", folder.path().display());
    assert!(error.starts_with(&place), "{error}");
}

#[test]
fn a_path_without_logs_is_refused() {
    let empty = tempfile::TempDir::new().unwrap();
    let expected = "expected a VEF trace (.vef), a GOAL trace (.goal), a folder or archive of what dumpi2ascii prints for each rank, \
                    a folder or archive of rNNNNN.txt logs (archives are .tar, and all may be packed (.xz, .gz, .bz2, .zst))";
    assert_eq!(open_error(empty.path()), format!("TRACE is an empty folder, no trace; {expected}"));
    assert_eq!(open_error(&empty.path().join("none")), format!("trace `TRACE` not found, {expected}"));
}

#[test]
fn half_an_archive_is_refused() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbenches/traces/hpl-64.tar.xz");
    let bytes = std::fs::read(shipped).unwrap();
    let folder = tempfile::TempDir::new().unwrap();
    let half = folder.path().join("half.tar.xz");
    std::fs::write(&half, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(open_error(&half), "TRACE: r00031.txt: cannot read behind line 291: the packed file is cut short");
}

/// The error of a replay.
fn replay_error(logs: &[&str]) -> String {
    let options = TrafficOptions::default();
    let error = arrivals(logs, SMALL_TREE, &options).unwrap_err();
    format!("{error:#}")
}

#[test]
fn a_receive_nobody_sends_to_is_found() {
    assert_eq!(
        replay_error(&["Recv 0 0 00000001 1 8 7 0", "Send 0 0 00000001 0 8 6 0"]),
        "TRACE: r00000.txt, line 3: rank 0 waits for ever, \
         expected a message with tag 7 from rank 1 in communicator 00000001"
    );
    assert_eq!(
        replay_error(&["Barrier 0 0 00000001 -1 0 0 0", ""]),
        "TRACE: r00000.txt, line 3: rank 0 waits for ever, \
         expected its part of a collective from rank 1 in communicator 00000001"
    );
}

#[test]
fn requests_and_communicators_must_be_opened_first() {
    let cases = [
        ("T 0 0 4 1 7 8 0", "field `req` is `4`, expected a request opened by an earlier non-blocking call"),
        ("Barrier 0 0 0000000b -1 0 0 0", "communicator `0000000b` is unknown, expected a C line before its use"),
        ("C 0000000b 1 0\nBcast 0 0 0000000b 1 4 0 0", "field `peer` is `1`, expected a member of 0000000b"),
        ("C 0000000b 1 1\nBarrier 0 0 0000000b -1 0 0 0", "rank 0 is not a member of communicator 0000000b"),
        ("C 00000001 2 1 0", "field `hash` is `00000001`, which already stands for other members"),
        (
            "C 0000000b 1 1\nIrecv 0 0 0000000b -1 8 -1 4\nT 0 0 4 1 7 8 0",
            "field `source` is `1`, expected 0 to 0 in communicator 0000000b",
        ),
    ];
    for (lines, expected) in cases {
        let line = 2 + lines.lines().count();
        assert_eq!(replay_error(&[lines, ""]), format!("TRACE: r00000.txt, line {line}: {expected}"));
    }
}

#[test]
fn more_ranks_than_nodes_are_refused() {
    assert_eq!(replay_error(&["", "", "", "", ""]), "ranks is `5`, expected at most 4, the nodes of the network");
}

#[test]
fn an_unknown_topology_is_named() {
    let error = view::view("mesh", 0).err().unwrap().to_string();
    let expected = "topology: `mesh` is unknown; did you mean mesh-AxBx..[-nodesC]? it must have one of the forms ";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn options_are_checked() {
    let error = |change: fn(&mut TrafficOptions)| {
        let mut options = TrafficOptions::default();
        change(&mut options);
        arrivals(&[""], SMALL_TREE, &options).unwrap_err().to_string()
    };
    let scale = "expected a number from 0.000001 to 1000000";
    for (bad, shown) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (1e7, "10000000")] {
        let options = TrafficOptions {
            replay: ReplayOptions { gap_scale: bad, ..ReplayOptions::default() },
            ..TrafficOptions::default()
        };
        let found = arrivals(&[""], SMALL_TREE, &options).unwrap_err();
        assert_eq!(found.to_string(), format!("gap_scale is `{shown}`, {scale}"));
    }
    assert_eq!(error(|o| o.cycle_ps = 0), "cycle_ps is `0`, expected 1 to 1000000000");
    assert_eq!(error(|o| o.flit_bytes = 0), "flit_bytes is `0`, expected 1 to 1048576");
    assert_eq!(error(|o| o.packet_bytes = 100), "packet_bytes is `100`, expected 1 to 65535 times flit_bytes, 16");
    assert_eq!(error(|o| o.hop_ps = u64::MAX), "hop_ps is `18446744073709551615`, expected 0 to 1000000000000");
}

#[test]
fn a_clock_that_runs_over_is_an_error() {
    let options = TrafficOptions {
        replay: ReplayOptions { gap_scale: 1e6, ..ReplayOptions::default() },
        cycle_ps: 1,
        ..TrafficOptions::default()
    };
    let logs = ["Send 1000000000000000 0 00000001 1 8 7 0", ""];
    let error = arrivals(&logs, SMALL_TREE, &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "TRACE: r00000.txt, line 3: the replay's clock has run over, expected a smaller gap scale"
    );
}
