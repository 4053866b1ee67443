//! Lines of version 2 of the log format: what they say, and what is wrong with bad ones.

use powar_traffic::format::mpi_log::reader::LogReader;
use powar_traffic::format::mpi_log::record::{
    Call, MORE_OPERATIONS, NON_BLOCKING, OPERATIONS, Operation, Parts, Record,
};

/// The second line of the log of rank 1 of 4.
fn read(version: u32, line: &str) -> Result<Record, String> {
    let text = format!("H pmpilog {version} 1 4\n{line}\nFIN 0 0 polls 0\n");
    let mut log = LogReader::new(text.as_bytes(), "r00001.txt").unwrap();
    assert_eq!(log.version(), version);
    log.next().unwrap().map_err(|error| error.to_string())
}

fn call(version: u32, line: &str) -> Call {
    match read(version, line) {
        Ok(Record::Call(call)) => call,
        other => panic!("{line}: {other:?}"),
    }
}

fn error(line: &str) -> String {
    let error = read(2, line).unwrap_err();
    error.strip_prefix("r00001.txt, line 2: ").unwrap().to_owned()
}

/// The fields behind `req` that a good line of this operation has.
fn tail(operation: Operation) -> &'static str {
    use Operation::*;
    match operation {
        Recv | SendrecvR | Probe | Iprobe => " -",
        Gatherv | Scatterv | Allgatherv | Alltoallv | Alltoallw | ReduceScatter => " n 4 4x8",
        _ if operation.is_of_neighbors() => " to 1 0:8 from 1 3",
        _ => "",
    }
}

#[test]
fn every_operation_is_read_under_its_name() {
    let blocking = OPERATIONS.iter().chain(MORE_OPERATIONS).map(|entry| (entry, false));
    for ((name, operation), non_blocking) in blocking.chain(NON_BLOCKING.iter().map(|entry| (entry, true))) {
        let opens = non_blocking || matches!(operation, Operation::Isend | Operation::Issend | Operation::Irecv);
        let request = u64::from(opens) * 7;
        let found = call(2, &format!("{name} 1 2 0000000a 1 8 3 {request}{}", tail(*operation)));
        assert_eq!((found.operation, found.request, found.name()), (*operation, request, *name));
        assert_eq!((found.gap_cpu_ns, found.gap_wall_ns, found.communicator), (1, 2, 10));
        assert_eq!((found.peer, found.bytes, found.tag), (Some(1), 8, 3));
        let other = 7 - request;
        let expected = if opens { "1 or more" } else { "0" };
        let wrong = format!("{name} 1 2 0000000a 1 8 3 {other}{}", tail(*operation));
        assert_eq!(error(&wrong), format!("field `req` is `{other}`, expected {expected} for {name}"));
    }
}

#[test]
fn what_a_receive_asked_for_is_told() {
    let flags = |version, line: &str| {
        let call = call(version, line);
        (call.any_source, call.any_tag, call.peer, call.tag)
    };
    for name in ["Recv", "SendrecvR", "Probe", "Iprobe"] {
        for (asked, source, tag) in [("-", false, false), ("s", true, false), ("t", false, true), ("st", true, true)] {
            let line = format!("{name} 0 0 0000000a 2 8 5 0 {asked}");
            assert_eq!(flags(2, &line), (source, tag, Some(2), 5));
        }
    }
    for version in [1, 2] {
        assert_eq!(flags(version, "Irecv 0 0 0000000a -1 8 -1 1"), (true, true, None, -1));
        assert_eq!(flags(version, "Irecv 0 0 0000000a -2 8 5 1"), (false, false, None, 5));
        assert_eq!(flags(version, "Irecv 0 0 0000000a 3 8 -1 1"), (false, true, Some(3), -1));
    }
    // Version 1 does not say.
    assert_eq!(flags(1, "Recv 0 0 0000000a 2 8 5 0"), (false, false, Some(2), 5));
}

#[test]
fn completions_by_tests_and_by_waits_are_told_apart() {
    for (record, tested) in [("T", false), ("P", true)] {
        let Ok(Record::Completion(found)) = read(2, &format!("{record} 1 2 3 0 5 6 7")) else { panic!() };
        assert_eq!(found.tested, tested);
        assert_eq!((found.request, found.source, found.tag, found.bytes, found.polls), (3, Some(0), 5, 6, 7));
    }
}

