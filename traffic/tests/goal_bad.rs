//! What a GOAL trace may not hold: each is refused with one line that names file, line, field, value and what is allowed.

use crate::common;
use common::goal_file;
use powar_traffic::format::goal::GoalTrace;

/// The error of a file, which it calls TRACE.
fn error_of(text: impl AsRef<[u8]>) -> String {
    let file = goal_file(text);
    let error = GoalTrace::open(file.path()).expect_err("a bad trace opens");
    format!("{error:#}").replace(&file.path().display().to_string(), "TRACE")
}

/// The error of a trace of four ranks in which `lines`, from line 3 on, are in the block of rank 1.
fn in_block(lines: &str) -> String {
    error_of(format!("num_ranks 4\nrank 1 {{\n{lines}\n}}\nrank 0 {{\n}}\nrank 2 {{\n}}\nrank 3 {{\n}}\n"))
}

#[test]
fn statements() {
    let cases = [
        ("calc", "line 3: field `calc` is missing: the line ends before it"),
        ("calc -1", "line 3: field `calc` is `-1`, expected an integer from 0 to 1000000000000000"),
        ("calc +1", "line 3: field `calc` is `+1`, expected an integer from 0 to 1000000000000000"),
        (
            "calc 1000000000000001",
            "line 3: field `calc` is `1000000000000001`, expected an integer from 0 to 1000000000000000",
        ),
        ("calc 1 nic 0", "line 3: found `nic`, expected `cpu`"),
        ("calc 1 cpu 256", "line 3: field `cpu` is `256`, expected an integer from 0 to 255"),
        ("calc 1 cpu 1 cpu 1", "line 3: field `cpu` stands there twice, expected it once"),
        ("calc 1 calc 1", "line 3: found `calc`, expected `cpu`"),
        ("calc 1 {", "line 3: found `{` after the last field"),
        ("send 1", "line 3: field `bytes` is `1`, expected a number and `b`"),
        ("send 1kb to 0", "line 3: field `bytes` is `1k`, expected an integer from 0 to 1099511627776"),
        ("send kB to 0", "line 3: field `bytes` is `kB`, expected a number and `b`"),
        ("send 1 kb to 0", "line 3: field `bytes` is `1`, expected a number and `b`"),
        (
            "send 1099511627777b to 0",
            "line 3: field `bytes` is `1099511627777`, expected an integer from 0 to 1099511627776",
        ),
        ("send 1b from 0", "line 3: found `from`, expected `to`"),
        ("send 1b to", "line 3: field `to` is missing: the line ends before it"),
        ("send 1b to :", "line 3: field `to` is missing: found `:` in its place"),
        ("send 1b to 4", "line 3: field `to` is `4`, expected an integer from 0 to 3"),
        ("send 1b to -1", "line 3: field `to` is `-1`, expected an integer from 0 to 3"),
        ("send 1b to 0 tag -1", "line 3: field `tag` is `-1`, expected an integer from 0 to 4294967294"),
        (
            "send 1b to 0 tag 4294967295",
            "line 3: field `tag` is `4294967295`, expected an integer from 0 to 4294967294",
        ),
        ("send 1b to 0 nic 999", "line 3: field `nic` is `999`, expected an integer from 0 to 255"),
        ("send 1b to 0 comm 5", "line 3: found `comm`, expected `tag`, `cpu` or `nic`"),
        ("recv 1b to 0", "line 3: found `to`, expected `from`"),
        ("recv 1b from any", "line 3: field `from` is `any`, expected an integer from 0 to 3, or -1 for any"),
        ("recv 1b from 0 tag x", "line 3: field `tag` is `x`, expected an integer from 0 to 4294967294, or -1 for any"),
        ("a: put 1b to 0", "line 3: field `operation` is `put`, expected `calc`, `send` or `recv`"),
        (
            "coll allreduce 8b 0 0 -1",
            "line 3: found `allreduce` behind label `coll`, expected `:`, `requires` or `irequires`",
        ),
        ("a:", "line 3: field `operation` is missing: the line ends before it"),
        ("a", "line 3: nothing behind label `a`, expected `:`, `requires` or `irequires`"),
        ("1a: calc 1", "line 3: field `label` is `1a`, expected a letter, then letters, digits and `_`"),
        ("ä: calc 1", "line 3: field `label` is `ä`, expected a letter, then letters, digits and `_`"),
        ("# a: calc 1", "line 3: field `label` is `#`, expected a letter, then letters, digits and `_`"),
        (": calc 1", "line 3: found `:`, expected a label, `calc`, `send`, `recv` or `}`"),
        ("a: calc 1\n\na: calc 2", "line 5: field `label` is `a` as in line 3, expected a new one in rank 1"),
        ("a: calc 1\na requires a", "line 4: field `requires` is `a`, the operation itself, expected another one"),
        ("a irequires a\na: calc 1", "line 3: field `irequires` is `a`, the operation itself, expected another one"),
        ("a: calc 1\na requires", "line 4: field `requires` is missing: the line ends before it"),
        ("a: calc 1\na requires b c", "line 4: found `c` after the last field"),
        ("a: calc 1\na requires b\n", "line 4: field `requires` is `b`, expected the label of an operation of rank 1"),
        ("a: calc 1\nb irequires a\n", "line 4: field `label` is `b`, expected the label of an operation of rank 1"),
        (
            "a irequires b\na: calc 1\n",
            "line 3: field `irequires` is `b`, expected the label of an operation of rank 1",
        ),
        ("/* *", "line 10: the trace ends inside the comment that begins in line 3, expected `*/`"),
        ("rank 0 {", "line 3: found `rank` in the block of rank 1 that begins in line 2, expected `}` before it"),
        ("\0", "line 3: field `label` is `\\0`, expected a letter, then letters, digits and `_`"),
    ];
    for (lines, expected) in cases {
        assert_eq!(in_block(lines), format!("TRACE, {expected}"), "{lines}");
    }
    // Labels are a rank's own.
    assert_eq!(
        error_of("num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\nb: calc 1\nb requires a\n}\n"),
        "TRACE, line 7: field `requires` is `a`, expected the label of an operation of rank 1"
    );
    let long = "a".repeat(256);
    assert_eq!(
        in_block(&format!("{long}: calc 1")),
        format!("TRACE, line 3: field `label` is `{}...`, 256 bytes long, expected at most 255", &long[..40])
    );
}

