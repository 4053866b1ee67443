//! What is wrong with a VEF trace is said in one line: file, line, field, value, what was expected.

use crate::common;
use common::{SMALL_TREE, arrivals_of, vef_file};
use powar_traffic::{ReplayOptions, TrafficOptions};

/// The error of opening and replaying a trace.
fn error_with(text: impl AsRef<[u8]>, options: &TrafficOptions) -> String {
    let file = vef_file(text);
    let packets = arrivals_of(file.path(), SMALL_TREE, options);
    packets.expect_err("this trace is bad").to_string()
}

fn error(text: impl AsRef<[u8]>) -> String {
    error_with(text, &TrafficOptions::default())
}

/// The error of a trace of two tasks with these lines behind that of the world; the counts are not the problem.
fn line_error(lines: &str) -> String {
    let messages = lines.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())).count();
    error(format!("VEF 2 {messages} 1 0 0 0\nC0 0 1\n{lines}\n"))
}

#[test]
fn the_header_is_checked() {
    let cases = [
        ("", "TRACE: the trace is empty, expected a line that begins with VEF"),
        ("H pmpilog 1 0 2\n", "TRACE, line 1: field `format` is `H`, expected `VEF`"),
        ("VEF 0 0 0 0 0 0\n", "TRACE, line 1: field `NumTask` is `0`, expected an integer from 1 to 65536"),
        ("VEF 2 x 0 0 0 0\n", "TRACE, line 1: field `NumMsg` is `x`, expected an integer from 0 to 4294967295"),
        ("VEF 2 0 -1 0 0 0\n", "TRACE, line 1: field `NumCOMM` is `-1`, expected an integer from 0 to 4294967295"),
        (
            "VEF 2 0 1 -1 0 0\n",
            "TRACE, line 1: field `NumGlobalColl` is `-1`, expected an integer from 0 to 68719476736",
        ),
        ("VEF 2 0 1 0 y 0\n", "TRACE, line 1: field `NumLocalColl` is `y`, expected an integer from 0 to 68719476736"),
        ("VEF 2 0 1 0 0 2\n", "TRACE, line 1: field `onlySendFlag` is `2`, expected an integer from 0 to 1"),
        ("VEF 2 0 1 0 0\n", "TRACE, line 1: field `onlySendFlag` is missing: the line ends before it"),
        ("VEF 2 0 1 0 0 0 0\n", "TRACE, line 1: found `0` after the last field"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected);
    }
}

#[test]
fn every_field_of_a_message_is_checked() {
    let cases = [
        ("-1 0 1 8 0 0 -1", "field `ID` is `-1`, expected 0 to 4294967294"),
        ("4294967295 0 1 8 0 0 -1", "field `ID` is `4294967295`, expected 0 to 4294967294"),
        ("x 0 1 8 0 0 -1", "field `ID` is `x`, expected 0 to 4294967294"),
        ("0 2 1 8 0 0 -1", "field `src` is `2`, expected an integer from 0 to 1"),
        ("0 0 2 8 0 0 -1", "field `dst` is `2`, expected an integer from 0 to 1"),
        ("0 0 1 4294967297 0 0 -1", "field `bytes` is `4294967297`, expected an integer from 0 to 4294967296"),
        ("0 0 1 8 4 0 -1", "field `Dep` is `4`, expected an integer from 0 to 3"),
        ("0 0 1 8 0 -5 -1", "field `time` is `-5`, expected an integer from 0 to 1000000000000000"),
        ("0 0 1 8 0 0 3", "field `IDdep` is `3`, expected -1 for Dep 0"),
        ("0 0 1 8 1 0 -1", "field `IDdep` is `-1`, expected 0 to 4294967294"),
        ("0 0 1 8 0 0", "field `IDdep` is missing: the line ends before it"),
        ("0 0 1 8 0 0 -1 7", "found `7` after the last field"),
        ("", "field `ID` is missing: the line ends before it"),
    ];
    for (line, expected) in cases {
        assert_eq!(line_error(line), format!("TRACE, line 3: {expected}"));
    }
}

