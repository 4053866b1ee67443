//! Turns the calls of a rank into steps.

use super::asked::{Asked, Takers};
use super::collective_run::{CollectiveRun, take};
use super::communicators::Communicators;
use super::step::{MessageKind, OperationId, Step, Wish};
use crate::hash::FastMap;
use crate::program::call::{Call, CallSource, Collective, CollectiveCall, Completion, Entry, Outgoing, Wanted};
use crate::program::collective::{Algorithms, Member};
use anyhow::{Context, Result, anyhow, ensure};
use std::collections::VecDeque;
use std::sync::Arc;

/// The steps of one rank.
pub(crate) struct Lowering {
    rank: u32,
    calls: Asked,
    /// What is left of the last call but for the collective.
    steps: VecDeque<Step>,
    /// The collective the rank is inside of.
    run: Option<CollectiveRun>,
    /// What the open requests stand for.
    requests: FastMap<u64, Request>,
    /// Collectives so far, for each communicator.
    collectives: FastMap<u32, u32>,
    pub next_operation: OperationId,
    /// Number of the last line whose call is done.
    pub done_line: u64,
    ended: bool,
}

/// What an open request stands for.
#[derive(Clone, Copy)]
enum Request {
    /// Nothing: there was no process to send to.
    Nothing,
    Send(OperationId),
    Receive(OperationId),
    Collective(OperationId),
}

impl Lowering {
    pub fn new(rank: u32, source: Arc<dyn CallSource>) -> Result<Lowering> {
        Ok(Lowering::of(rank, Asked::new(source, rank)?))
    }

    /// The same with receives that ask for what they got in the recording; those that got nothing are left out.
    pub fn as_recorded(rank: u32, source: Arc<dyn CallSource>) -> Result<Lowering> {
        Ok(Lowering::of(rank, Asked::as_recorded(source, rank)?))
    }

    fn of(rank: u32, calls: Asked) -> Lowering {
        Lowering {
            rank,
            calls,
            steps: VecDeque::new(),
            run: None,
            requests: FastMap::default(),
            collectives: FastMap::default(),
            next_operation: 0,
            done_line: 0,
            ended: false,
        }
    }

    /// Who takes messages of which channel.
    pub fn takers(&mut self) -> Result<Arc<Takers>> {
        self.calls.takers().cloned()
    }

    /// Where the current call stands.
    pub fn place(&self) -> String {
        self.calls.place()
    }

    /// The next step; `None` at the end.
    pub fn next(&mut self, communicators: &mut Communicators, algorithms: &Algorithms) -> Result<Option<Step>> {
        loop {
            if let Some(step) = self.steps.pop_front() {
                return Ok(Some(step));
            }
            if let Some(run) = &mut self.run {
                if let Some(step) = run.next(&mut self.next_operation) {
                    return Ok(Some(step));
                }
                self.run = None;
                return Ok(Some(Step::Leave));
            }
            if self.ended {
                return Ok(None);
            }
            self.done_line = self.calls.line();
            let entry = self.calls.next()?;
            self.enter(entry, communicators, algorithms).map_err(|error| anyhow!("{}: {error}", self.place()))?;
        }
    }

