//! Messages and their completions.

use super::text::{DOUBLE, INT, Text, WORLD, entries, status};
use powar_traffic::program::call::*;

/// The calls of one rank of two, without the `Nothing` of init and finalize, and the communicators.
fn calls(text: Text) -> Vec<(u64, Call)> {
    let all = entries(&[text.end(), Text::new().end()]);
    let mut calls = Vec::new();
    for entry in &all[0] {
        if let Entry::Call { compute: Compute::Recorded(ns), call } = entry {
            calls.push((*ns, call.clone()));
        }
    }
    assert_eq!(calls.pop(), Some((0, Call::Nothing)));
    assert_eq!(calls.remove(0), (0, Call::Nothing));
    calls
}

fn outgoing(bytes: u64, tag: i32) -> Outgoing {
    Outgoing { to: 1, tag, communicator: 0, bytes, synchronous: false }
}

fn send(bytes: u64, tag: i32, request: Option<u64>) -> Call {
    Call::Send { message: Some(outgoing(bytes, tag)), request }
}

fn wanted(source: Option<u32>, tag: Option<i32>) -> Wanted {
    Wanted { source, tag, communicator: 0 }
}

fn receive(source: Option<u32>, tag: Option<i32>, request: u64) -> Call {
    Call::Receive { wanted: Some(wanted(source, tag)), got: None, request: Some(request) }
}

fn complete(request: u64, polled: bool, got: Option<(u32, i32)>) -> Call {
    let got = got.map(|(source, tag)| Got { source, tag });
    Call::Complete(Completion { request, polled, got, cancelled: false })
}

#[test]
fn blocking_calls() {
    let text = Text::new()
        .send(10, "MPI_Send", 3, INT, 1, 7)
        .send(20, "MPI_Bsend", 2, DOUBLE, 1, 8)
        .send(30, "MPI_Rsend", 0, DOUBLE, 1, 9)
        .send(40, "MPI_Ssend", 1, DOUBLE, 1, 10)
        .send(50, "MPI_Send", 1, DOUBLE, -2, 10)
        .recv(60, 1, 3, "<IGNORED>")
        .recv(70, -1, -1, &status(1, 4))
        .recv(80, -2, 5, &status(-2, -1))
        .recv(90, -1, -1, &status(-1, -1));
    let recv = |ns, source, tag, got: Option<(u32, i32)>| {
        let got = got.map(|(source, tag)| Got { source, tag });
        (ns, Call::Receive { wanted: Some(wanted(source, tag)), got, request: None })
    };
    assert_eq!(
        calls(text),
        [
            (10, send(12, 7, None)),
            (20, send(16, 8, None)),
            (30, send(0, 9, None)),
            (40, Call::Send { message: Some(Outgoing { synchronous: true, ..outgoing(8, 10) }), request: None }),
            (50, Call::Nothing),
            recv(60, Some(1), Some(3), None),
            recv(70, None, None, Some((1, 4))),
            (80, Call::Nothing),
            (90, Call::Nothing),
        ]
    );
}

#[test]
fn both_halves_of_a_sendrecv() {
    let arguments = |dest: i32, source: i32, got: &str| {
        format!(
            "int sendcount=2\nMPI_Datatype sendtype={INT}\nint dest={dest}\nint sendtag=5\nint recvcount=4\n\
             MPI_Datatype recvtype={DOUBLE}\nint source={source}\nint recvtag=6\nMPI_Comm comm={WORLD}\n\
             MPI_Status status={got}"
        )
    };
    let replace = format!(
        "int count=4\nMPI_Datatype datatype={DOUBLE}\nint dest=1\nint sendtag=5\nint source=1\nint recvtag=6\n\
         MPI_Comm comm={WORLD}\nMPI_Status status={}",
        status(1, 6)
    );
    let text = Text::new()
        .call(1, "MPI_Sendrecv", &arguments(1, 1, &status(1, 6)))
        .call(2, "MPI_Sendrecv", &arguments(-2, 1, "<IGNORED>"))
        .call(3, "MPI_Sendrecv", &arguments(1, -2, "<IGNORED>"))
        .call(4, "MPI_Sendrecv", &arguments(-1, -2, "<IGNORED>"))
        .call(5, "MPI_Sendrecv_replace", &replace);
    let from = Some(wanted(Some(1), Some(6)));
    let got = Some(Got { source: 1, tag: 6 });
    assert_eq!(
        calls(text),
        [
            (1, Call::SendReceive { message: Some(outgoing(8, 5)), wanted: from, got }),
            (2, Call::SendReceive { message: None, wanted: from, got: None }),
            (3, Call::SendReceive { message: Some(outgoing(8, 5)), wanted: None, got: None }),
            (4, Call::Nothing),
            (5, Call::SendReceive { message: Some(outgoing(32, 5)), wanted: from, got }),
        ]
    );
}

