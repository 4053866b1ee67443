//! One member's part in one collective, as steps of its rank.

use super::step::{Channel, MessageKind, OperationId, Step, Wish};
use crate::program::collective;
use std::collections::VecDeque;
use std::sync::Arc;

/// The part of one member in one collective.
pub(crate) struct CollectiveRun {
    algorithm: Box<dyn Iterator<Item = collective::Step> + Send>,
    members: Arc<[u32]>,
    communicator: u32,
    /// The so many-th collective of its communicator.
    number: u32,
    /// The rest of the algorithm's last step.
    steps: VecDeque<Step>,
    /// What is started and not waited for.
    started: Vec<OperationId>,
}

impl CollectiveRun {
    pub fn new(
        algorithm: Box<dyn Iterator<Item = collective::Step> + Send>,
        members: Arc<[u32]>,
        communicator: u32,
        number: u32,
    ) -> CollectiveRun {
        CollectiveRun { algorithm, members, communicator, number, steps: VecDeque::new(), started: Vec::new() }
    }

    /// The next step; what it starts is numbered from `next_operation` on.
    pub fn next(&mut self, next_operation: &mut OperationId) -> Option<Step> {
        loop {
            if let Some(step) = self.steps.pop_front() {
                return Some(step);
            }
            use collective::Step as Part;
            match self.algorithm.next()? {
                Part::Send { to, bytes } => {
                    let operation = self.send(to, bytes, next_operation);
                    self.steps.push_back(Step::Wait(operation));
                }
                Part::StartSend { to, bytes } => {
                    let operation = self.send(to, bytes, next_operation);
                    self.started.push(operation);
                }
                Part::Receive { from } => {
                    let operation = self.receive(from, next_operation);
                    self.steps.push_back(Step::Wait(operation));
                }
                Part::StartReceive { from } => {
                    let operation = self.receive(from, next_operation);
                    self.started.push(operation);
                }
                Part::Exchange { to, bytes, from } => {
                    let receive = self.receive(from, next_operation);
                    let send = self.send(to, bytes, next_operation);
                    self.steps.extend([Step::Wait(receive), Step::Wait(send)]);
                }
                Part::WaitAll => self.steps.extend(self.started.drain(..).map(Step::Wait)),
                Part::Reduce { bytes } => self.steps.push_back(Step::Reduce(bytes)),
            }
        }
    }

    fn send(&mut self, to: usize, bytes: u64, next_operation: &mut OperationId) -> OperationId {
        let operation = take(next_operation);
        self.steps.push_back(Step::Send {
            operation,
            to: self.members[to],
            bytes,
            communicator: self.communicator,
            kind: MessageKind::Collective(self.number),
            synchronous: false,
        });
        operation
    }

    fn receive(&mut self, from: usize, next_operation: &mut OperationId) -> OperationId {
        let operation = take(next_operation);
        let (source, communicator) = (self.members[from], self.communicator);
        let wish = Wish::Of(Channel { source, communicator, kind: MessageKind::Collective(self.number) });
        self.steps.push_back(Step::Receive { operation, wish });
        operation
    }
}

/// The next number.
pub(super) fn take(next_operation: &mut OperationId) -> OperationId {
    let operation = *next_operation;
    *next_operation += 1;
    operation
}
