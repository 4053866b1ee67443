//! Whole files as `dumpi2ascii -a` prints them, folders and archives.

use super::text::{Text, entries, error, folder, read, status};
use powar_traffic::format::dumpi::{DumpiTrace, TimeBase};
use powar_traffic::program::call::*;
use std::io::Write;
use std::sync::Arc;

/// A rank of a ring: header, calls, keyvals, counts, sizes, counters of PAPI. The status behind the send is what was in
/// memory.
fn ring(rank: u32) -> String {
    let (next, previous) = ((rank + 1) % 2, (rank + 1) % 2);
    format!(
        "version=1.0.0
starttime=Thu Feb  3 16:05:56 2011
hostname=node-{rank}
username=someone
meshdim=0
meshsize=[]
meshcrd=[]
MPI_Init entering at walltime 1296777956.737669000, cputime 0.007712000 seconds in thread 0.
Perfcounters: [PAPI_TOT_CYC=1, PAPI_FP_OPS=2]
int argc=2
string argv[2]=[\"./ring\", \"one=
two\"]
MPI_Init returning at walltime 1296777956.737670000, cputime 0.007716000 seconds in thread 0.
Perfcounters: [PAPI_TOT_CYC=3, PAPI_FP_OPS=4]
MPI_Comm_rank entering at walltime 1296777956.737694000, cputime 0.007739000 seconds in thread 0.
MPI_Comm comm=2 (MPI_COMM_WORLD)
int rank={rank}
MPI_Comm_rank returning at walltime 1296777956.737698000, cputime 0.007743000 seconds in thread 0.
MPI_Isend entering at walltime 1296777956.739674000, cputime 0.008347000 seconds in thread 0.
int count=3
MPI_Datatype datatype=11 (MPI_LONG)
int dest={next}
int tag=1337
MPI_Comm comm=2 (MPI_COMM_WORLD)
MPI_Request request=[2]
MPI_Isend returning at walltime 1296777956.739689000, cputime 0.008362000 seconds in thread 0.
MPI_Recv entering at walltime 1296777956.739699000, cputime 0.008373000 seconds in thread 0.
int count=1
MPI_Datatype datatype=9 (MPI_INT)
int source={previous}
int tag=1337
MPI_Comm comm=2 (MPI_COMM_WORLD)
MPI_Status status=<IGNORED>
MPI_Recv returning at walltime 1296777956.739880000, cputime 0.008411000 seconds in thread 0.
MPI_Wait entering at walltime 1296777956.739888000, cputime 0.008419000 seconds in thread 0.
MPI_Request request=[2]
MPI_Status status=[{{bytes=1606419960, cancelled=0, source=9, tag=9, error=96}}]
MPI_Wait returning at walltime 1296777956.739894000, cputime 0.008425000 seconds in thread 0.
MPI_Finalize entering at walltime 1296777956.739939000, cputime 0.008469000 seconds in thread 0.
MPI_Finalize returning at walltime 1296777956.740315000, cputime 0.008685000 seconds in thread 0.
Total keyvals: 1
where=here
MPI_Send called 0 times and ignored 0 times
MPI_Recv called 1 times and ignored 0 times
Performance counters: 2
    PAPI_TOT_CYC
    PAPI_FP_OPS
Function address 4660 has label main
Datatype 9 (MPI_INT) has size 4
Datatype 11 (MPI_LONG) has size 4
"
    )
}

fn ring_entries(rank: u32) -> Vec<Entry> {
    let call = |ns, call| Entry::Call { compute: Compute::Recorded(ns), call };
    let other = 1 - rank;
    vec![
        call(0, Call::Nothing),
        call(23_000, Call::Nothing),
        Entry::Communicator { name: 0, members: Arc::new([0, 1]) },
        call(
            604_000,
            Call::Send {
                message: Some(Outgoing { to: other, tag: 1337, communicator: 0, bytes: 12, synchronous: false }),
                request: Some(1),
            },
        ),
        call(
            11_000,
            Call::Receive {
                wanted: Some(Wanted { source: Some(other), tag: Some(1337), communicator: 0 }),
                got: None,
                request: None,
            },
        ),
        call(8_000, Call::Complete(Completion { request: 1, polled: false, got: None, cancelled: false })),
        call(44_000, Call::Nothing),
    ]
}

#[test]
fn all_that_dumpi2ascii_prints_is_read() {
    assert_eq!(entries(&[ring(0), ring(1)]), [ring_entries(0), ring_entries(1)]);
}

#[test]
fn a_trace_is_a_folder_or_an_archive() {
    let texts = [ring(0), ring(1)];
    let folder = folder(&texts);
    std::fs::write(folder.path().join("dumpi-2013.09.26.10.55.53.meta"), "numprocs=2\n").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "a ring\n").unwrap();
    assert!(DumpiTrace::recognises(folder.path()).unwrap());
    let trace = DumpiTrace::open(folder.path()).unwrap();
    assert_eq!((trace.ranks(), trace.time_base()), (2, TimeBase::Cpu));
    assert_eq!(trace.name(), folder.path().display().to_string());

    let archive = folder.path().join("ring.tar.xz");
    let xz = lzma_rust2::XzWriter::new(std::fs::File::create(&archive).unwrap(), Default::default()).unwrap();
    let mut tar = tar::Builder::new(xz);
    for (rank, text) in texts.iter().enumerate() {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, format!("some/where/ring-{rank}.ascii"), text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap().flush().unwrap();
    assert!(DumpiTrace::recognises(&archive).unwrap());
    let trace = DumpiTrace::open(&archive).unwrap();
    assert_eq!(read(&trace, 1).unwrap(), ring_entries(1));
    let calls = trace.calls(0).unwrap();
    drop(trace);
    assert_eq!(calls.line(), 0, "readers outlive the trace");
}

#[test]
fn other_traces_are_not_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    assert!(!DumpiTrace::recognises(folder.path()).unwrap());
    assert!(DumpiTrace::recognises(&folder.path().join("nowhere")).is_err());
    let log = file("r00000.txt", "H pmpilog 1 0 1\nFIN 0 0 polls 0\n");
    assert!(!DumpiTrace::recognises(folder.path()).unwrap());
    assert!(!DumpiTrace::recognises(&log).unwrap());
    assert!(!DumpiTrace::recognises(&file("x.tar.xz", "\u{fd}7zXZ but broken")).unwrap());
    assert!(!DumpiTrace::recognises("../testbenches/traces/hpl-64.tar.xz".as_ref()).unwrap());
}

