//! What is wrong with an input is said in one line: file, line, call, field, value, what was expected.

use super::text::{DOUBLE, Text, WORLD, error, status};

/// The error of a program of one rank.
fn one(text: Text) -> String {
    error(&[text.end()])
}

/// The error of a program of one rank in whose text `from` is replaced.
fn changed(text: Text, from: &str, to: &str) -> String {
    let text = text.end();
    assert!(text.contains(from), "{text}");
    error(&[text.replacen(from, to, 1)])
}

fn sent() -> Text {
    Text::new().send(0, "MPI_Send", 3, DOUBLE, 0, 7)
}

#[test]
fn every_field_of_a_message_is_checked() {
    let cases = [
        ("count=3", "count=x", "field `count` is `x`, expected an integer from 0 to 2147483647"),
        ("count=3", "count=-1", "field `count` is `-1`, expected an integer from 0 to 2147483647"),
        ("int count=3\n", "", "field `count` is missing"),
        ("datatype=14", "datatype=-14", "field `datatype` is `-14`, expected an integer from 0 to 2147483647"),
        ("dest=0", "dest=1", "field `dest` is `1`, expected a rank from 0 to 0"),
        ("tag=7", "tag=-1", "field `tag` is `-1`, expected an integer from 0 to 2147483647"),
        ("comm=2", "comm=4", "field `comm` is `4`, expected a communicator that a recorded call has made"),
        ("comm=2", "comm=99999999999", "field `comm` is `99999999999`, expected an integer from 0 to 2147483647"),
    ];
    for (from, to, expected) in cases {
        assert_eq!(changed(sent(), from, to), format!("0000.txt, line 5: MPI_Send: {expected}"));
    }
}

