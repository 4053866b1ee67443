//! Messages of a rank to itself, which GOAL has not: the time they take, as an operation that the receive waits for.

use super::super::write::Operation;
use crate::hash::FastMap;
use crate::program::mpi::MessageKind;

/// First of the processors on which the time of such messages runs, so that they do not wait for each other.
const FIRST_CPU: u8 = 192;
const CPUS: u64 = 64;

/// Messages of the same communicator and kind meet receives in the order of sending and of posting.
type Queue = (u32, MessageKind);

/// Messages of one rank to itself.
#[derive(Default)]
pub(super) struct OwnMessages {
    queues: FastMap<Queue, Counts>,
    /// What stands for the messages that nobody has taken.
    here: FastMap<(Queue, u64), Operation>,
    count: u64,
}

#[derive(Default)]
struct Counts {
    sent: u64,
    posted: u64,
}

/// A receive of the rank's own message.
#[derive(Clone, Copy)]
pub(super) struct OwnReceive(Queue, u64);

impl OwnMessages {
    /// The processor for the time of the next message.
    pub fn cpu(&mut self) -> u8 {
        self.count += 1;
        FIRST_CPU + (self.count % CPUS) as u8
    }

    /// The rank sends a message, which is there when `operation` has finished.
    pub fn send(&mut self, communicator: u32, kind: MessageKind, operation: Operation) {
        let queue = (communicator, kind);
        let counts = self.queues.entry(queue).or_default();
        self.here.insert((queue, counts.sent), operation);
        counts.sent += 1;
    }

    /// The rank posts a receive.
    pub fn post(&mut self, communicator: u32, kind: MessageKind) -> OwnReceive {
        let queue = (communicator, kind);
        let counts = self.queues.entry(queue).or_default();
        counts.posted += 1;
        OwnReceive(queue, counts.posted - 1)
    }

    /// What the message of a receive is there with; `None` if it has not been sent.
    pub fn take(&mut self, OwnReceive(queue, number): OwnReceive) -> Option<Operation> {
        self.here.remove(&(queue, number))
    }

    /// Whether messages are left that nobody has received.
    pub fn are_left(&self) -> bool {
        !self.here.is_empty()
    }
}