    fn enter(
        &mut self,
        entry: Option<Entry>,
        communicators: &mut Communicators,
        algorithms: &Algorithms,
    ) -> Result<()> {
        match entry {
            None => {
                self.ended = true;
                self.done_line = self.calls.line();
                self.steps.push_back(Step::Settle);
            }
            Some(Entry::Communicator { name, members }) => communicators.define(name, members)?,
            Some(Entry::Call { compute, call }) => {
                self.steps.push_back(Step::Compute(compute));
                self.call(call, communicators, algorithms)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, call: Call, communicators: &Communicators, algorithms: &Algorithms) -> Result<()> {
        match call {
            Call::Send { message, request } => {
                let operation = message.map(|message| self.send(message));
                match (operation, request) {
                    (Some(operation), None) => self.steps.push_back(Step::Wait(operation)),
                    (operation, Some(request)) => {
                        self.requests.insert(request, operation.map_or(Request::Nothing, Request::Send));
                    }
                    (None, None) => {}
                }
            }
            Call::Receive { wanted, got: _, request } => {
                let operation = wanted.map(|wanted| self.receive(wanted));
                match (operation, request) {
                    (Some(operation), None) => self.steps.push_back(Step::Wait(operation)),
                    (operation, Some(request)) => {
                        self.requests.insert(request, operation.map_or(Request::Nothing, Request::Receive));
                    }
                    (None, None) => {}
                }
            }
            Call::SendReceive { message, wanted, got: _ } => {
                let receive = wanted.map(|wanted| self.receive(wanted));
                let send = message.map(|message| self.send(message));
                self.steps.extend(receive.into_iter().chain(send).map(Step::Wait));
            }
            Call::Probe { wanted, blocking, .. } => {
                if blocking {
                    self.steps.push_back(Step::Probe(Wish::of(wanted)));
                }
            }
            Call::Complete(completion) => self.complete(completion)?,
            Call::Collective { collective, request } => {
                self.collective(collective, request, communicators, algorithms)?;
            }
            Call::Nothing => {}
        }
        Ok(())
    }

    fn send(&mut self, message: Outgoing) -> OperationId {
        let Outgoing { to, tag, communicator, bytes, synchronous } = message;
        let operation = take(&mut self.next_operation);
        self.steps.push_back(Step::Send {
            operation,
            to,
            bytes,
            communicator,
            kind: MessageKind::Tag(tag),
            synchronous,
        });
        operation
    }

    fn receive(&mut self, wanted: Wanted) -> OperationId {
        let operation = take(&mut self.next_operation);
        self.steps.push_back(Step::Receive { operation, wish: Wish::of(wanted) });
        operation
    }

    fn complete(&mut self, completion: Completion) -> Result<()> {
        let Completion { request, polled, cancelled, .. } = completion;
        let open = self.requests.remove(&request).with_context(|| {
            format!("field `req` is `{request}`, expected a request opened by an earlier non-blocking call")
        })?;
        match open {
            Request::Nothing => {}
            Request::Receive(operation) if cancelled => self.steps.push_back(Step::Cancel(operation)),
            Request::Receive(operation) if polled => self.steps.push_back(Step::Poll(operation)),
            Request::Send(operation) | Request::Receive(operation) | Request::Collective(operation) => {
                self.steps.push_back(Step::Wait(operation));
            }
        }
        Ok(())
    }

    fn collective(
        &mut self,
        call: CollectiveCall,
        request: Option<u64>,
        communicators: &Communicators,
        algorithms: &Algorithms,
    ) -> Result<()> {
        let name = call.communicator;
        let communicator = communicators.named(name)?;
        let index = |rank: u32| communicator.index(rank);
        let rank = self.rank;
        let me = index(rank).with_context(|| format!("rank {rank} is not a member of communicator {name:08x}"))?;
        let root = match call.root {
            None => 0,
            Some(root) => {
                index(root).with_context(|| format!("field `peer` is `{root}`, expected a member of {name:08x}"))?
            }
        };
        let n = communicator.members.len();
        let member = Member::new(n, me, root, &call.payload, &index)?;
        let count = self.collectives.entry(name).or_insert(0);
        let number = *count;
        *count = number.checked_add(1).context("the trace has more than 4294967295 collectives")?;
        let algorithm = algorithms.steps(call.operation, &member)?;
        let mut run = CollectiveRun::new(algorithm, communicator.members.clone(), name, number);
        match request {
            None => {
                // All that was polled for before the call had been received before it, too.
                if n > 1 || call.operation == Collective::Barrier {
                    self.steps.push_back(Step::Settle);
                }
                self.steps.push_back(Step::Enter { call, number });
                self.run = Some(run);
            }
            Some(request) => {
                ensure!(request > 0, "field `req` is `0`, expected 1 or more");
                let operation = take(&mut self.next_operation);
                self.requests.insert(request, Request::Collective(operation));
                self.steps.push_back(Step::Fork { operation, call, number, next: Box::new(move |id| run.next(id)) });
            }
        }
        Ok(())
    }
}