#[test]
fn all_ranks_must_be_there_once() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let error = DumpiTrace::open(folder.path()).err().unwrap();
        format!("{error:#}").replace(&folder.path().display().to_string(), "F")
    };
    let write = |name: &str| std::fs::write(folder.path().join(name), ring(0)).unwrap();
    write("d-0000.bin");
    assert_eq!(open(), "F holds no texts of dumpi2ascii, expected such as dumpi-2013.09.26.10.55.53-0000.txt");
    write("d-0002.txt");
    assert_eq!(open(), "F holds no file of rank 0, expected the ranks 0 to 2");
    write("d-0000.txt");
    assert_eq!(open(), "F holds no file of rank 1, expected the ranks 0 to 2");
    write("d-1.ascii");
    write("d-0001.txt");
    assert_eq!(open(), "F holds rank 1 twice: d-0001.txt and d-1.ascii");
    std::fs::remove_file(folder.path().join("d-1.ascii")).unwrap();
    write("d-70000.txt");
    assert_eq!(open(), "F: d-70000.txt: the rank is `70000`, expected one from 0 to 65535");
}

#[test]
fn wall_clock_time_is_read_where_cpu_time_is_coarse() {
    let two = |cpu: [&str; 4]| {
        format!(
            "MPI_Init entering at walltime 1.000000000{0} seconds in thread 0.
MPI_Init returning at walltime 1.000001000{1} seconds in thread 0.
MPI_Finalize entering at walltime 1.000008000{2} seconds in thread 0.
MPI_Finalize returning at walltime 1.000009000{3} seconds in thread 0.
",
            cpu[0], cpu[1], cpu[2], cpu[3]
        )
    };
    let cases = [
        (
            [", cputime 0.000000000", ", cputime 0.000000100", ", cputime 0.000000500", ", cputime 0.1"],
            TimeBase::Cpu,
            400,
        ),
        ([", cputime 0.00", ", cputime 0.00", ", cputime 0.004", ", cputime 0.004"], TimeBase::Wall, 7000),
        ([", cputime 0.0", ", cputime 0.0", ", cputime 0.0", ", cputime 0.0"], TimeBase::Wall, 7000),
        (["", "", "", ""], TimeBase::Wall, 7000),
        // A clock that runs backwards.
        ([", cputime 1.000000000", ", cputime 1.000000100", ", cputime 0.5", ", cputime 0.5"], TimeBase::Cpu, 0),
    ];
    for (cpu, base, gap) in cases {
        let folder = folder(&[two(cpu)]);
        let trace = DumpiTrace::open(folder.path()).unwrap();
        assert_eq!(trace.time_base(), base, "{cpu:?}");
        let Entry::Call { compute, .. } = &read(&trace, 0).unwrap()[1] else { panic!("a call") };
        assert_eq!(*compute, Compute::Recorded(gap), "{cpu:?}");
    }
}

#[test]
fn entries_tell_where_they_stand() {
    let text = Text::new().recv(5, -1, -1, &status(0, 3)).end();
    let folder = folder(&[text]);
    let trace = DumpiTrace::open(folder.path()).unwrap();
    let mut calls = trace.calls(0).unwrap();
    calls.next().unwrap();
    assert_eq!(calls.line(), 4);
    assert!(calls.place().ends_with(": dumpi-2013.09.26.10.55.53-0000.txt, line 1"), "{}", calls.place());
    calls.next().unwrap();
    calls.next().unwrap();
    assert!(calls.place().ends_with(", line 5"), "{}", calls.place());
    assert!(trace.calls(1).is_err());
}

#[test]
fn a_file_cut_anywhere_is_noticed() {
    let text = ring(0).replace("dest=1", "dest=0").replace("source=1", "source=0");
    let end = text.find("MPI_Finalize returning").unwrap();
    entries(std::slice::from_ref(&text));
    let cuts = (1..end).filter(|cut| text.is_char_boundary(*cut));
    for cut in cuts.step_by(7) {
        error(&[text[..cut].to_owned()]);
    }
}
