//! Writes programs of MPI calls as logs of version 2.

use super::archive::{LogMember, log_name, write_tar};
use super::record::{MORE_OPERATIONS, NON_BLOCKING, OPERATIONS, Operation};
use crate::format::fields::{MAX_BYTES, MAX_GAP_NS, MAX_RANKS};
use crate::format::temporary::{Appender, TemporaryFile, cannot_write};
use crate::hash::FastMap;
use crate::options::{Timing, TrafficOptions};
use crate::program::call::{
    Call, CallSource, Collective, CollectiveCall, Completion, Compute, Entry, Got, Outgoing, Payload, Wanted,
};
use crate::trace::Trace;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::sync::Arc;

/// In the place of the communicator in a call to no process, which has none.
const NO_COMMUNICATOR: u32 = 0;
/// In the place of a rank: any, or the source of a cancelled receive.
const ANY: i64 = -1;
/// In the place of a rank: none.
const NONE: i64 = -2;

/// What has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub ranks: u32,
    /// Lines of all logs.
    pub lines: u64,
}

/// Writes the MPI calls of `trace` as a tar archive of logs in a folder called `name`.
///
/// Recorded gaps are written as they are, as CPU and as wall-clock time; modelled ones as whole ns, rounded so that they take the same
/// number of the cycles of `options` where possible. What receives got in bytes is not known and written as 0. Logs are first written into a
/// temporary file; only the current call is in memory.
///
/// # Errors
/// A trace that holds no calls, calls that make no sense, a receive from any rank whose sender nobody knows, values that the format
/// can't hold, and `out`'s own.
pub fn write(trace: &Trace, options: &TrafficOptions, name: &str, out: &mut dyn Write) -> Result<Written> {
    let timing = Timing::new(options)?;
    let source = trace.calls()?;
    let ranks = source.ranks();
    ensure!(ranks <= MAX_RANKS, "{} has {ranks} ranks, expected at most {MAX_RANKS}", trace.name());
    // The header of a member says how long it is.
    let file = TemporaryFile::new()?;
    let mut logs = Vec::new();
    let (mut lines, mut end) = (0, 0);
    for rank in 0..ranks {
        let mut text = Counted { out: BufWriter::new(file.appender(end)), bytes: 0 };
        lines += log(source.as_ref(), rank, timing, &mut text)?;
        logs.push(end..end + text.bytes);
        end += text.bytes;
    }
    let member = |(rank, range): (usize, Range<u64>)| {
        let length = range.end - range.start;
        Ok(LogMember { name: log_name(rank as u32), length, content: file.section(range) })
    };
    write_tar(logs.into_iter().enumerate().map(member), name, out, &|| "cannot write the archive of logs".to_owned())?;
    Ok(Written { ranks, lines })
}

/// Writes the log of a rank; returns its number of lines.
fn log(source: &dyn CallSource, rank: u32, timing: Timing, out: &mut Counted) -> Result<u64> {
    let mut calls = source.calls(rank)?;
    out.add(&format!("H pmpilog 2 {rank} {}\n", source.ranks()))?;
    let mut lines = Lines::of(rank, timing);
    let mut count = 2;
    while let Some(entry) = calls.next()? {
        lines.text.clear();
        lines.entry(entry).map_err(|error| anyhow!("{}: {error}", calls.place()))?;
        count += lines.text.lines().count() as u64;
        out.add(&lines.text)?;
    }
    out.add("FIN 0 0 polls 0\n")?;
    out.out.flush().map_err(cannot_write)?;
    Ok(count)
}

/// Text in a temporary file, and how long it is.
struct Counted {
    out: BufWriter<Appender>,
    bytes: u64,
}

impl Counted {
    fn add(&mut self, text: &str) -> Result<()> {
        self.bytes += text.len() as u64;
        self.out.write_all(text.as_bytes()).map_err(cannot_write)
    }
}

/// The lines of one rank.
struct Lines {
    rank: u32,
    timing: Timing,
    /// Those of the current entry.
    text: String,
    communicators: FastMap<u32, Arc<[u32]>>,
    /// What open receives asked for; `None`: from no process.
    receives: FastMap<u64, Option<Wanted>>,
}

/// The fields of a call's line behind its gaps.
struct Fields {
    communicator: u32,
    peer: i64,
    bytes: u64,
    tag: i32,
    request: u64,
}

impl Lines {
    fn of(rank: u32, timing: Timing) -> Lines {
        Lines { rank, timing, text: String::new(), communicators: FastMap::default(), receives: FastMap::default() }
    }

    fn entry(&mut self, entry: Entry) -> Result<()> {
        match entry {
            Entry::Communicator { name, members } => {
                let _ = write!(self.text, "C {name:08x} {}", members.len());
                members.iter().for_each(|member| self.more(member));
                self.text.push('\n');
                self.communicators.insert(name, members);
                Ok(())
            }
            Entry::Call { compute, call } => {
                let gap = match compute {
                    Compute::Recorded(ns) => Some(ns),
                    Compute::Modelled(ps) => self.timing.modelled_ns(ps),
                };
                let gap = gap.filter(|gap| *gap <= MAX_GAP_NS);
                self.call(gap.with_context(|| format!("a gap of more than {MAX_GAP_NS} ns"))?, call)
            }
        }
    }

