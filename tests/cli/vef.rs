//! VEF traces: `trace-convert` writes them, `--input` takes them.

use crate::bad_traces::{log, write_small_trace};
use crate::{HPL, Scratch};

#[test]
fn logs_and_the_trace_written_of_them_give_the_same_table() {
    let scratch = Scratch::new();
    let said = scratch.succeed(&["trace-convert", "--input", HPL, "--out", "hpl.vef"]);
    assert_eq!(said, "hpl.vef: 64 tasks, 37 723 messages, 0 collectives\n");
    scratch.succeed(&["trace-convert", "--input", HPL, "--out", "hpl.vef.xz"]);
    let table = |input: &str| scratch.succeed(&["trace", "--input", input, "--policy", "powar", "--pdt", "10us"]);
    let of_logs = table(HPL);
    assert_eq!(table("hpl.vef"), of_logs);
    assert_eq!(table("hpl.vef.xz"), of_logs);
    let check = ["check", "--preset", "fat-tree-8", "--backend", "rust", "--cycles", "20000", "--input", "hpl.vef"];
    assert!(scratch.succeed(&check).contains("equal in 20 000 cycles"));
}

#[test]
fn a_trace_is_written_whole_or_not_at_all() {
    let scratch = Scratch::new();
    let convert = |input: &str, out: &str, named: &[&str]| {
        scratch.fail(&["trace-convert", "--preset", "fat-tree-2", "--input", input, "--out", out], named);
    };
    write_small_trace(&scratch, "logs");
    scratch.write("kept.vef", "VEF 1 0 1 0 0 0\nC0 0\n");
    write_small_trace(&scratch, "bad");
    scratch.write("bad/r00001.txt", log(1, "Recv 1000 1000 00000001 9 4096 7 0"));
    let before = scratch.files();
    convert("bad", "new.vef", &["new.vef", "bad: r00001.txt", "line 3", "peer", "9"]);
    convert("bad", "kept.vef", &["kept.vef", "bad: r00001.txt"]);
    convert("kept.vef", "new.vef", &["kept.vef", "MPI logs"]);
    convert("missing", "new.vef", &["missing", "not found"]);
    convert("logs", "none/new.vef", &["none/new.vef"]);
    convert("logs", "logs", &["logs"]);
    convert(HPL, "new.vef", &["64", "4"]);
    assert!(scratch.files() == before);
    scratch.succeed(&["trace-convert", "--preset", "fat-tree-2", "--input", "logs", "--out", "kept.vef"]);
    scratch.succeed(&["trace", "--preset", "fat-tree-2", "--input", "kept.vef", "--policy", "powar"]);
}

#[test]
fn bad_traces_are_named_in_one_line() {
    let scratch = Scratch::new();
    scratch.write("line.vef", "VEF 2 1 1 0 0 0\nC0 0 1\n0 0 2 8 0 0 -1\n");
    scratch.write("circle", "VEF 2 1 1 0 0 0\nC0 0 1\n0 0 1 8 1 0 0\n");
    scratch.write("empty.vef", "");
    let fail = |input: &str, named: &[&str]| {
        scratch.fail(&["trace", "--preset", "fat-tree-2", "--input", input], named);
        let check = ["check", "--preset", "fat-tree-2", "--backend", "rust", "--cycles", "1000", "--input", input];
        scratch.fail(&check, named);
    };
    fail("line.vef", &["line.vef, line 3", "dst", "`2`", "0 to 1"]);
    fail("circle", &["circle", "cannot finish", "task 0 waits in line 3", "message 0"]);
    fail("empty.vef", &["empty.vef", "empty", "VEF"]);
}