#[test]
fn every_field_of_a_collective_is_checked() {
    let cases = [
        ("Gx 0 6 0 0 0 0 0 -1", "field `ID` is `Gx`, expected G0 to G4294967294"),
        ("G0 9 6 0 0 0 0 0 -1", "field `commID` is `9`, expected a communicator with a C line above"),
        ("G0 0 8 0 0 0 0 0 -1", "field `OP` is `8`, expected an integer from 0 to 7"),
        ("G0 0 6 2 0 0 0 0 -1", "field `task` is `2`, expected an integer from 0 to 1"),
        ("G0 0 2 0 -8 8 0 0 -1", "field `send_size` is `-8`, expected an integer from 0 to 4294967296"),
        ("G0 0 3 0 8 x 0 0 -1", "field `recv_size` is `x`, expected an integer from 0 to 281474976710656"),
        ("G0 0 0 0 8 8 0 0 -1", "field `recv_size` is `8`, expected 0 beside a send_size above 0 for Broadcast"),
        ("G0 0 1 0 8 9 0 0 -1", "field `recv_size` is `9`, expected 0 beside a send_size above 0 for Reduce"),
        ("G0 0 2 0 8 9 0 0 -1", "field `recv_size` is `9`, expected 8 like send_size for AllReduce"),
        ("G0 0 6 0 8 0 0 0 -1", "field `send_size` is `8`, expected 0 for Barrier"),
        ("G0 0 6 0 0 8 0 0 -1", "field `recv_size` is `8`, expected 0 for Barrier"),
        (
            "G0 0 7 0 8 2 0 0 -1",
            "field `recv_size` is `2`, expected 0 (send_size to each member) or 1 (send_size split between them) \
             for AllToAll",
        ),
        ("G0 0 7 0 4294967297 0 0 0 -1", "field `send_size` is `4294967297`, expected an integer from 0 to 4294967296"),
        ("G0 0 6 0 0 0 3 0 Gx", "field `IDdep` is `Gx`, expected G0 to G4294967294"),
        ("G0 0 6 0 0 0 0 0 -1 1", "found `1` after the last field"),
    ];
    for (line, expected) in cases {
        assert_eq!(line_error(line), format!("TRACE, line 3: {expected}"));
    }
}

#[test]
fn communicators_are_checked() {
    let cases = [
        ("C1", "field `task` is missing: the line ends before it"),
        ("Cx 0", "field `ID` is `Cx`, expected C0 to C4294967294"),
        ("C1 2", "field `task` is `2`, expected an integer from 0 to 1"),
        ("C1 1 1", "field `task` is `1` a second time, expected different tasks"),
        ("C0 0 1", "field `ID` is `C0` a second time, expected a new communicator"),
    ];
    for (line, expected) in cases {
        assert_eq!(line_error(line), format!("TRACE, line 3: {expected}"));
    }
    assert_eq!(error("VEF 2 0 1 0 0 0\nC0 0\n"), "TRACE, line 2: communicator C0 has 1 tasks, expected all 2");
}