    fn call(&mut self, gap: u64, call: Call) -> Result<()> {
        match call {
            Call::Send { message, request } => {
                let synchronous = message.is_some_and(|message| message.synchronous);
                let name = match (synchronous, request) {
                    (false, None) => "Send",
                    (false, Some(_)) => "Isend",
                    (true, None) => "Ssend",
                    (true, Some(_)) => "Issend",
                };
                self.line(name, gap, sent(message, request))
            }
            Call::Receive { wanted, got, request: None } => self.found("Recv", gap, wanted, got),
            Call::Receive { wanted, request: Some(request), .. } => {
                self.receives.insert(request, wanted);
                let fields = match wanted {
                    None => Fields { request, ..nothing() },
                    Some(Wanted { source, tag, communicator }) => Fields {
                        communicator,
                        peer: source.map_or(ANY, i64::from),
                        bytes: 0,
                        tag: tag.unwrap_or(-1),
                        request,
                    },
                };
                self.line("Irecv", gap, fields)
            }
            Call::SendReceive { message, wanted, got } => {
                self.line("SendrecvS", gap, sent(message, None))?;
                self.found("SendrecvR", 0, wanted, got)
            }
            Call::Probe { wanted, got, blocking } => {
                self.found(if blocking { "Probe" } else { "Iprobe" }, gap, Some(wanted), got)
            }
            // A probe of no process finds something at once.
            Call::Nothing => self.found("Iprobe", gap, None, None),
            Call::Complete(completion) => self.completion(gap, completion),
            Call::Collective { collective, request } => self.collective(gap, collective, request),
        }
    }

    /// A line without what some operations add, and without its end.
    fn begin(&mut self, name: &str, gap: u64, fields: Fields) -> Result<()> {
        let Fields { communicator, peer, bytes, tag, request } = fields;
        ensure!(bytes <= MAX_BYTES, "a call of {bytes} bytes, expected 0 to {MAX_BYTES}");
        let _ = write!(self.text, "{name} {gap} {gap} {communicator:08x} {peer} {bytes} {tag} {request}");
        Ok(())
    }

    fn line(&mut self, name: &str, gap: u64, fields: Fields) -> Result<()> {
        self.begin(name, gap, fields)?;
        self.text.push('\n');
        Ok(())
    }

    fn more(&mut self, field: impl std::fmt::Display) {
        let _ = write!(self.text, " {field}");
    }

    /// A blocking receive or a probe: what it got, and what it left open.
    fn found(&mut self, name: &str, gap: u64, wanted: Option<Wanted>, got: Option<Got>) -> Result<()> {
        let (fields, asked) = match wanted {
            None => (nothing(), "-"),
            Some(Wanted { source, tag, communicator }) => {
                let asked = match (source, tag) {
                    (Some(_), Some(_)) => "-",
                    (None, Some(_)) => "s",
                    (Some(_), None) => "t",
                    (None, None) => "st",
                };
                let peer = source.or(got.map(|got| got.source)).map_or(ANY, i64::from);
                let tag = tag.or(got.map(|got| got.tag)).unwrap_or(-1);
                (Fields { communicator, peer, bytes: 0, tag, request: 0 }, asked)
            }
        };
        self.begin(name, gap, fields)?;
        self.more(asked);
        self.text.push('\n');
        Ok(())
    }

    fn completion(&mut self, gap: u64, completion: Completion) -> Result<()> {
        let Completion { request, polled, got, cancelled } = completion;
        let (source, tag) = match self.receives.remove(&request) {
            None | Some(None) => (NONE, -1),
            Some(Some(_)) if cancelled => (ANY, -1),
            Some(Some(wanted)) => {
                let by_name = wanted.source.zip(wanted.tag).map(|(source, tag)| Got { source, tag });
                let Got { source, tag } = got.or(by_name).context(
                    "nobody knows what a receive with wildcards got, which a log has to say: expected a recorded program",
                )?;
                (self.member(wanted.communicator, source)?, tag)
            }
        };
        let name = if polled { "P" } else { "T" };
        let _ = writeln!(self.text, "{name} {gap} {gap} {request} {source} {tag} 0 0");
        Ok(())
    }

    fn members(&self, communicator: u32) -> Result<&Arc<[u32]>> {
        let members = self.communicators.get(&communicator);
        members.with_context(|| format!("communicator `{communicator:08x}` is unknown"))
    }

