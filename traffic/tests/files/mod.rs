//! What is at a path: traces in folders, archives and packed files, and what is no trace.

mod archives;
mod bombs;
mod foreign;
mod fuzz;
mod long;
mod marks;
// Not all of it is needed here.
use crate::common::mutation;
use crate::common::packed;

use powar_traffic::{Placement, PlacementOptions, ProgramReplay, Trace, TrafficOptions};
use std::path::Path;

const GOAL: &str =
    "num_ranks 2\nrank 0 {\ns: send 256b to 1\n}\nrank 1 {\nr: recv 256b from 0\nc: calc 16\nc requires r\n}\n";
const VEF: &str = "VEF 2 1 1 0 0 0\nC0 0 1\n0 0 1 256 0 16 -1\n";

/// The log of one of two ranks, of which the first one sends to the other.
fn log(rank: u32) -> String {
    let call = if rank == 0 { "Send 16 16 00000001 1 256 7 0" } else { "Recv 0 0 00000001 0 256 7 0" };
    format!("H pmpilog 1 {rank} 2\nC 00000001 2 0 1\n{call}\nFIN 0 0 polls 0\n")
}

/// The text of dumpi2ascii of one of two ranks, likewise.
fn dumpi(rank: u32) -> String {
    let call = |name: &str, time: u32, arguments: &str| {
        let stamp =
            |verb| format!("{name} {verb} at walltime {time}.000000, cputime {time}.000000 seconds in thread 0.\n");
        format!("{}{arguments}{}", stamp("entering"), stamp("returning"))
    };
    let world = "MPI_Comm comm=2 (MPI_COMM_WORLD)\n";
    let (name, more) =
        if rank == 0 { ("MPI_Send", "int dest=1\nint tag=7\n") } else { ("MPI_Recv", "int source=0\nint tag=7\n") };
    let status =
        if rank == 0 { "" } else { "MPI_Status status=[{bytes=256, cancelled=0, source=0, tag=7, error=0}]\n" };
    let message = format!("int count=32\nMPI_Datatype datatype=14 (MPI_DOUBLE)\n{more}{world}{status}");
    call("MPI_Init", 1, "int argc=1\n") + &call(name, 2, &message) + &call("MPI_Finalize", 3, "")
}

/// Opens what is at a path and runs it over a network without contention; the messages it has sent.
fn run(path: &Path) -> anyhow::Result<u64> {
    let trace = Trace::open(path)?;
    let placement = Placement::new(trace.ranks(), trace.ranks(), &PlacementOptions::default())?;
    let mut replay = ProgramReplay::new(&trace, &TrafficOptions::default(), placement)?;
    Ok(powar_traffic::program::run_ideal(&mut replay, trace.ranks(), |_| 100)?.messages)
}

/// The error of a path, one line that calls it TRACE.
fn error_of(path: &Path) -> String {
    let error = match run(path) {
        Ok(messages) => panic!("{}: {messages} messages", path.display()),
        Err(error) => format!("{error:#}").replace(&path.display().to_string(), "TRACE"),
    };
    assert!(!error.contains('\n'), "{error}");
    error
}