#[test]
fn probes() {
    let probe = |source: &str, rest: &str| {
        format!("int source={source}\nint tag=-1 (MPI_ANY_TAG)\nMPI_Comm comm={WORLD}\n{rest}")
    };
    let any = "-1 (MPI_ANY_SOURCE)";
    let text = Text::new()
        .call(1, "MPI_Iprobe", &probe(any, "int flag=0\nMPI_Status status=<IGNORED>"))
        .call(2, "MPI_Iprobe", &probe(any, &format!("int flag=1\nMPI_Status status={}", status(1, 3))))
        .call(3, "MPI_Probe", &probe("1", &format!("MPI_Status status={}", status(1, 3))))
        .call(4, "MPI_Probe", &probe("-2 (MPI_ROOT)", "MPI_Status status=<IGNORED>"));
    let got = Some(Got { source: 1, tag: 3 });
    assert_eq!(
        calls(text),
        [
            (1, Call::Nothing),
            (2, Call::Probe { wanted: wanted(None, None), got, blocking: false }),
            (3, Call::Probe { wanted: wanted(Some(1), None), got, blocking: true }),
            (4, Call::Nothing),
        ]
    );
}

#[test]
fn a_test_in_vain_makes_the_completion_polled() {
    let test = |request: i32, flag: i32, status: &str| {
        format!("MPI_Request request=[{request}]\nint flag={flag}\nMPI_Status status={status}")
    };
    let text = Text::new()
        .irecv(1, -1, 7, 2)
        .irecv(2, 1, 7, 3)
        .irecv(3, 1, 7, 4)
        .irecv(4, 1, 7, 5)
        .call(5, "MPI_Test", &test(2, 0, "<IGNORED>"))
        .wait(6, 2, &status(1, 7))
        .call(7, "MPI_Test", &test(3, 1, &status(1, 7)))
        .call(8, "MPI_Request_get_status", &test(4, 1, &status(1, 7)))
        .wait(9, 4, "<IGNORED>")
        .wait(10, 5, "<IGNORED>")
        // The handle is free again; its new request has not been asked for.
        .irecv(11, 1, 7, 2)
        .wait(12, 2, "<IGNORED>")
        .wait(13, 1, "<IGNORED>");
    assert_eq!(
        calls(text),
        [
            (1, receive(None, Some(7), 1)),
            (2, receive(Some(1), Some(7), 2)),
            (3, receive(Some(1), Some(7), 3)),
            (4, receive(Some(1), Some(7), 4)),
            (5, Call::Nothing),
            (6, complete(1, true, Some((1, 7)))),
            (7, complete(2, true, Some((1, 7)))),
            (8, Call::Nothing),
            (9, complete(3, true, None)),
            (10, complete(4, false, None)),
            (11, receive(Some(1), Some(7), 5)),
            (12, complete(5, false, None)),
            (13, Call::Nothing),
        ]
    );
}

