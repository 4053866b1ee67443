//! How much memory a DUMPI trace takes: a test of its own process, so that no other one's memory is counted.
#![cfg(target_os = "linux")]

use powar_traffic::format::dumpi::DumpiTrace;
use powar_traffic::program::call::CallSource;
use std::io::Write;

/// Most memory that was ever resident, KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_long_trace_needs_no_more_memory_than_a_short_one() {
    let call = |name: &str, arguments: &str| {
        let stamp =
            |verb| format!("{name} {verb} at walltime 8153.049312000, cputime 0.004112000 seconds in thread 0.\n");
        stamp("entering") + arguments + &stamp("returning")
    };
    let some = call("MPI_Barrier", "MPI_Comm comm=2 (MPI_COMM_WORLD)\n").repeat(2000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d-0.txt");
    let mut out = std::fs::File::create(&path).unwrap();
    for _ in 0..100 {
        out.write_all(some.as_bytes()).unwrap();
    }
    out.write_all(call("MPI_Finalize", "").as_bytes()).unwrap();
    drop(out);
    let before = peak();
    let trace = DumpiTrace::open(folder.path()).unwrap();
    let mut calls = trace.calls(0).unwrap();
    let mut count = 0;
    while calls.next().unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, 200_002, "the barriers, their communicator, the end");
    let size = std::fs::metadata(&path).unwrap().len() / 1024;
    let grown = peak() - before;
    println!("{grown} KiB for a file of {size} KiB");
    assert!(size > 40_000 && grown < 1000, "{grown} KiB for a file of {size} KiB");
}
