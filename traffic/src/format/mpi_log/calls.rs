//! The lines of a log as the calls of its rank.

use super::reader::LogReader;
use super::record::{Call as Line, Completion as CompletionLine, Operation, Record};
use crate::hash::FastMap;
use crate::program::call::{
    Call, Calls, Collective, CollectiveCall, Completion, Compute, Entry, Got, Outgoing, Payload, Wanted,
};
use anyhow::{Context, Result, anyhow, bail};
use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

/// The calls in one rank's log.
pub(crate) struct LogCalls {
    log: LogReader<BufReader<File>>,
    /// The communicators that the log has named: in a completion ranks are counted within them.
    communicators: FastMap<u32, Arc<[u32]>>,
    /// Open receives: the communicator of each.
    receives: FastMap<u64, u32>,
    ended: bool,
}

impl LogCalls {
    pub fn new(log: LogReader<BufReader<File>>) -> LogCalls {
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
        let Line { operation, communicator, peer, bytes, tag, request, .. } = *line;
        let opened = (request > 0).then_some(request);
        let message = |synchronous| peer.map(|to| Outgoing { to, tag, communicator, bytes, synchronous });
        let exactly = peer.map(|source| Wanted { source: Some(source), tag: Some(tag), communicator });
        let got = peer.map(|source| Got { source, tag });
        Ok(match operation {
            Operation::Send | Operation::Isend => Call::Send { message: message(false), request: opened },
            Operation::Recv | Operation::SendrecvR => Call::Receive { wanted: exactly, got, request: None },
            Operation::Irecv => {
                self.receives.insert(request, communicator);
                // -1 stands for any source and for no process: a receive that gets nothing is told by its completion.
                let tag = (tag >= 0).then_some(tag);
                Call::Receive { wanted: Some(Wanted { source: peer, tag, communicator }), got: None, request: opened }
            }
            Operation::Iprobe => match exactly {
                Some(wanted) => Call::Probe { wanted, got, blocking: false },
                None => Call::Nothing,
            },
            _ => Call::Collective { collective: collective(line), request: opened },
        })
    }

    /// `SendrecvS` and the `SendrecvR` behind it.
    fn exchange(&mut self, line: &Line) -> Result<Call> {
        let Line { communicator, peer, bytes, tag, .. } = *line;
        let message = peer.map(|to| Outgoing { to, tag, communicator, bytes, synchronous: false });
        match self.log.next().transpose()? {
            Some(Record::Call(second)) if second.operation == Operation::SendrecvR => {
                let Line { communicator, peer, tag, .. } = second;
                let wanted = peer.map(|source| Wanted { source: Some(source), tag: Some(tag), communicator });
                Ok(Call::SendReceive { message, wanted, got: peer.map(|source| Got { source, tag }) })
            }
            _ => bail!("field `OP` is of another call, expected SendrecvR behind SendrecvS"),
        }
    }

    fn completion(&mut self, line: &CompletionLine) -> Result<Completion> {
        let CompletionLine { request, source, tag, polls, .. } = *line;
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
        Ok(Completion { request, polled: polls > 0, got, cancelled: receive.is_some() && source.is_none() })
    }
}

fn collective(line: &Line) -> CollectiveCall {
    let operation = match line.operation {
        Operation::Bcast => Collective::Broadcast,
        Operation::Reduce => Collective::Reduce,
        Operation::Allreduce => Collective::AllReduce,
        Operation::Gather => Collective::Gather,
        Operation::Gatherv => Collective::GatherV,
        Operation::Scatter => Collective::Scatter,
        Operation::Scatterv => Collective::ScatterV,
        Operation::Allgather => Collective::AllGather,
        Operation::Alltoall => Collective::AllToAll,
        Operation::CommSplit => Collective::MakeCommunicator,
        _ => Collective::Barrier,
    };
    let root = line.peer.filter(|_| line.operation != Operation::Barrier);
    CollectiveCall { operation, communicator: line.communicator, root, payload: Payload::Each(line.bytes) }
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
