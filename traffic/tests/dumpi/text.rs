//! Traces in the form of `dumpi2ascii`, written call by call.

use powar_traffic::format::dumpi::DumpiTrace;
use powar_traffic::program::call::{CallSource, Entry};
use std::fmt::Write;
use std::path::Path;
use tempfile::TempDir;

pub const INT: &str = "9 (MPI_INT)";
pub const DOUBLE: &str = "14 (MPI_DOUBLE)";
pub const WORLD: &str = "2 (MPI_COMM_WORLD)";

/// The text of one rank. Every call takes 1 us of both clocks.
pub struct Text {
    pub text: String,
    wall: u64,
    cpu: u64,
}

impl Text {
    /// Begins with `MPI_Init`.
    pub fn new() -> Text {
        let text = Text { text: String::new(), wall: 8_153_049_312_000, cpu: 4_112_000 };
        text.call(0, "MPI_Init", "int argc=1\nstring argv[1]=[\"./mpi\"]")
    }

    /// A call after `gap` ns of CPU time and twice as much wall-clock time, with its lines of arguments.
    pub fn call(mut self, gap: u64, name: &str, arguments: &str) -> Text {
        self.cpu += gap;
        self.wall += 2 * gap;
        self.stamp(name, "entering");
        self.text += arguments;
        if !arguments.is_empty() {
            self.text.push('\n');
        }
        self.cpu += 1000;
        self.wall += 1000;
        self.stamp(name, "returning");
        self
    }

    fn stamp(&mut self, name: &str, verb: &str) {
        let second = 1_000_000_000;
        let (wall, cpu) = (self.wall, self.cpu);
        writeln!(
            self.text,
            "{name} {verb} at walltime {}.{:09}, cputime {}.{:09} seconds in thread 0.",
            wall / second,
            wall % second,
            cpu / second,
            cpu % second
        )
        .unwrap();
    }

    pub fn end(self) -> String {
        self.call(0, "MPI_Finalize", "").text
    }

    pub fn send(self, gap: u64, name: &str, count: u64, datatype: &str, dest: i32, tag: i32) -> Text {
        let arguments = message(count, datatype, &format!("dest={dest}"), tag);
        self.call(gap, name, &arguments)
    }

    pub fn isend(self, gap: u64, name: &str, count: u64, dest: i32, tag: i32, request: i32) -> Text {
        let arguments = message(count, DOUBLE, &format!("dest={dest}"), tag);
        self.call(gap, name, &format!("{arguments}\nMPI_Request request=[{request}]"))
    }

    pub fn recv(self, gap: u64, source: i32, tag: i32, status: &str) -> Text {
        let arguments = message(1000, DOUBLE, &any("source", source, "MPI_ANY_SOURCE"), tag);
        self.call(gap, "MPI_Recv", &format!("{arguments}\nMPI_Status status={status}"))
    }

    pub fn irecv(self, gap: u64, source: i32, tag: i32, request: i32) -> Text {
        let arguments = message(1000, DOUBLE, &any("source", source, "MPI_ANY_SOURCE"), tag);
        self.call(gap, "MPI_Irecv", &format!("{arguments}\nMPI_Request request=[{request}]"))
    }

    pub fn wait(self, gap: u64, request: i32, status: &str) -> Text {
        self.call(gap, "MPI_Wait", &format!("MPI_Request request=[{request}]\nMPI_Status status={status}"))
    }

    pub fn barrier(self, gap: u64, comm: i32) -> Text {
        self.call(gap, "MPI_Barrier", &format!("MPI_Comm comm={}", comm_name(comm)))
    }

    pub fn split(self, old: i32, color: i32, key: i32, new: i32) -> Text {
        let arguments = format!(
            "MPI_Comm oldcomm={}\nint color={color}\nint key={key}\nMPI_Comm newcomm={}",
            comm_name(old),
            comm_name(new)
        );
        self.call(0, "MPI_Comm_split", &arguments)
    }
}

pub fn comm_name(comm: i32) -> String {
    let name = match comm {
        0 => "MPI_COMM_ERROR",
        1 => "MPI_COMM_NULL",
        2 => "MPI_COMM_WORLD",
        3 => "MPI_COMM_SELF",
        _ => "user-defined-comm",
    };
    format!("{comm} ({name})")
}

fn any(field: &str, value: i32, name: &str) -> String {
    if value == -1 { format!("{field}={value} ({name})") } else { format!("{field}={value}") }
}

fn message(count: u64, datatype: &str, peer: &str, tag: i32) -> String {
    let tag = any("tag", tag, "MPI_ANY_TAG");
    format!("int count={count}\nMPI_Datatype datatype={datatype}\nint {peer}\nint {tag}\nMPI_Comm comm={WORLD}")
}

/// A status as it is printed, in its brackets.
pub fn status(source: i32, tag: i32) -> String {
    format!("[{{bytes=8, cancelled=0, source={source}, tag={tag}, error=0}}]")
}

/// A folder of texts, named as DUMPI names them.
pub fn folder(texts: &[String]) -> TempDir {
    let folder = TempDir::with_prefix("powar-dumpi-test-").unwrap();
    for (rank, text) in texts.iter().enumerate() {
        std::fs::write(folder.path().join(format!("dumpi-2013.09.26.10.55.53-{rank:04}.txt")), text).unwrap();
    }
    folder
}

/// The entries of all ranks.
pub fn entries(texts: &[String]) -> Vec<Vec<Entry>> {
    let folder = folder(texts);
    let trace = DumpiTrace::open(folder.path()).unwrap();
    (0..trace.ranks()).map(|rank| read(&trace, rank).unwrap()).collect()
}

pub fn read(trace: &DumpiTrace, rank: u32) -> anyhow::Result<Vec<Entry>> {
    let mut calls = trace.calls(rank)?;
    let mut entries = Vec::new();
    loop {
        match calls.next() {
            Ok(Some(entry)) => entries.push(entry),
            Ok(None) => return Ok(entries),
            Err(error) => {
                assert_eq!(calls.next().unwrap(), None, "the first error ends the calls");
                return Err(error);
            }
        }
    }
}

/// The error of opening and reading all ranks, without the folder's name.
pub fn error(texts: &[String]) -> String {
    let folder = folder(texts);
    let read_all = |path: &Path| -> anyhow::Result<()> {
        let trace = DumpiTrace::open(path)?;
        (0..trace.ranks()).try_for_each(|rank| read(&trace, rank).map(drop))
    };
    let error = format!("{:#}", read_all(folder.path()).unwrap_err());
    assert!(!error.contains('\n'), "{error}");
    error.replace(&format!("{}: dumpi-2013.09.26.10.55.53-", folder.path().display()), "")
}
