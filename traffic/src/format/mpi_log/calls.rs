//! The lines of a log as the calls of its rank.

use super::reader::LogReader;
use super::record::{Call as Line, Completion as CompletionLine, Operation, Parts, Record};
use crate::format::rank_files::RankText;
use crate::hash::FastMap;
use crate::program::call::{
    Call, Calls, Collective, CollectiveCall, Completion, Compute, Entry, Got, Outgoing, Payload, Wanted,
};
use anyhow::{Context, Result, anyhow, bail};
use std::io::BufReader;
use std::sync::Arc;

/// The calls in one rank's log.
pub(crate) struct LogCalls {
    log: LogReader<BufReader<RankText>>,
    /// The communicators that the log has named: in a completion ranks are counted within them.
    communicators: FastMap<u32, Arc<[u32]>>,
    /// Open receives: the communicator of each.
    receives: FastMap<u64, u32>,
    ended: bool,
}

impl LogCalls {
    pub fn new(log: LogReader<BufReader<RankText>>) -> LogCalls {
        LogCalls { log, communicators: FastMap::default(), receives: FastMap::default(), ended: false }
    }

    fn entry(&mut self, record: Record) -> Result<Option<Entry>> {
        Ok(Some(match record {
            Record::Communicator { hash, members } => {
                let members: Arc<[u32]> = members.into();
                self.communicators.insert(hash, members.clone());
                Entry::Communicator { name: hash, members }
            }
            Record::Call(line) => {
                let compute = Compute::Recorded(line.gap_cpu_ns);
                let call =
                    if line.operation == Operation::SendrecvS { self.exchange(&line)? } else { self.call(&line)? };
                Entry::Call { compute, call }
            }
            Record::Completion(line) => {
                let compute = Compute::Recorded(line.gap_cpu_ns);
                Entry::Call { compute, call: Call::Complete(self.completion(&line)?) }
            }
            Record::Finish => return Ok(None),
        }))
    }

    fn call(&mut self, line: &Line) -> Result<Call> {
        let Line { operation, request, .. } = *line;
        let opened = (request > 0).then_some(request);
        Ok(match operation {
            Operation::Send | Operation::Isend => Call::Send { message: message(line, false), request: opened },
            Operation::Ssend | Operation::Issend => Call::Send { message: message(line, true), request: opened },
            Operation::Recv | Operation::SendrecvR => {
                Call::Receive { wanted: wanted(line), got: got(line), request: None }
            }
            Operation::Irecv => {
                self.receives.insert(request, line.communicator);
                Call::Receive { wanted: wanted(line), got: None, request: opened }
            }
            Operation::Probe | Operation::Iprobe => match wanted(line) {
                Some(wanted) => Call::Probe { wanted, got: got(line), blocking: operation == Operation::Probe },
                None => Call::Nothing,
            },
            _ => Call::Collective { collective: collective(line)?, request: opened },
        })
    }

    /// `SendrecvS` and the `SendrecvR` behind it.
    fn exchange(&mut self, line: &Line) -> Result<Call> {
        match self.log.next().transpose()? {
            Some(Record::Call(second)) if second.operation == Operation::SendrecvR => {
                Ok(Call::SendReceive { message: message(line, false), wanted: wanted(&second), got: got(&second) })
            }
            _ => bail!("field `OP` is of another call, expected SendrecvR behind SendrecvS"),
        }
    }

    fn completion(&mut self, line: &CompletionLine) -> Result<Completion> {
        let CompletionLine { request, source, tag, polls, tested, .. } = *line;
        let receive = self.receives.remove(&request);
        let got = match (receive, source) {
            (Some(communicator), Some(source)) => {
                let members = self.communicators.get(&communicator).with_context(|| {
                    format!("communicator `{communicator:08x}` is unknown, expected a C line before its use")
                })?;
                let source = *members.get(source as usize).with_context(|| {
                    format!(
                        "field `source` is `{source}`, expected 0 to {} in communicator {communicator:08x}",
                        members.len() - 1
                    )
                })?;
                Some(Got { source, tag })
            }
            _ => None,
        };
        Ok(Completion { request, polled: tested || polls > 0, got, cancelled: receive.is_some() && source.is_none() })
    }
}

/// What a send sends; nothing to no process.
fn message(line: &Line, synchronous: bool) -> Option<Outgoing> {
    let Line { communicator, peer, bytes, tag, .. } = *line;
    peer.map(|to| Outgoing { to, tag, communicator, bytes, synchronous })
}

/// What a receive or a probe asks for; nothing of no process.
fn wanted(line: &Line) -> Option<Wanted> {
    let Line { communicator, peer, tag, any_source, any_tag, .. } = *line;
    (any_source || peer.is_some()).then(|| Wanted {
        source: peer.filter(|_| !any_source),
        tag: (!any_tag).then_some(tag),
        communicator,
    })
}

/// What it got, if its line says so.
fn got(line: &Line) -> Option<Got> {
    line.peer.map(|source| Got { source, tag: line.tag })
}

fn collective(line: &Line) -> Result<CollectiveCall> {
    let operation = match line.operation {
        Operation::Barrier => Collective::Barrier,
        Operation::Bcast => Collective::Broadcast,
        Operation::Reduce => Collective::Reduce,
        Operation::Allreduce => Collective::AllReduce,
        Operation::Scan => Collective::Scan,
        Operation::Exscan => Collective::ExclusiveScan,
        Operation::Gather => Collective::Gather,
        Operation::Gatherv => Collective::GatherV,
        Operation::Scatter => Collective::Scatter,
        Operation::Scatterv => Collective::ScatterV,
        Operation::Allgather => Collective::AllGather,
        Operation::Allgatherv => Collective::AllGatherV,
        Operation::Alltoall => Collective::AllToAll,
        Operation::Alltoallv | Operation::Alltoallw => Collective::AllToAllV,
        Operation::ReduceScatter => Collective::ReduceScatter,
        Operation::ReduceScatterBlock => Collective::ReduceScatterBlock,
        Operation::NeighborAllgather | Operation::NeighborAllgatherv => Collective::NeighborAllGather,
        Operation::NeighborAlltoall | Operation::NeighborAlltoallv | Operation::NeighborAlltoallw => {
            Collective::NeighborAllToAll
        }
        Operation::CommSplit => Collective::MakeCommunicator,
        Operation::Send
        | Operation::Ssend
        | Operation::Isend
        | Operation::Issend
        | Operation::Recv
        | Operation::Irecv
        | Operation::SendrecvS
        | Operation::SendrecvR
        | Operation::Probe
        | Operation::Iprobe => bail!("{} is no collective", line.name()),
    };
    let payload = match &line.parts {
        Parts::One => Payload::Each(line.bytes),
        Parts::Members(sizes) => Payload::Members(Arc::clone(sizes)),
        Parts::Neighbors { to, from } => Payload::Neighbors { to: Arc::clone(to), from: Arc::clone(from) },
    };
    let root = line.peer.filter(|_| line.operation.has_root());
    Ok(CollectiveCall { operation, communicator: line.communicator, root, payload })
}

impl Calls for LogCalls {
    fn next(&mut self) -> Result<Option<Entry>> {
        if self.ended {
            return Ok(None);
        }
        let entry = match self.log.next().transpose() {
            Ok(Some(record)) => self.entry(record).map_err(|error| anyhow!("{}: {error}", self.log.place())),
            other => other.map(|_| None),
        };
        self.ended = !matches!(entry, Ok(Some(_)));
        entry
    }

    fn place(&self) -> String {
        self.log.place()
    }

    fn line(&self) -> u64 {
        self.log.line()
    }
}
