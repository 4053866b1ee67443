//! Turns the records of a log into a rank's next steps.

use super::logs::{LogProgram, OpenCollective};
use super::rank::{Channel, Inside, Kind, Request, SendEnd, Step};
use crate::format::mpi_log::record::{Call, Completion, Operation, Record};
use crate::program::collective::{self, CollectiveStep, Sizes};
use crate::program::note::Note;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::sync::Arc;

impl LogProgram {
    /// Reads the next record of a rank, advances its clock and lays out its steps, if any; or notes that the log
    /// has ended.
    pub(super) fn next_record(&mut self, index: u32) -> Result<()> {
        let Some(record) = self.ranks[index as usize].log.next() else {
            self.ranks[index as usize].at_end = true;
            return Ok(());
        };
        let outcome = match record? {
            Record::Communicator { hash, members } => self.define(hash, members),
            Record::Call(call) => self.wait_gap(index, call.gap_cpu_ns).and_then(|()| self.start_call(index, &call)),
            Record::Completion(completion) => {
                self.wait_gap(index, completion.gap_cpu_ns).and_then(|()| self.start_completion(index, &completion))
            }
            Record::Finish => Ok(()),
        };
        let place = || self.ranks[index as usize].log.place();
        outcome.map_err(|error| anyhow!("{}: {error}", place()))
    }

    fn define(&mut self, hash: u32, members: Vec<u32>) -> Result<()> {
        let known = self.communicators.entry(hash).or_insert_with(|| members.as_slice().into());
        ensure!(**known == *members, "field `hash` is `{hash:08x}`, which already stands for other members");
        Ok(())
    }

    fn wait_gap(&mut self, index: u32, gap_ns: u64) -> Result<()> {
        let rank = &mut self.ranks[index as usize];
        let before = rank.clock;
        rank.clock = self
            .timing
            .gap_cycles(gap_ns)
            .and_then(|gap| before.checked_add(gap))
            .filter(|&clock| clock < u64::MAX / 2)
            .context("the replay's clock has run over, expected a smaller gap scale")?;
        rank.computed += rank.clock - before;
        rank.gap_end = rank.clock;
        Ok(())
    }

    fn members(&self, communicator: u32) -> Result<Arc<[u32]>> {
        self.communicators
            .get(&communicator)
            .cloned()
            .with_context(|| format!("communicator `{communicator:08x}` is unknown, expected a C line before its use"))
    }

    fn start_call(&mut self, index: u32, call: &Call) -> Result<()> {
        if call.operation.is_collective() {
            return self.start_collective(index, call);
        }
        let rank = &mut self.ranks[index as usize];
        let send = |to, end| Step::Send {
            to,
            bytes: call.bytes,
            communicator: call.communicator,
            kind: Kind::Tag(call.tag),
            end,
        };
        let receive =
            |source| Step::Receive(Channel { source, communicator: call.communicator, kind: Kind::Tag(call.tag) });
        match (call.operation, call.peer) {
            (Operation::Send | Operation::Ssend, Some(to)) => rank.steps.push_back(send(to, SendEnd::Blocking)),
            (Operation::Isend | Operation::Issend, Some(to)) => {
                rank.steps.push_back(send(to, SendEnd::Request(call.request)));
            }
            (Operation::Isend | Operation::Issend, None) => {
                rank.requests.insert(call.request, Request::Send(None));
            }
            (Operation::Irecv, _) => {
                let posted = Request::Receive(call.communicator);
                rank.requests.insert(call.request, posted);
            }
            (Operation::SendrecvS, Some(to)) => rank.steps.push_back(send(to, SendEnd::Sendrecv)),
            (Operation::Recv, Some(from)) => rank.steps.push_back(receive(from)),
            (Operation::SendrecvR, from) => {
                rank.steps.extend(from.map(receive));
                rank.steps.extend(rank.sendrecv.take().map(Step::Left));
            }
            // No process on the other side, or a probe: nothing to send or to wait for.
            _ => {}
        }
        Ok(())
    }

    fn start_completion(&mut self, index: u32, completion: &Completion) -> Result<()> {
        let rank = &mut self.ranks[index as usize];
        let request = rank.requests.remove(&completion.request).with_context(|| {
            format!("field `req` is `{}`, expected a request opened by an earlier Isend or Irecv", completion.request)
        })?;
        match (request, completion.source) {
            (Request::Send(departing), _) => rank.steps.extend(departing.map(Step::Left)),
            (Request::Receive(communicator), Some(source)) => {
                let members = self.members(communicator)?;
                let source = *members.get(source as usize).with_context(|| {
                    format!(
                        "field `source` is `{source}`, expected 0 to {} in communicator {communicator:08x}",
                        members.len() - 1
                    )
                })?;
                self.ranks[index as usize].steps.push_back(Step::Receive(Channel {
                    source,
                    communicator,
                    kind: Kind::Tag(completion.tag),
                }));
            }
            // A cancelled receive.
            (Request::Receive(_), None) => {}
        }
        Ok(())
    }

    fn start_collective(&mut self, index: u32, call: &Call) -> Result<()> {
        ensure!(
            collective::is_known(call.operation) && call.request == 0,
            "field `OP` is `{}`, expected another operation: this one is not replayed",
            call.name()
        );
        let communicator = call.communicator;
        let members = self.members(communicator)?;
        let place = |rank: u32| members.iter().position(|&member| member == rank);
        let Some(me) = place(index) else {
            bail!("rank {index} is not a member of communicator {communicator:08x}");
        };
        let root = match call.peer {
            None => 0,
            Some(peer) => place(peer)
                .with_context(|| format!("field `peer` is `{peer}`, expected a member of {communicator:08x}"))?,
        };
        let steps = collective::steps(call.operation, members.len(), me, root, Sizes::Same(call.bytes));
        let kind = Kind::Collective;
        let rank = &mut self.ranks[index as usize];
        rank.steps.extend(steps.into_iter().map(|step| match step {
            CollectiveStep::Send { to, bytes } => {
                Step::Send { to: members[to], bytes, communicator, kind, end: SendEnd::Blocking }
            }
            CollectiveStep::Receive { from } => Step::Receive(Channel { source: members[from], communicator, kind }),
        }));
        let count = rank.collectives.entry(communicator).or_insert(0);
        let key = (communicator, *count);
        *count += 1;
        let new = OpenCollective { number: self.collectives, left: 0 };
        let number = self.open_collectives.entry(key).or_insert(new).number;
        if number == self.collectives {
            self.collectives =
                number.checked_add(1).with_context(|| format!("the trace has more than {} collectives", u32::MAX))?;
        }
        rank.inside = Some(Inside { key, number });
        if let Some(notes) = &mut self.notes {
            notes.push(Note::Enter {
                rank: index,
                number,
                communicator,
                operation: call.operation,
                root: members[root],
                bytes: call.bytes,
                cause: rank.cause,
                delay: rank.clock - rank.since,
            });
        }
        Ok(())
    }
}