#[test]
fn every_field_of_a_completion_is_checked() {
    let text = || Text::new().irecv(0, 0, 7, 2).wait(0, 2, &status(0, 7));
    let cases = [
        ("request=[2]\nMPI_Status", "request=[]\nMPI_Status", "field `request` holds 0 integers, expected 1"),
        (
            "request=[2]\nMPI_Status",
            "request=2\nMPI_Status",
            "field `request` is `2`, expected integers such as `[1, 2]`",
        ),
        ("request=[2]\nMPI_Status", "request=[0]\nMPI_Status", "request `0`, expected 2 or more"),
        (
            "request=[2]\nMPI_Status",
            "request=[3]\nMPI_Status",
            "request `3` is not open, expected one that a recorded call has opened",
        ),
        ("source=0, tag", "source=1, tag", "field `source` of the status is `1`, expected 0, which was asked for"),
        ("tag=7, error", "tag=8, error", "field `tag` of the status is `8`, expected 7, which was asked for"),
        (
            "cancelled=0, ",
            "",
            "field `status` is `[{bytes=8, source=0, tag=7, error=0}]`, \
             expected statuses such as `[{bytes=8, cancelled=0, source=1, tag=7, error=0}]`",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(changed(text(), from, to), format!("0000.txt, line 13: MPI_Wait: {expected}"));
    }
    let any = Text::new().irecv(0, -1, -1, 2).wait(0, 2, &status(5, 7));
    assert_eq!(
        one(any),
        "0000.txt, line 13: MPI_Wait: field `source` of the status is `5`, expected a rank from 0 to 0"
    );
}

#[test]
fn requests_that_do_not_fit_are_named() {
    assert_eq!(
        one(Text::new().irecv(0, 0, 7, 2).irecv(0, 0, 7, 2)),
        "0000.txt, line 13: MPI_Irecv: request `2` is opened again, expected its completion: line 5 has opened it"
    );
    assert_eq!(
        one(Text::new().irecv(0, 0, 7, 2).isend(0, "MPI_Isend", 1, 0, 7, 2)),
        "0000.txt, line 13: MPI_Isend: request `2` is opened again, expected its completion: line 5 has opened it"
    );
    assert_eq!(
        one(Text::new().irecv(0, 0, 7, 2).call(0, "MPI_Start", "MPI_Request request=[2]")),
        "0000.txt, line 13: MPI_Start: request `2` is started, expected one of a persistent operation"
    );
    let cancelled = "[{bytes=0, cancelled=1, source=0, tag=0, error=0}]";
    let send = Text::new().isend(0, "MPI_Isend", 1, 0, 7, 2).call(0, "MPI_Cancel", "MPI_Request request=[2]");
    assert_eq!(
        one(send.wait(0, 2, cancelled)),
        "0000.txt, line 16: MPI_Wait: the send of request `2` was cancelled, which can't be replayed"
    );
    let waitany = "int count=2\nMPI_Request requests[2]=[2, 1]\nint index=2\nMPI_Status status=<IGNORED>";
    assert_eq!(
        one(Text::new().irecv(0, 0, 7, 2).call(0, "MPI_Waitany", waitany)),
        "0000.txt, line 13: MPI_Waitany: field `index` is `2`, expected one of the 2 requests, counted from 0"
    );
    let waitall = "int count=2\nMPI_Request requests[2]=[2, 1]\nMPI_Status statuses[2]=";
    assert_eq!(
        one(Text::new().irecv(0, 0, 7, 2).call(0, "MPI_Waitall", &format!("{waitall}{}", status(0, 7)))),
        "0000.txt, line 13: MPI_Waitall: field `statuses` holds 1 statuses, expected 2"
    );
    assert_eq!(
        changed(Text::new().call(0, "MPI_Waitall", &format!("{waitall}<IGNORED>")), "[2, 1]", "<IGNORED>"),
        "0000.txt, line 5: MPI_Waitall: field `requests` is `<IGNORED>`, expected 2 integers"
    );
    let waitsome = "int count=2\nMPI_Request requests[2]=[2, 1]\nint outcount=3\nint indices[3]=[0, 0, 0]";
    assert_eq!(
        one(Text::new().irecv(0, 0, 7, 2).call(0, "MPI_Waitsome", waitsome)),
        "0000.txt, line 13: MPI_Waitsome: field `outcount` is `3`, expected an integer from -2147483648 to 2"
    );
}

#[test]
fn what_can_not_be_replayed_is_refused_by_name() {
    let cases = [
        ("MPI_Put", "one-sided communication"),
        ("MPI_Win_fence", "one-sided communication"),
        ("MPI_File_write_all", "file input and output"),
        ("MPIO_Wait", "file input and output"),
        ("MPI_Comm_spawn", "processes that join later"),
        ("MPI_Intercomm_create", "intercommunicators"),
        ("MPI_Grequest_start", "generalized requests"),
        ("MPI_Abort", "the program was aborted"),
        ("MPI_Iallreduce", "unknown to this reader"),
    ];
    for (call, reason) in cases {
        assert_eq!(one(Text::new().call(0, call, "")), format!("0000.txt, line 5: {call} can't be replayed: {reason}"));
    }
    let parent = Text::new().call(0, "MPI_Comm_get_parent", "MPI_Comm parent=4 (user-defined-comm)");
    assert_eq!(
        one(parent),
        "0000.txt, line 5: MPI_Comm_get_parent: field `parent` is `4`, expected 1 (MPI_COMM_NULL): processes that join \
         later can't be replayed"
    );
}

#[test]
fn calls_must_be_whole() {
    let returns = "MPI_Send returning";
    assert_eq!(
        changed(sent(), returns, "MPI_Recv returning"),
        "0000.txt, line 11: found the return of `MPI_Recv`, expected that of MPI_Send, which line 5 enters"
    );
    assert_eq!(
        changed(sent(), returns, "MPI_Recv entering"),
        "0000.txt, line 11: `MPI_Recv` is entered, expected the return of MPI_Send, which line 5 enters"
    );
    assert_eq!(
        changed(sent(), "int count=3", "count=3"),
        "0000.txt, line 6: MPI_Send: found `count=3`, expected an argument such as `int count=1` or `MPI_Send returning \
         at walltime ...`"
    );
    assert_eq!(
        changed(sent(), "MPI_Send entering at", "MPI_Send enters at"),
        "0000.txt, line 5: found `MPI_Send enters at walltime 8153.0493130...`, expected `MPI_... entering at walltime ...`"
    );
    assert_eq!(
        changed(sent(), "MPI_Send entering at walltime 8153.0493130", "MPI_Send entering at walltime x"),
        "0000.txt, line 5: field `walltime` is `x00`, expected seconds such as `8153.049312345`"
    );
    let end = sent().end();
    let cut = |at: &str| error(&[end[..end.find(at).unwrap()].to_owned()]);
    assert_eq!(cut("int dest"), "0000.txt: the trace is cut short: it ends at line 7 in MPI_Send of line 5");
    assert_eq!(cut("MPI_Finalize ent"), "0000.txt: the trace is cut short: it ends at line 11 without MPI_Finalize");
    assert_eq!(error(&[String::new()]), "0000.txt: the file is empty, expected the trace of a rank");
    let behind = end.clone() + &sent().text;
    assert_eq!(error(&[behind]), "0000.txt, line 18: MPI_Send behind MPI_Finalize, expected the end of the calls");
    let threads = end.replacen("thread 0.\nint count", "thread 1.\nint count", 1);
    assert_eq!(
        error(&[threads]),
        "0000.txt, line 5: MPI_Send: field `thread` is `1`, expected 0: calls of several threads can't be replayed"
    );
    let size = end + "Datatype 9 (MPI_INT) has size x\n";
    assert_eq!(
        error(&[size]),
        "0000.txt, line 14: found `Datatype 9 (MPI_INT) has size x`, expected such as `Datatype 9 (MPI_INT) has size 4`"
    );
}

#[test]
fn collectives_and_groups_are_checked() {
    let bcast = format!("int count=3\nMPI_Datatype datatype={DOUBLE}\nint root=1\nMPI_Comm comm={WORLD}");
    assert_eq!(
        one(Text::new().call(0, "MPI_Bcast", &bcast)),
        "0000.txt, line 5: MPI_Bcast: field `root` is `1`, expected a rank from 0 to 0"
    );
    let reduce = format!("int recvcounts[2]=[1, 2]\nMPI_Datatype datatype={DOUBLE}\nMPI_Comm comm={WORLD}");
    assert_eq!(
        one(Text::new().call(0, "MPI_Reduce_scatter", &reduce)),
        "0000.txt, line 5: MPI_Reduce_scatter: field `recvcounts` holds 2 integers, expected 1"
    );
    let group = format!("MPI_Comm comm={WORLD}\nMPI_Group group=3 (user-defined-group)");
    let ranges = |rows: &str| {
        let arguments = format!(
            "MPI_Group group=3 (user-defined-group)\nint count=1\nint ranges[1][3]=[{rows}\n]MPI_Group newgroup=4 \
             (user-defined-group)"
        );
        one(Text::new().call(0, "MPI_Comm_group", &group).call(0, "MPI_Group_range_incl", &arguments))
    };
    let cases = [
        ("[0, 1, 0]", "field `ranges` holds [0, 1, 0], expected a step that leads from first to last"),
        ("[0, 1, -1]", "field `ranges` holds [0, 1, -1], expected a step that leads from first to last"),
        ("[0, 2147483647, 1]", "field `ranges` holds [0, 2147483647, 1], expected up to 65536 ranks, 0 to 65535"),
        ("[0, 1]", "field `ranges` is `[[0, 1]`, expected rows of three integers"),
    ];
    for (rows, expected) in cases {
        assert_eq!(ranges(rows), format!("0000.txt, line 9: MPI_Group_range_incl: {expected}"));
    }
    assert_eq!(
        ranges("[0, 1, 1]"),
        "0000.txt, line 9: MPI_Group_incl: rank `1` of a group of 1, expected a rank below"
    );
    let cart = format!(
        "MPI_Comm oldcomm={WORLD}\nint ndim=2\nint dims[2]=[2, 2]\nint periods[2]=[0, 0]\nint reorder=0\n\
         MPI_Comm newcomm=4 (user-defined-comm)"
    );
    assert_eq!(
        one(Text::new().call(0, "MPI_Cart_create", &cart)),
        "0000.txt, line 5: MPI_Cart_create: the topology has more ranks than its communicator, 1"
    );
}

#[test]
fn a_broken_value_can_not_break_the_message() {
    let text = sent().end().replacen("count=3", &format!("count=\u{1b}[2J{}", "9".repeat(60)), 1);
    assert_eq!(
        error(&[text]),
        format!(
            "0000.txt, line 5: MPI_Send: field `count` is `\\u{{1b}}[2J{}...`, expected an integer from 0 to 2147483647",
            "9".repeat(36)
        )
    );
}

#[test]
fn input_without_end_is_bounded() {
    let long = sent().end().replacen("count=3", &format!("count={}", "3".repeat(1 << 20)), 1);
    assert_eq!(error(&[long]), "0000.txt, line 6: longer than 1048576 bytes, expected the text of dumpi2ascii");
    let many = sent().end().replacen("int count=3\n", &"int count=3\n".repeat(1000), 1);
    assert_eq!(error(&[many]), "0000.txt, line 70: more than 64 arguments in one call");
    let line = format!("int count={}\n", "3".repeat(900_000));
    let large = sent().end().replacen("int count=3\n", &line.repeat(20), 1);
    assert_eq!(error(&[large]), "0000.txt, line 15: more than 8388608 bytes of arguments in one call");
}