#[test]
fn blocks() {
    let cases = [
        ("", ": the trace is empty, expected `num_ranks`"),
        ("\n// nothing\n", ", line 2: the trace is empty, expected `num_ranks`"),
        ("rank 0 {\n}\n", ", line 1: found `rank`, expected `num_ranks`"),
        ("num_ranks 0\n", ", line 1: field `num_ranks` is `0`, expected an integer from 1 to 65536"),
        ("num_ranks 65537\n", ", line 1: field `num_ranks` is `65537`, expected an integer from 1 to 65536"),
        ("num_ranks\n1", ", line 1: field `num_ranks` is missing: the line ends before it"),
        ("num_ranks 1\nrank 1 {\n}\n", ", line 2: field `rank` is `1`, expected an integer from 0 to 0"),
        ("num_ranks 1\n}\n", ", line 2: found `}` outside of a block, expected `rank`"),
        ("num_ranks 1\ncalc 5\n", ", line 2: found `calc` outside of a block, expected `rank`"),
        ("num_ranks 1\nrank 0\ncalc 5\n", ", line 3: found `calc` behind rank 0, expected `{`"),
        ("num_ranks 1\nrank 0\n", ", line 2: the trace ends behind rank 0 in line 2, expected `{`"),
        (
            "num_ranks 1\nrank 0 {\ncalc 5\n",
            ", line 3: the trace ends inside the block of rank 0 that begins in line 2, expected `}`",
        ),
        ("num_ranks 2\nrank 0 {\n}\n", ", line 3: rank 1 has no block, expected one for each of the 2 ranks"),
        (
            "num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n",
            ", line 4: field `rank` is `0` as in line 2, expected each rank once",
        ),
        (
            "num_ranks 1\nrank 0 {\n}\n/* */ rank 0 {\n}\n",
            ", line 4: found `rank` behind the block of the last rank, expected nothing",
        ),
        ("num_ranks 1\nrank 0 {\n}}\n", ", line 3: found `}` behind the block of the last rank, expected nothing"),
    ];
    for (text, expected) in cases {
        assert_eq!(error_of(text), format!("TRACE{expected}"), "{text}");
    }
}

#[test]
fn bytes() {
    assert_eq!(
        error_of(b"num_ranks 1\nrank 0 {\n\xff\n}\n"),
        "TRACE, line 3: found bytes that are not text, expected a line of a GOAL trace"
    );
    let long = format!("num_ranks 1\nrank 0 {{\ncalc 5{}\n}}\n", " ".repeat(1 << 20));
    assert_eq!(error_of(&long), "TRACE, line 3: longer than 1048576 bytes, expected a line of a GOAL trace");
    let cut = error_of(b"\xfd7zXZ\0and no more");
    assert!(cut.starts_with("TRACE: cannot read behind line 0: "), "{cut}");
    let nowhere = GoalTrace::open("/nowhere/x.goal".as_ref()).unwrap_err().to_string();
    assert!(nowhere.starts_with("cannot open /nowhere/x.goal: "), "{nowhere}");
}