#[test]
fn lines_must_fit_each_other() {
    let cases = [
        ("3 0 1 8 0 0 -1\n3 0 1 8 0 0 -1", 4, "field `ID` is `3` as in line 3, expected a new message"),
        (
            "G0 0 6 0 0 0 0 0 -1\nG0 0 6 0 0 0 0 0 -1",
            4,
            "field `task` is `0` as in line 3, expected one line per member",
        ),
        ("G0 0 6 0 0 0 0 0 -1\nG0 0 2 1 0 0 0 0 -1", 4, "field `OP` is `2`, expected 6 as in line 3 of collective G0"),
        (
            "C1 1 0\nG0 0 6 0 0 0 0 0 -1\nG0 1 6 1 0 0 0 0 -1",
            5,
            "field `commID` is `1`, expected 0 as in line 4 of collective G0",
        ),
        ("C1 1\nG0 1 6 0 0 0 0 0 -1", 4, "field `task` is `0`, expected a member of C1"),
        (
            "G0 0 0 0 8 0 0 0 -1\nG0 0 0 1 8 0 0 0 -1",
            4,
            "field `send_size` is `8`, expected 0, because G0 has a root already",
        ),
        (
            "G0 0 2 0 8 8 0 0 -1\nG0 0 2 1 16 16 0 0 -1",
            4,
            "field `send_size` is `16`, expected 8 as in line 3: all members of the Allreduce G0 give as much",
        ),
        (
            "G0 0 3 0 8 16 0 0 -1\nG0 0 3 1 8 16 0 0 -1",
            4,
            "field `recv_size` is `16`, expected 0, because G0 has a root already",
        ),
        (
            "G0 0 0 0 0 8 0 0 -1\nG0 0 0 1 0 8 0 0 -1",
            3,
            "field `recv_size` is `8`, expected 0, because no task of G0 is its root, with a `send_size` above 0",
        ),
        (
            "G0 0 1 0 0 0 0 0 -1\nG0 0 1 1 8 0 0 0 -1",
            4,
            "field `send_size` is `8`, expected 0, because no task of G0 is its root, with a `recv_size` above 0",
        ),
        ("G4 0 6 1 0 0 0 0 -1", 3, "collective G4 has 1 lines, expected 2, one for each task of C0"),
    ];
    for (lines, line, expected) in cases {
        assert_eq!(line_error(lines), format!("TRACE, line {line}: {expected}"));
    }
}

#[test]
fn a_dependency_on_what_never_happens_to_the_task_is_found() {
    let cases = [
        ("0 0 1 8 1 0 9", "`9`: task 0 waits for it for ever, expected a message it sends"),
        ("0 0 1 8 2 0 9", "`9`: task 0 waits for it for ever, expected a message for it"),
        ("0 0 1 8 3 0 9", "`9`: task 0 waits for it for ever, expected a collective it takes part in"),
        // The other one's message, and one that goes the other way.
        ("0 0 1 8 1 0 1\n1 1 0 8 0 0 -1", "`1`: task 0 waits for it for ever, expected a message it sends"),
        ("0 0 1 8 2 0 1\n1 0 1 8 0 0 -1", "`1`: task 0 waits for it for ever, expected a message for it"),
    ];
    for (lines, expected) in cases {
        assert_eq!(line_error(lines), format!("TRACE, line 3: field `IDdep` is {expected}"));
    }
    let other = "C1 1\nG0 1 6 1 0 0 0 0 -1\n0 0 1 8 3 0 0";
    let expected = "`0`: task 0 waits for it for ever, expected a collective it takes part in";
    assert_eq!(line_error(other), format!("TRACE, line 5: field `IDdep` is {expected}"));
}

#[test]
fn a_trace_cut_short_is_noticed() {
    let text =
        "VEF 2 2 2 1 2 0\nC0 0 1\nC1 1\n0 0 1 8 0 0 -1\n1 0 1 8 0 0 -1\nG0 0 6 0 0 0 0 0 -1\nG0 0 6 1 0 0 0 0 -1\n";
    let of_lines = |lines: usize| error(text.lines().take(lines).collect::<Vec<_>>().join("\n"));
    assert_eq!(of_lines(6), "TRACE, line 6: collective G0 has 1 lines, expected 2, one for each task of C0");
    let short = "TRACE: the trace is cut short: field";
    assert_eq!(of_lines(5), format!("{short} `NumGlobalColl` is `1`, but it has only 0 collectives"));
    assert_eq!(of_lines(4), format!("{short} `NumMsg` is `2`, but it has only 1 messages"));
    assert_eq!(
        error("VEF 2 0 2 0 0 0\nC0 0 1\n"),
        format!("{short} `NumCOMM` is `2`, but it has only 1 communicators")
    );
    // In the middle of a line.
    assert_eq!(error(&text[..text.len() - 15]), "TRACE, line 7: field `OP` is missing: the line ends before it");
    let more = error("VEF 2 0 1 0 0 0\nC0 0 1\n0 0 1 8 0 0 -1\n");
    assert_eq!(more, "TRACE, line 3: message 1 of the trace, expected at most 0 as in field `NumMsg`");
}

