//! The operations of one rank.

use super::super::write::{Cpu, Operation, Writer};
use super::class::{Class, MOST_BESIDE, Tags};
use super::own::{OwnMessages, OwnReceive};
use super::strand::{Begun, Strand, push};
use super::survey::{Channel, Survey};
use crate::hash::FastMap;
use crate::options::Timing;
use crate::program::call::{CallSource, Wanted};
use crate::program::mpi::{Beside, Communicators, Lowering, MessageKind, OperationId, Step, Wish};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Last processor that collectives beside the rank run on.
const LAST_CPU: u8 = 191;

/// Something a rank has started and may wait for.
enum Started {
    Operation(Begun),
    Own(OwnReceive),
    /// A collective beside the rank: what its end needs finished.
    Beside {
        communicator: u32,
        number: u32,
        cpu: u8,
        end: Vec<Operation>,
    },
}

/// What a rank has sent.
#[derive(Clone, Copy, Default)]
pub(super) struct Sent {
    pub messages: u64,
    pub synchronous: u64,
}

/// Writes the operations of one rank.
pub(super) struct RankWriter<'a> {
    rank: u32,
    timing: Timing,
    writer: &'a mut Writer,
    tags: &'a mut Tags,
    survey: &'a mut Survey,
    communicators: &'a mut Communicators,
    started: FastMap<OperationId, Started>,
    /// Receives that it has polled for since it owed nothing.
    owed: Vec<Operation>,
    owed_own: Vec<OwnReceive>,
    own: OwnMessages,
    /// Whether some receive accepts messages of any rank.
    accepts_any: bool,
    /// Collectives beside it that it has not waited for, by communicator and number.
    beside: BTreeSet<(u32, u32)>,
    busy_cpus: BTreeSet<u8>,
    sent: Sent,
}