#[test]
fn many_requests_at_once() {
    let begun = || {
        Text::new().irecv(1, 1, 7, 2).irecv(1, 1, 8, 3).isend(1, "MPI_Isend", 1, 1, 9, 4).isend(
            1,
            "MPI_Issend",
            1,
            -2,
            9,
            5,
        )
    };
    let begins = 4;
    let list = "int count=5\nMPI_Request requests[5]=[2, 1, 3, 4, 5]";
    let statuses = |all: &[(i32, i32)]| {
        let all: Vec<_> = all.iter().map(|&(source, tag)| status(source, tag).replace(['[', ']'], "")).collect();
        format!("MPI_Status statuses[{}]=[{}]", all.len(), all.join(", "))
    };
    // What was in memory stands where nothing was received.
    let full = statuses(&[(1, 7), (9, 9), (1, 8), (9, -9), (77, 9)]);
    let rest = |text: Text| calls(text).split_off(begins);
    let none = "MPI_Status statuses[5]=<IGNORED>";
    let in_order = |polled| {
        vec![
            (6, complete(1, polled, Some((1, 7)))),
            (0, complete(2, polled, Some((1, 8)))),
            (0, complete(3, polled, None)),
        ]
    };

    let waitall = begun().call(6, "MPI_Waitall", &format!("{list}\n{full}"));
    assert_eq!(rest(waitall), in_order(false));
    let testall = begun().call(5, "MPI_Testall", &format!("{list}\nint flag=0\n{none}")).call(
        6,
        "MPI_Testall",
        &format!("{list}\nint flag=1\n{full}"),
    );
    assert_eq!(rest(testall)[1..], in_order(true)[..]);
    let asked = begun().call(5, "MPI_Testall", &format!("{list}\nint flag=0\n{none}")).call(
        6,
        "MPI_Waitall",
        &format!("{list}\n{full}"),
    );
    assert_eq!(rest(asked)[1..], in_order(true)[..]);

    let any = |index: i32, status: &str| format!("{list}\nint index={index}\nMPI_Status status={status}");
    let waitany = begun()
        .call(6, "MPI_Waitany", &any(2, &status(1, 8)))
        .call(7, "MPI_Waitany", &any(3, "<IGNORED>"))
        .call(8, "MPI_Waitany", &any(4, "<IGNORED>"))
        .call(9, "MPI_Waitany", &any(-32766, "<IGNORED>"));
    assert_eq!(
        rest(waitany),
        [(6, complete(2, false, Some((1, 8)))), (7, complete(3, false, None)), (8, Call::Nothing), (9, Call::Nothing)]
    );
    let testany = begun()
        .call(6, "MPI_Testany", &format!("{list}\nint index=-32766\nint flag=0\nMPI_Status status=<IGNORED>"))
        .call(7, "MPI_Testany", &format!("{list}\nint index=0\nint flag=1\nMPI_Status status={}", status(1, 7)))
        .call(8, "MPI_Testany", &format!("{list}\nint index=-32766\nint flag=1\nMPI_Status status=<IGNORED>"));
    assert_eq!(
        rest(testany.wait(9, 3, "<IGNORED>")),
        [(6, Call::Nothing), (7, complete(1, true, Some((1, 7)))), (8, Call::Nothing), (9, complete(2, true, None))]
    );

    let nothing = "int count=0\nMPI_Request requests[0]=[]\nint outcount=-32766\nint indices[-32766]=<IGNORED>\n\
                   MPI_Status statuses[-32766]=<IGNORED>";
    let some = |indices: &str, count: i32, statuses: &str| {
        format!("{list}\nint outcount={count}\nint indices[{count}]={indices}\n{statuses}")
    };
    // Those that are complete are null from then on.
    let left = |text: &str| text.replace("[2, 1, 3, 4, 5]", "[1, 1, 3, 1, 5]");
    let waitsome = begun()
        .call(6, "MPI_Waitsome", &some("[3, 0]", 2, &statuses(&[(5, 5), (1, 7)])))
        .call(7, "MPI_Testsome", &left(&some("<IGNORED>", 0, "MPI_Status statuses[0]=<IGNORED>")))
        .call(8, "MPI_Waitsome", &left(&some("[2]", 1, &statuses(&[(1, 8)]))))
        .call(9, "MPI_Waitsome", nothing);
    assert_eq!(
        rest(waitsome),
        [
            (6, complete(3, false, None)),
            (0, complete(1, false, Some((1, 7)))),
            (7, Call::Nothing),
            (8, complete(2, true, Some((1, 8)))),
            (9, Call::Nothing)
        ]
    );
    let testsome = begun().call(6, "MPI_Testsome", &some("[2]", 1, &statuses(&[(1, 8)]))).wait(7, 2, "<IGNORED>");
    assert_eq!(rest(testsome), [(6, complete(2, true, Some((1, 8)))), (7, complete(1, true, None))]);
}

