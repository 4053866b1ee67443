//! The parts of tasks in collectives: the messages of the algorithms, and what each part waits for.

use super::stall::Inside;
use crate::hash::FastMap;
use crate::options::Timing;
use crate::program::mpi::{Channel, CollectiveRun, Inbox, OperationId, Step};

/// The parts that are under way, and their messages.
pub(super) struct Parts {
    timing: Timing,
    parts: FastMap<u64, Part>,
    /// What each task was sent and receives.
    inboxes: FastMap<u32, Inbox>,
    next_operation: Vec<OperationId>,
    operations: FastMap<(u32, OperationId), Operation>,
    messages: FastMap<u64, Message>,
    next_message: u64,
}

/// A task's part of an open collective.
struct Part {
    task: u32,
    collective: u32,
    run: CollectiveRun,
    step: Option<Step>,
    /// The processor time of `step` is paid.
    paid: bool,
}

/// Something that a part has started.
#[derive(Clone, Copy)]
enum Operation {
    Send {
        message: u64,
        to: u32,
    },
    Receive {
        from: u32,
        message: Option<u64>,
        /// The part that waits for it.
        waiter: Option<u64>,
    },
}

/// A message inside a collective that is not over.
struct Message {
    bytes: u64,
    left: bool,
    here: bool,
    /// Its receive is over.
    taken: bool,
    /// The parts that wait until it has left and until it is here.
    sender: Option<u64>,
    receiver: Option<u64>,
}

/// How far a part has come.
pub(super) enum Progress {
    /// It sends this; then it goes on.
    Sends {
        message: u64,
        to: u32,
        bytes: u64,
    },
    /// Its processor is busy for so many cycles.
    Busy(u64),
    /// It waits for a message.
    Waits,
    Finished,
}

impl Parts {
    pub fn new(tasks: u32, timing: Timing) -> Parts {
        Parts {
            timing,
            parts: FastMap::default(),
            inboxes: FastMap::default(),
            next_operation: vec![0; tasks as usize],
            operations: FastMap::default(),
            messages: FastMap::default(),
            next_message: 0,
        }
    }

    /// Messages that are not over.
    pub fn messages(&self) -> usize {
        self.messages.len()
    }

    /// A task enters a collective.
    pub fn enter(&mut self, slot: u64, task: u32, collective: u32, run: CollectiveRun) {
        self.parts.insert(slot, Part { task, collective, run, step: None, paid: false });
    }

    /// Does the next step of a part. What a part that waits waits for calls it again.
    pub fn go_on(&mut self, slot: u64) -> Progress {
        loop {
            let Some(part) = self.parts.get_mut(&slot) else { return Progress::Finished };
            let task = part.task;
            let next = &mut self.next_operation[task as usize];
            let Some(step) = part.step.take().or_else(|| part.run.next(next)) else {
                self.parts.remove(&slot);
                return Progress::Finished;
            };
            let busy = match &step {
                Step::Send { bytes, .. } => self.timing.send_cycles(*bytes),
                Step::Reduce(bytes) => self.timing.reduce_cycles(*bytes),
                _ => 0,
            };
            if busy > 0 && !std::mem::replace(&mut part.paid, true) {
                part.step = Some(step);
                return Progress::Busy(busy);
            }
            part.paid = false;
            match step {
                Step::Send { operation, to, bytes, communicator, kind, .. } => {
                    let channel = Channel { source: task, communicator, kind };
                    return self.send(task, operation, to, bytes, channel);
                }
                Step::Receive { operation, wish } => {
                    let from = wish.source().unwrap_or(task);
                    self.operations.insert((task, operation), Operation::Receive { from, message: None, waiter: None });
                    self.inboxes.entry(task).or_default().post(operation, wish);
                    self.meet(task);
                }
                Step::Wait(operation) => match self.wait(slot, task, operation) {
                    None => {
                        if let Some(part) = self.parts.get_mut(&slot) {
                            part.step = Some(Step::Wait(operation));
                        }
                        return Progress::Waits;
                    }
                    Some(0) => {}
                    Some(busy) => return Progress::Busy(busy),
                },
                // A collective's own steps are of no other kind.
                _ => {}
            }
        }
    }

    /// The last flit of a message has left. Returns the part that waits for that.
    pub fn sent(&mut self, number: u64) -> Option<u64> {
        let message = self.messages.get_mut(&number)?;
        message.left = true;
        let sender = message.sender.take();
        if message.taken {
            self.messages.remove(&number);
        }
        sender
    }

    /// A message has come in. Returns the part that waits for that.
    pub fn delivered(&mut self, number: u64) -> Option<u64> {
        let message = self.messages.get_mut(&number)?;
        message.here = true;
        message.receiver.take()
    }

    /// The parts that wait.
    pub fn waiting(&self) -> impl Iterator<Item = Inside> {
        self.parts.values().filter_map(|part| {
            let Some(Step::Wait(operation)) = part.step else { return None };
            let (other, receives) = match self.operations.get(&(part.task, operation))? {
                Operation::Send { to, .. } => (*to, false),
                Operation::Receive { from, .. } => (*from, true),
            };
            Some(Inside { task: part.task, collective: part.collective, other, receives })
        })
    }

    fn send(&mut self, task: u32, operation: OperationId, to: u32, bytes: u64, channel: Channel) -> Progress {
        let number = self.next_message;
        self.next_message += 1;
        let message = Message { bytes, left: false, here: false, taken: false, sender: None, receiver: None };
        self.messages.insert(number, message);
        self.operations.insert((task, operation), Operation::Send { message: number, to });
        self.inboxes.entry(to).or_default().send(number, channel);
        self.meet(to);
        Progress::Sends { message: number, to, bytes }
    }

    /// Messages for a task and its receives have met.
    fn meet(&mut self, task: u32) {
        let Some(inbox) = self.inboxes.get_mut(&task) else { return };
        while let Some((number, receive)) = inbox.matched.pop_front() {
            if let Some(Operation::Receive { message, waiter, .. }) = self.operations.get_mut(&(task, receive)) {
                *message = Some(number);
                if let Some(message) = self.messages.get_mut(&number) {
                    message.receiver = *waiter;
                }
            }
        }
    }

    /// The processor time of what is over; `None` if it is not: the part waits.
    fn wait(&mut self, slot: u64, task: u32, operation: OperationId) -> Option<u64> {
        let busy = match self.operations.get_mut(&(task, operation)) {
            Some(Operation::Send { message: number, .. }) => {
                if let Some(message) = self.messages.get_mut(number)
                    && !message.left
                {
                    message.sender = Some(slot);
                    return None;
                }
                0
            }
            Some(Operation::Receive { message, waiter, .. }) => {
                *waiter = Some(slot);
                let number = (*message)?;
                let message = self.messages.get_mut(&number)?;
                if !message.here {
                    message.receiver = Some(slot);
                    return None;
                }
                let busy = self.timing.receive_cycles(message.bytes);
                message.taken = true;
                if message.left {
                    self.messages.remove(&number);
                }
                busy
            }
            None => 0,
        };
        self.operations.remove(&(task, operation));
        Some(busy)
    }
}