    /// The number of a rank within a communicator.
    fn member(&self, communicator: u32, rank: u32) -> Result<i64> {
        let members = self.members(communicator)?;
        let found = match members.get(rank as usize) {
            Some(member) if *member == rank => Some(rank as usize),
            _ => members.iter().position(|member| *member == rank),
        };
        let found = found.with_context(|| format!("rank {rank} is not a member of communicator {communicator:08x}"))?;
        Ok(found as i64)
    }

    fn collective(&mut self, gap: u64, call: CollectiveCall, request: Option<u64>) -> Result<()> {
        let CollectiveCall { operation, communicator, root, payload } = call;
        let of_rank = operation_of(operation);
        let name = if request.is_some() { name_in(&[NON_BLOCKING], of_rank) } else { blocking_name(of_rank) };
        let name = name.with_context(|| format!("{operation:?} has no name in a log"))?;
        let needs_sizes = match of_rank {
            Operation::Gatherv | Operation::Scatterv => root == Some(self.rank),
            Operation::Allgatherv | Operation::Alltoallv | Operation::ReduceScatter => true,
            _ => false,
        };
        let bytes = if let Payload::Each(bytes) = payload { bytes } else { 0 };
        let fields =
            Fields { communicator, peer: root.map_or(ANY, i64::from), bytes, tag: 0, request: request.unwrap_or(0) };
        self.begin(name, gap, fields)?;
        match payload {
            Payload::Each(bytes) if needs_sizes => {
                let members = self.members(communicator)?.len();
                self.sizes(&vec![bytes; members])?;
            }
            Payload::Each(_) if !of_rank.is_of_neighbors() => {}
            Payload::Members(sizes) if needs_sizes => self.sizes(&sizes)?,
            Payload::Neighbors { to, from } if of_rank.is_of_neighbors() => {
                let sum = to.iter().fold(0u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
                ensure!(sum <= MAX_BYTES, "a call of {sum} bytes, expected 0 to {MAX_BYTES}");
                let _ = write!(self.text, " to {}", to.len());
                to.iter().for_each(|(rank, bytes)| self.more(format_args!("{rank}:{bytes}")));
                let _ = write!(self.text, " from {}", from.len());
                from.iter().for_each(|rank| self.more(rank));
            }
            _ => bail!("{operation:?} with such sizes has no line in a log"),
        }
        self.text.push('\n');
        Ok(())
    }

    /// `n SIZE...`, equal ones that follow each other together.
    fn sizes(&mut self, sizes: &[u64]) -> Result<()> {
        let sum = sizes.iter().fold(0u64, |sum, bytes| sum.saturating_add(*bytes));
        ensure!(sum <= MAX_BYTES, "a call of {sum} bytes, expected 0 to {MAX_BYTES}");
        let _ = write!(self.text, " n {}", sizes.len());
        for same in sizes.chunk_by(|a, b| a == b) {
            match same {
                [size] => self.more(size),
                [size, ..] => self.more(format_args!("{}x{size}", same.len())),
                [] => {}
            }
        }
        Ok(())
    }
}

/// A call to or from no process.
fn nothing() -> Fields {
    Fields { communicator: NO_COMMUNICATOR, peer: NONE, bytes: 0, tag: 0, request: 0 }
}

fn sent(message: Option<Outgoing>, request: Option<u64>) -> Fields {
    let request = request.unwrap_or(0);
    match message {
        None => Fields { request, ..nothing() },
        Some(Outgoing { to, tag, communicator, bytes, .. }) => {
            Fields { communicator, peer: to.into(), bytes, tag, request }
        }
    }
}

fn name_in(tables: &[&[(&'static str, Operation)]], operation: Operation) -> Option<&'static str> {
    tables.iter().flat_map(|table| table.iter()).find(|(_, known)| *known == operation).map(|(name, _)| *name)
}

fn blocking_name(operation: Operation) -> Option<&'static str> {
    name_in(&[OPERATIONS, MORE_OPERATIONS], operation)
}

fn operation_of(collective: Collective) -> Operation {
    match collective {
        Collective::Barrier => Operation::Barrier,
        Collective::Broadcast => Operation::Bcast,
        Collective::Reduce => Operation::Reduce,
        Collective::AllReduce => Operation::Allreduce,
        Collective::Scan => Operation::Scan,
        Collective::ExclusiveScan => Operation::Exscan,
        Collective::Gather => Operation::Gather,
        Collective::GatherV => Operation::Gatherv,
        Collective::Scatter => Operation::Scatter,
        Collective::ScatterV => Operation::Scatterv,
        Collective::AllGather => Operation::Allgather,
        Collective::AllGatherV => Operation::Allgatherv,
        Collective::AllToAll => Operation::Alltoall,
        Collective::AllToAllV => Operation::Alltoallv,
        Collective::ReduceScatter => Operation::ReduceScatter,
        Collective::ReduceScatterBlock => Operation::ReduceScatterBlock,
        Collective::MakeCommunicator => Operation::CommSplit,
        Collective::NeighborAllGather => Operation::NeighborAllgather,
        Collective::NeighborAllToAll => Operation::NeighborAlltoall,
    }
}