#[test]
fn sends_that_were_over_at_once_share_a_handle() {
    let text = Text::new()
        .isend(1, "MPI_Isend", 1, 1, 7, 2)
        .isend(2, "MPI_Isend", 1, 1, 8, 2)
        .isend(3, "MPI_Isend", 1, -2, 8, 2)
        .wait(4, 2, "<IGNORED>")
        .wait(5, 2, "<IGNORED>")
        .wait(6, 2, "<IGNORED>");
    assert_eq!(
        calls(text),
        [
            (1, send(8, 7, Some(1))),
            (2, send(8, 8, Some(2))),
            (3, Call::Nothing),
            (4, complete(1, false, None)),
            (5, complete(2, false, None)),
            (6, Call::Nothing),
        ]
    );
}

#[test]
fn persistent_requests() {
    let init = |peer: &str, request: i32| {
        format!(
            "int count=2\nMPI_Datatype datatype={DOUBLE}\nint {peer}\nint tag=7\nMPI_Comm comm={WORLD}\n\
             MPI_Request request=[{request}]"
        )
    };
    let both = "int count=2\nMPI_Request requests[2]=[2, 3]";
    let text = Text::new()
        .call(1, "MPI_Ssend_init", &init("dest=1", 2))
        .call(2, "MPI_Recv_init", &init("source=1", 3))
        .call(3, "MPI_Startall", both)
        .call(4, "MPI_Waitall", &format!("{both}\nMPI_Status statuses[2]=<IGNORED>"))
        .call(5, "MPI_Waitall", &format!("{both}\nMPI_Status statuses[2]=<IGNORED>"))
        .call(6, "MPI_Start", "MPI_Request request=[3]")
        .wait(7, 3, &status(1, 7))
        .call(8, "MPI_Request_free", "MPI_Request request=[3]")
        .call(9, "MPI_Request_free", "MPI_Request request=[2]")
        .irecv(10, 1, 7, 3);
    let message = Outgoing { synchronous: true, ..outgoing(16, 7) };
    assert_eq!(
        calls(text),
        [
            (1, Call::Nothing),
            (2, Call::Nothing),
            (3, Call::Send { message: Some(message), request: Some(1) }),
            (0, receive(Some(1), Some(7), 2)),
            (4, complete(1, false, None)),
            (0, complete(2, false, None)),
            (5, Call::Nothing),
            (6, receive(Some(1), Some(7), 3)),
            (7, complete(3, false, Some((1, 7)))),
            (8, Call::Nothing),
            (9, Call::Nothing),
            (10, receive(Some(1), Some(7), 4)),
        ]
    );
}

#[test]
fn requests_that_are_given_up() {
    let cancel = "MPI_Request request=[2]";
    let cancelled = "[{bytes=0, cancelled=1, source=-2, tag=0, error=0}]";
    let text = Text::new()
        .irecv(1, -1, -1, 2)
        .call(2, "MPI_Cancel", cancel)
        .wait(3, 2, cancelled)
        // Too late to cancel: the message had come.
        .irecv(4, 1, 7, 2)
        .call(5, "MPI_Cancel", cancel)
        .wait(6, 2, &status(1, 7))
        .irecv(7, 1, 7, 2)
        .call(8, "MPI_Cancel", cancel)
        .wait(9, 2, "<IGNORED>")
        // Received from MPI_PROC_NULL where that is -1, as its status tells.
        .irecv(10, -1, 7, 2)
        .wait(11, 2, &status(-1, -1))
        .isend(12, "MPI_Isend", 1, 1, 7, 2)
        .call(13, "MPI_Request_free", cancel);
    let gone = |request| Call::Complete(Completion { request, polled: false, got: None, cancelled: true });
    assert_eq!(
        calls(text),
        [
            (1, receive(None, None, 1)),
            (2, Call::Nothing),
            (3, gone(1)),
            (4, receive(Some(1), Some(7), 2)),
            (5, Call::Nothing),
            (6, complete(2, false, Some((1, 7)))),
            (7, receive(Some(1), Some(7), 3)),
            (8, Call::Nothing),
            (9, gone(3)),
            (10, receive(None, Some(7), 4)),
            (11, gone(4)),
            (12, send(8, 7, Some(5))),
            (13, Call::Nothing),
        ]
    );
}