impl<'a> RankWriter<'a> {
    pub fn new(
        rank: u32,
        timing: Timing,
        writer: &'a mut Writer,
        tags: &'a mut Tags,
        survey: &'a mut Survey,
        communicators: &'a mut Communicators,
    ) -> RankWriter<'a> {
        RankWriter {
            rank,
            timing,
            writer,
            tags,
            survey,
            communicators,
            started: FastMap::default(),
            owed: Vec::new(),
            owed_own: Vec::new(),
            own: OwnMessages::default(),
            accepts_any: false,
            beside: BTreeSet::new(),
            busy_cpus: BTreeSet::new(),
            sent: Sent::default(),
        }
    }

    /// Writes all operations of the rank.
    pub fn write(mut self, source: &Arc<dyn CallSource>) -> Result<Sent> {
        let mut steps = Lowering::as_recorded(self.rank, Arc::clone(source))?;
        let mut strand = Strand::new(self.rank);
        while let Some(step) = steps.next(self.communicators, self.timing.algorithms)? {
            let written = match step {
                Step::Fork { operation, call, number, next } => {
                    self.fork(&strand, operation, (call.communicator, number), next, &mut steps.next_operation)
                }
                step => self.step(&mut strand, step, false),
            };
            written.map_err(|error| anyhow!("{}: {error}", steps.place()))?;
        }
        ensure!(
            !(self.accepts_any && self.own.are_left()),
            "{}: rank {} sends itself a message that a receive from any rank may take, which GOAL can't say",
            steps.place(),
            self.rank
        );
        Ok(self.sent)
    }

    fn step(&mut self, strand: &mut Strand, step: Step, beside: bool) -> Result<()> {
        match step {
            Step::Compute(compute) => {
                let time = self.timing.compute_ns(compute);
                strand.compute(self.writer, time.context("a gap is too long, expected a smaller gap scale")?)
            }
            Step::Reduce(bytes) => {
                let time = self.timing.reduce_ns(bytes);
                strand.compute(self.writer, time.context("a reduction is too long, expected a smaller reduce_byte")?)
            }
            Step::Send { operation, to, bytes, communicator, kind, synchronous } => {
                if to == self.rank {
                    return self.send_to_itself(strand, communicator, kind, bytes);
                }
                self.sent.messages += 1;
                self.sent.synchronous += u64::from(synchronous);
                let class = Class::of(kind, beside);
                let tag = self.tag(communicator, class)?;
                let cpu = strand.cpu;
                let begun = strand.begin(self.writer, |writer, after| writer.send(cpu, to, bytes, tag, after))?;
                self.started.insert(operation, Started::Operation(begun));
                Ok(())
            }
            Step::Receive { operation, wish } => self.receive(strand, operation, wish, beside),
            Step::Wait(operation) => self.wait(strand, operation),
            Step::Poll(operation) if self.timing.polls_wait => self.wait(strand, operation),
            Step::Poll(operation) => {
                match self.started.remove(&operation) {
                    Some(Started::Operation(begun)) => push(self.writer, strand.cpu, &mut self.owed, begun.operation)?,
                    Some(Started::Own(receive)) => self.owed_own.push(receive),
                    Some(Started::Beside { .. }) | None => {}
                }
                Ok(())
            }
            Step::Cancel(operation) => {
                self.started.remove(&operation);
                Ok(())
            }
            Step::Settle => {
                let owed = std::mem::take(&mut self.owed);
                if !owed.is_empty() {
                    strand.wait_for(self.writer, owed)?;
                }
                for receive in std::mem::take(&mut self.owed_own) {
                    self.wait_for_itself(strand, receive)?;
                }
                Ok(())
            }
            // What a probe waits for is waited for by the receive behind it.
            Step::Probe(_) | Step::Enter { .. } | Step::Leave | Step::Fork { .. } => Ok(()),
        }
    }

    /// The tag that messages of a class are written with.
    fn tag(&mut self, communicator: u32, class: Class) -> Result<u32> {
        let class = self.survey.written(communicator, class).with_context(|| {
            format!(
                "some receives of communicator {communicator:08x} accept any tag, and nobody knows what they got, others name \
                 theirs: GOAL can't say that, expected all to name it or none"
            )
        })?;
        self.tags.of(communicator, class, self.communicators)
    }

    fn receive(&mut self, strand: &mut Strand, operation: OperationId, wish: Wish, beside: bool) -> Result<()> {
        let cpu = strand.cpu;
        let (from, bytes, tag) = match wish {
            Wish::Of(channel) if channel.source == self.rank => {
                let receive = self.own.post(channel.communicator, channel.kind);
                self.started.insert(operation, Started::Own(receive));
                return Ok(());
            }
            Wish::Of(channel) => {
                let class = Class::of(channel.kind, beside);
                let (source, communicator) = (channel.source, channel.communicator);
                let bytes = self.survey.take(Channel { source, destination: self.rank, communicator, class })?;
                let bytes = bytes.with_context(|| {
                    let what = match channel.kind {
                        MessageKind::Tag(tag) => format!("a message with tag {tag}"),
                        MessageKind::Collective(_) => "its part of a collective".to_owned(),
                    };
                    format!("rank {} receives {what} from rank {source} that nobody sends", self.rank)
                })?;
                (Some(source), bytes, self.tag(communicator, class)?)
            }
            Wish::Any(Wanted { source: Some(source), .. }) if source == self.rank => {
                bail!("rank {source} receives from itself with any tag, and nobody knows which: GOAL can't say that")
            }
            Wish::Any(Wanted { source, tag, communicator }) => {
                self.accepts_any |= source.is_none();
                (source, 0, self.tag(communicator, tag.map_or(Class::Tag(0), Class::Tag))?)
            }
        };
        let begun = strand.begin(self.writer, |writer, after| writer.receive(cpu, from, bytes, Some(tag), after))?;
        self.started.insert(operation, Started::Operation(begun));
        Ok(())
    }

    fn wait(&mut self, strand: &mut Strand, operation: OperationId) -> Result<()> {
        match self.started.remove(&operation) {
            Some(Started::Operation(begun)) => strand.wait(self.writer, begun),
            Some(Started::Own(receive)) => self.wait_for_itself(strand, receive),
            Some(Started::Beside { communicator, number, cpu, end }) => {
                self.beside.remove(&(communicator, number));
                self.busy_cpus.remove(&cpu);
                strand.wait_for(self.writer, end)
            }
            // It was over when it began.
            None => Ok(()),
        }
    }

    /// A message to the rank itself stays in its node.
    fn send_to_itself(&mut self, strand: &mut Strand, communicator: u32, kind: MessageKind, bytes: u64) -> Result<()> {
        let time =
            self.timing.local_ns(bytes).context("a message is under way for too long, expected less local_byte")?;
        let cpu = Cpu { rank: self.rank, number: self.own.cpu() };
        let begun = strand.begin(self.writer, |writer, after| writer.calc(cpu, time, after))?;
        self.own.send(communicator, kind, begun.operation);
        Ok(())
    }

    fn wait_for_itself(&mut self, strand: &mut Strand, receive: OwnReceive) -> Result<()> {
        let rank = self.rank;
        let message = self.own.take(receive);
        let message = message.with_context(|| {
            format!("rank {rank} waits for a message from itself, expected one that it has sent before")
        })?;
        strand.wait_for(self.writer, [message])
    }

    /// A collective goes on beside the rank.
    fn fork(
        &mut self,
        strand: &Strand,
        operation: OperationId,
        (communicator, number): (u32, u32),
        mut next: Beside,
        next_operation: &mut OperationId,
    ) -> Result<()> {
        self.beside.insert((communicator, number));
        let oldest = self.beside.range((communicator, 0)..).next().map_or(number, |(_, oldest)| *oldest);
        ensure!(
            number - oldest < MOST_BESIDE,
            "a non-blocking collective begins while the one {MOST_BESIDE} before it is open, expected its completion"
        );
        let cpu = (1..LAST_CPU).find(|cpu| !self.busy_cpus.contains(cpu)).unwrap_or(LAST_CPU);
        self.busy_cpus.insert(cpu);
        let mut beside = strand.fork(Cpu { rank: self.rank, number: cpu });
        while let Some(step) = next(next_operation) {
            self.step(&mut beside, step, true)?;
        }
        let end = beside.into_needed();
        self.started.insert(operation, Started::Beside { communicator, number, cpu, end });
        Ok(())
    }
}
