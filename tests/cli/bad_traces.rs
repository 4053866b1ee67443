//! `--input` traces that are not as they should be.

use crate::{HPL, Scratch};

/// The log of one of two ranks with one line between its head and its end.
pub fn log(rank: u32, line: &str) -> String {
    format!("H pmpilog 1 {rank} 2\nC 00000001 2 0 1\n{line}\nFIN 0 0 polls 0\n")
}

/// A trace of two ranks: one message from the first to the second.
pub fn write_small_trace(scratch: &Scratch, folder: &str) {
    scratch.write(&format!("{folder}/r00000.txt"), log(0, "Send 1000 1000 00000001 1 4096 7 0"));
    scratch.write(&format!("{folder}/r00001.txt"), log(1, "Recv 1000 1000 00000001 0 4096 7 0"));
}

#[track_caller]
fn fail(scratch: &Scratch, trace: &str, named: &[&str]) {
    scratch.fail(&["trace", "--preset", "fat-tree-2", "--input", trace], named);
    let check = ["check", "--preset", "fat-tree-2", "--backend", "rust", "--cycles", "1000", "--input", trace];
    scratch.fail(&check, named);
}

#[test]
fn no_trace_at_all() {
    let scratch = Scratch::new();
    scratch.write("empty/readme", "");
    scratch.write("text.tar.xz", "no archive");
    fail(&scratch, "missing.tar.xz", &["missing.tar.xz", "not found", "rNNNNN.txt", ".tar", ".xz"]);
    fail(&scratch, "empty", &["empty", "no logs", "readme", "rNNNNN.txt"]);
    fail(&scratch, "text.tar.xz", &["text.tar.xz"]);
    let archive = std::fs::read(HPL).unwrap();
    scratch.write("cut.tar.xz", &archive[..archive.len() / 2]);
    scratch.fail(&["trace", "--input", "cut.tar.xz"], &["cut.tar.xz"]);
}

#[test]
fn logs_with_errors() {
    let scratch = Scratch::new();
    write_small_trace(&scratch, "cut");
    scratch.write("cut/r00001.txt", "H pmpilog 1 1 2\nC 00000001 2 0 1\nRecv 1000 10");
    fail(&scratch, "cut", &["r00001.txt", "line 3", "comm"]);

    write_small_trace(&scratch, "unfinished");
    scratch.write("unfinished/r00001.txt", "H pmpilog 1 1 2\nC 00000001 2 0 1\n");
    fail(&scratch, "unfinished", &["r00001.txt", "cut short", "FIN"]);

    write_small_trace(&scratch, "malformed");
    scratch.write("malformed/r00000.txt", log(0, "Send 1000 1000 00000001 9 4096 7 0"));
    fail(&scratch, "malformed", &["r00000.txt", "line 3", "peer", "9"]);

    write_small_trace(&scratch, "incomplete");
    std::fs::remove_file(scratch.path().join("incomplete/r00001.txt")).unwrap();
    fail(&scratch, "incomplete", &["r00001.txt", "missing"]);
}

#[test]
fn switches_and_stretches_without_traffic() {
    let scratch = Scratch::new();
    write_small_trace(&scratch, "trace");
    let trace = ["trace", "--preset", "fat-tree-2", "--input", "trace"];
    scratch.fail(&[&trace[..], &["--switch", "9"]].concat(), &["switch", "9", "0 to 1"]);
    scratch.fail(&[&trace[..], &["--switch", "1"]].concat(), &["no packet", "switch 1"]);
    scratch.fail(&[&trace[..], &["--cycles", "5"]].concat(), &["no packet", "first 5 cycles", "--cycles"]);
    let check = ["check", "--backend", "rust", "--preset", "fat-tree-2", "--input", "trace", "--cycles", "5"];
    scratch.fail(&check, &["no packet", "first 5 cycles", "--cycles"]);
}

#[test]
fn more_ranks_than_the_network_has_nodes() {
    Scratch::new().fail(&["trace", "--preset", "fat-tree-2", "--input", HPL], &["64", "4"]);
}