#[test]
fn dependencies_in_a_circle_are_reported_with_all_that_wait() {
    let own = line_error("0 0 1 8 1 0 0");
    assert_eq!(own, "TRACE: the trace cannot finish: task 0 waits in line 3 until it has sent message 0");
    let two = line_error("5 0 1 8 0 0 -1\n0 0 1 8 2 0 1\n1 1 0 8 2 0 0");
    assert_eq!(
        two,
        "TRACE: the trace cannot finish: task 0 waits in line 4 until it has received message 1; \
         task 1 waits in line 5 until it has received message 0"
    );
    // Task 1 enters the barrier when it gets what task 0 sends behind the barrier.
    let barrier = line_error("G0 0 6 0 0 0 0 0 -1\nG0 0 6 1 0 0 2 0 0\n0 0 1 8 3 0 0");
    assert_eq!(
        barrier,
        "TRACE: the trace cannot finish: task 0 waits in collective G0 for a message of task 1; \
         task 1 waits in line 4 until it has received message 0"
    );
    let finish = line_error("G0 0 6 0 0 0 3 0 0\nG0 0 6 1 0 0 0 0 -1");
    assert_eq!(
        finish,
        "TRACE: the trace cannot finish: task 0 waits in line 3 until it has finished collective G0; \
         task 1 waits in collective G0 for a message of task 0"
    );
}

#[test]
fn of_many_waiting_tasks_some_are_named() {
    let lines: String = (0..64).map(|task| format!("{task} {task} 0 8 1 0 {task}\n")).collect();
    let world: Vec<String> = (0..64).map(|task| task.to_string()).collect();
    let file = vef_file(format!("VEF 64 64 1 0 0 0\nC0 {}\n{lines}", world.join(" ")));
    let options = TrafficOptions::default();
    let error = arrivals_of(file.path(), "8-ary-2-tree", &options).unwrap_err().to_string();
    let begin = "TRACE: the trace cannot finish: task 0 waits in line 3 until it has sent message 0; task 1 ";
    assert!(error.starts_with(begin), "{error}");
    assert!(error.ends_with("task 3 waits in line 6 until it has sent message 3; 60 more tasks wait"), "{error}");
}

#[test]
fn bytes_that_are_no_text_and_endless_lines_are_noticed() {
    assert_eq!(
        error(b"VEF 1 0 1 0 0 0\n\xff\xfe\n"),
        "TRACE, line 2: found bytes that are not text, expected a line of a VEF trace"
    );
    assert_eq!(
        error(format!("VEF 1 0 1 0 0 0\n{}", " ".repeat(2 << 20))),
        "TRACE, line 2: longer than 1048576 bytes, expected a line of a VEF trace"
    );
}

#[test]
fn a_clock_that_runs_over_is_an_error() {
    let options = TrafficOptions {
        replay: ReplayOptions { gap_scale: 1e6, ..ReplayOptions::default() },
        cycle_ps: 1,
        ..TrafficOptions::default()
    };
    let late = "VEF 2 1 1 0 0 0\nC0 0 1\n0 0 1 8 0 1000000000000000 -1\n";
    let expected = "TRACE, line 3: the replay's clock has run over, expected a smaller gap scale";
    assert_eq!(error_with(late, &options), expected);
}

#[test]
fn a_trace_is_known_by_its_content_or_its_name() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("trace.txt");
    std::fs::write(&path, "VEF 1 0 1 0 0 1\nC0 0\n").unwrap();
    assert_eq!(powar_traffic::Trace::open(&path).unwrap().ranks(), 1);
    let damaged = folder.path().join("trace.vef.xz");
    std::fs::write(&damaged, b"\xfd7zXZ\0no archive").unwrap();
    let error = format!("{:#}", powar_traffic::Trace::open(&damaged).unwrap_err());
    assert!(error.starts_with(&format!("{}: cannot read behind line 0", damaged.display())), "{error}");
    assert!(!error.contains('\n'), "{error}");
}