#[test]
fn sizes_of_members_are_spelt_out() {
    let sizes = |line: &str| match call(2, line).parts {
        Parts::Members(sizes) => sizes.to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(sizes("Alltoallv 0 0 0000000a -1 40 0 0 n 4 4 8 12 16"), [4, 8, 12, 16]);
    assert_eq!(sizes("Ialltoallw 0 0 0000000a -1 40 0 2 n 4 4 2x0 16"), [4, 0, 0, 16]);
    assert_eq!(sizes("Reduce_scatter 0 0 0000000a -1 9 0 0 n 3 3x3"), [3, 3, 3]);
    // Of Gatherv and Scatterv the root alone knows, here rank 1.
    assert_eq!(sizes("Gatherv 0 0 0000000a 1 8 0 0 n 2 8 0"), [8, 0]);
    assert_eq!(call(2, "Gatherv 0 0 0000000a 0 8 0 0").parts, Parts::One);
    assert_eq!(call(1, "Gatherv 0 0 0000000a 1 8 0 0").parts, Parts::One);
    // The most there may be.
    assert_eq!(sizes("Iscatterv 0 0 0000000a 1 8 0 3 n 2 2x2147483648"), [1 << 31, 1 << 31]);
}

#[test]
fn neighbors_are_read_in_their_order() {
    let call = call(2, "Ineighbor_alltoallv 0 0 0000000a -1 12 0 4 to 3 3:4 0:8 3:0 from 2 2 2");
    let expected = Parts::Neighbors { to: [(3, 4), (0, 8), (3, 0)].into(), from: [2, 2].into() };
    assert_eq!(call.parts, expected);
    let none = Parts::Neighbors { to: [].into(), from: [].into() };
    assert_eq!(self::call(2, "Neighbor_allgather 0 0 0000000a -1 12 0 0 to 0 from 0").parts, none);
}

#[test]
fn every_new_field_is_checked() {
    let cases = [
        ("Recv 0 0 0000000a 2 8 5 0", "field `asked` is missing: the line ends before it"),
        ("Recv 0 0 0000000a 2 8 5 0 ts", "field `asked` is `ts`, expected `-`, `s`, `t` or `st`"),
        ("Send 0 0 0000000a 2 8 5 0 -", "found `-` after the last field"),
        ("Alltoallv 0 0 0000000a -1 8 0 0", "field `n` is missing: the line ends before it"),
        ("Alltoallv 0 0 0000000a -1 8 0 0 m 1 8", "field `n` is `m`, expected `n`"),
        ("Alltoallv 0 0 0000000a -1 8 0 0 n 5 5x8", "field `n` is `5`, expected an integer from 1 to 4"),
        ("Alltoallv 0 0 0000000a -1 8 0 0 n 0", "field `n` is `0`, expected an integer from 1 to 4"),
        ("Alltoallv 0 0 0000000a -1 8 0 0 n 2 8", "field `size` is missing: the line ends before it"),
        ("Alltoallv 0 0 0000000a -1 8 0 0 n 2 8 8 8", "found `8` after the last field"),
        (
            "Alltoallv 0 0 0000000a -1 8 0 0 n 2 8 2x8",
            "field `size` is `2x8`, expected an integer from 0 to 4294967296, or COUNTxSIZE with COUNT from 1 to 1",
        ),
        (
            "Alltoallv 0 0 0000000a -1 8 0 0 n 2 0x8",
            "field `size` is `0x8`, expected an integer from 0 to 4294967296, or COUNTxSIZE with COUNT from 1 to 2",
        ),
        (
            "Alltoallv 0 0 0000000a -1 8 0 0 n 2 -8",
            "field `size` is `-8`, expected an integer from 0 to 4294967296, or COUNTxSIZE with COUNT from 1 to 2",
        ),
        (
            "Alltoallv 0 0 0000000a -1 8 0 0 n 3 1 2x2147483648",
            "field `size` is `2x2147483648`, expected sizes whose sum is at most 4294967296, of which 4294967295 are left",
        ),
        ("Neighbor_alltoall 0 0 0000000a -1 8 0 0", "field `to` is missing: the line ends before it"),
        (
            "Neighbor_alltoall 0 0 0000000a -1 8 0 0 to 1 4:8 from 0",
            "field `neighbor` is `4:8`, expected RANK:BYTES with RANK from 0 to 3",
        ),
        (
            "Neighbor_alltoall 0 0 0000000a -1 8 0 0 to 1 4294967297 from 0",
            "field `neighbor` is `4294967297`, expected RANK:BYTES with RANK from 0 to 3",
        ),
        (
            "Neighbor_alltoall 0 0 0000000a -1 8 0 0 to 2 0:4294967296 0:1 from 0",
            "field `neighbor` is `0:1`, expected BYTES whose sum is at most 4294967296, of which 0 are left",
        ),
        (
            "Neighbor_alltoall 0 0 0000000a -1 8 0 0 to 65537",
            "field `to` is `65537`, expected an integer from 0 to 65536",
        ),
        ("Neighbor_alltoall 0 0 0000000a -1 8 0 0 to 0 0", "field `from` is `0`, expected `from`"),
        (
            "Neighbor_alltoall 0 0 0000000a -1 8 0 0 to 0 from 1 -1",
            "field `neighbor` is `-1`, expected an integer from 0 to 3",
        ),
        ("Iscatter 0 0 0000000a -1 8 0 3", "field `peer` is negative, expected the root's rank for Iscatter"),
    ];
    for (line, expected) in cases {
        assert_eq!(error(line), expected, "{line}");
    }
}

#[test]
fn what_is_not_known_is_named_with_what_is() {
    for name in ["Win_create", "Barrier_between_groups", "Start"] {
        let error = error(&format!("{name} 0 0 0000000a -1 0 0 0"));
        let begin = format!("field `OP` is `{name}`, expected C, T, P, FIN or one of Send, ");
        assert!(error.starts_with(&begin) && error.ends_with("Ineighbor_alltoallw, Comm_idup"), "{error}");
    }
    // Version 1 has none of the new names.
    for (name, _) in MORE_OPERATIONS.iter().chain(NON_BLOCKING).chain([&("P", Operation::Send)]) {
        let error = read(1, &format!("{name} 0 0 0000000a 1 8 3 0")).unwrap_err();
        let begin = format!("r00001.txt, line 2: field `OP` is `{name}`, expected C, T, FIN or one of Send, ");
        assert!(error.starts_with(&begin) && error.ends_with("Alltoall, Comm_split"), "{error}");
    }
}
