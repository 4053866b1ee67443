//! `powar trace-convert`: which formats, from what, whole or not at all.

use crate::bad_traces::{log, write_small_trace};
use crate::{HPL, Scratch};

fn convert(scratch: &Scratch, options: &[&str]) -> String {
    scratch.succeed(&[&["trace-convert", "--preset", "fat-tree-2"], options].concat())
}

#[track_caller]
fn refuse(scratch: &Scratch, options: &[&str], named: &[&str]) {
    scratch.fail(&[&["trace-convert", "--preset", "fat-tree-2"], options].concat(), named);
}

#[test]
fn the_input_is_not_replaced() {
    let scratch = Scratch::new();
    write_small_trace(&scratch, "logs");
    convert(&scratch, &["--input", "logs", "--out", "a.tar.xz"]);
    refuse(
        &scratch,
        &["--input", "a.tar.xz", "--out", "./a.tar.xz"],
        &["--out: ./a.tar.xz is the input; expected another"],
    );
}

#[test]
fn the_ending_tells_the_format() {
    let scratch = Scratch::new();
    write_small_trace(&scratch, "logs");
    let small = |out: &str| convert(&scratch, &["--input", "logs", "--out", out]);
    assert_eq!(small("a.goal"), "a.goal: 2 ranks, 4 operations, 1 messages\n");
    assert_eq!(small("a.goal.xz"), "a.goal.xz: 2 ranks, 4 operations, 1 messages\n");
    assert_eq!(small("a.vef"), "a.vef: 2 tasks, 1 messages, 0 collectives\n");
    assert_eq!(small("a.tar.xz"), "a.tar.xz: 2 ranks, 8 lines\n");
    let other = convert(&scratch, &["--input", "logs", "--out", "a.out", "--to", "goal"]);
    assert_eq!(other, "a.out: 2 ranks, 4 operations, 1 messages\n");
    let json = convert(&scratch, &["--input", "logs", "--out", "a.json.goal", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let counts = serde_json::json!({ "ranks": 2, "operations": 4, "messages": 1 });
    assert_eq!(json, serde_json::json!({ "file": "a.json.goal", "counts": counts }));
    let read = |name: &str| std::fs::read(scratch.path().join(name)).unwrap();
    assert_eq!(read("a.out"), read("a.goal"));
    assert!(read("a.goal.xz").starts_with(b"\xfd7zXZ\0") && read("a.goal").starts_with(b"num_ranks 2\n"));
    // Each is read again, and the logs of the logs are the same once more.
    for input in ["a.goal", "a.goal.xz", "a.vef", "a.tar.xz", "a.out"] {
        scratch.succeed(&["trace", "--preset", "fat-tree-2", "--input", input, "--policy", "powar"]);
    }
    convert(&scratch, &["--input", "a.tar.xz", "--out", "b.goal"]);
    assert_eq!(read("b.goal"), read("a.goal"));
}

#[test]
fn options_of_the_replay_are_in_the_times() {
    let scratch = Scratch::new();
    write_small_trace(&scratch, "logs");
    convert(&scratch, &["--input", "logs", "--out", "a.goal", "--gap-scale", "3", "--gap-floor", "400ns"]);
    let text = std::fs::read_to_string(scratch.path().join("a.goal")).unwrap();
    assert!(text.contains("l1: calc 1800\n"), "{text}");
    let said = convert(&scratch, &["--skeleton", "hpl:n=256,nb=64,p=2,q=2", "--out", "hpl.goal"]);
    assert!(said.starts_with("hpl.goal: 4 ranks, "), "{said}");
}

#[test]
fn a_network_is_needed_for_vef_alone() {
    let scratch = Scratch::new();
    refuse(&scratch, &["--input", HPL, "--out", "new.vef"], &["64", "4"]);
    let said = convert(&scratch, &["--input", HPL, "--out", "hpl.goal"]);
    assert!(said.contains("64 ranks") && said.contains("37 723 messages"), "{said}");
}

#[test]
fn what_cannot_be_written_leaves_all_as_it_was() {
    let scratch = Scratch::new();
    write_small_trace(&scratch, "logs");
    write_small_trace(&scratch, "bad");
    scratch.write("bad/r00001.txt", log(1, "Recv 1000 1000 00000001 0 4096 8 0"));
    scratch.write("kept.goal", "num_ranks 1\nrank 0 {\n}\n");
    scratch.write("kept.tar.xz", "old");
    for out in ["new.goal", "kept.goal", "new.goal.xz"] {
        refuse(&scratch, &["--input", "bad", "--out", out], &[out, "bad: r00001.txt, line 3", "tag 8", "nobody sends"]);
    }
    for out in ["new.vef", "new.goal", "kept.tar.xz"] {
        let named = ["kept.goal", "MPI logs, DUMPI text and skeletons", "vef, goal, mpi-log"];
        refuse(&scratch, &["--input", "kept.goal", "--out", out], &named);
    }
    refuse(
        &scratch,
        &["--skeleton", "random-access", "--out", "kept.tar.xz"],
        &["kept.tar.xz", "random-access", "nobody knows"],
    );
    refuse(&scratch, &["--input", "logs", "--out", "new.txt"], &["new.txt", ".goal.xz", ".tar.xz", ".vef"]);
    refuse(&scratch, &["--input", "logs", "--out", "new", "--to", "dumpi"], &["dumpi", "not written", "goal"]);
    refuse(&scratch, &["--input", "logs", "--out", "new", "--to", "otf"], &["otf", "no format", "goal"]);
    refuse(&scratch, &["--out", "new.goal"], &["--input", "--skeleton"]);
    refuse(&scratch, &["--input", "logs", "--out", "new.goal", "--collectives", "mine"], &["collectives", "mine"]);
}
