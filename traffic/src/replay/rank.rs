//! One rank of the replayed program.

use super::message::Cause;
use crate::log::reader::LogReader;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::BufReader;

/// What makes a message match a receive on one rank, besides order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Channel {
    pub source: u32,
    pub communicator: u32,
    pub kind: Kind,
}

/// Collectives never match point-to-point messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Tag(i32),
    Collective,
}

/// Who waits until the last flit of a message has left the node.
#[derive(Clone, Copy, Debug)]
pub(super) enum SendEnd {
    /// The sender, at once.
    Blocking,
    /// The completion of this request.
    Request(u64),
    /// The receiving half of the same `MPI_Sendrecv`.
    Sendrecv,
}

/// What a rank does next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Send {
        to: u32,
        bytes: u64,
        communicator: u32,
        kind: Kind,
        end: SendEnd,
    },
    Receive(Channel),
    /// Wait until this cycle, in which what is named happens.
    Until(u64, Cause),
}

/// An open request of a non-blocking call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request {
    /// The last flit of what is named leaves the node in this cycle.
    Send(u64, Cause),
    /// A receive in this communicator.
    Receive(u32),
}

/// A message that has been delivered: when, and what that is for its receiver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery {
    pub cycle: u64,
    pub cause: Cause,
}

/// A collective: its communicator, its number there, and its number in the trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    pub key: (u32, u64),
    pub number: u32,
}

/// One rank of the replayed program.
pub(super) struct Rank {
    pub log: LogReader<BufReader<File>>,
    /// The cycle in which the rank does its next step.
    pub clock: u64,
    /// The last event the rank had to wait for, and its cycle.
    pub cause: Cause,
    pub since: u64,
    /// The first cycle in which its node's link is free for another message.
    pub link_free: u64,
    /// Packets sent so far.
    pub packets: u64,
    /// What is left of the current record.
    pub steps: VecDeque<Step>,
    /// The receive the rank is blocked in.
    pub waiting: Option<Channel>,
    /// Messages nobody has received yet, in sending order.
    pub delivered: HashMap<Channel, VecDeque<Delivery>>,
    pub requests: HashMap<u64, Request>,
    /// Cycle in which the sending half of the current `MPI_Sendrecv` has left the node.
    pub sendrecv_end: (u64, Cause),
    /// Collectives entered so far, per communicator.
    pub collectives: HashMap<u32, u64>,
    /// The collective the rank is inside of.
    pub inside: Option<Inside>,
    /// Number of the last line whose record is done.
    pub done_line: u64,
}

impl Rank {
    pub fn new(log: LogReader<BufReader<File>>) -> Rank {
        Rank {
            done_line: log.line(),
            log,
            clock: 0,
            cause: Cause::Begin,
            since: 0,
            link_free: 0,
            packets: 0,
            steps: VecDeque::new(),
            waiting: None,
            delivered: HashMap::new(),
            requests: HashMap::new(),
            sendrecv_end: (0, Cause::Begin),
            collectives: HashMap::new(),
            inside: None,
        }
    }

    /// Takes the oldest message of `channel`, if one is there.
    pub fn take_delivered(&mut self, channel: Channel) -> Option<Delivery> {
        let queue = self.delivered.get_mut(&channel)?;
        let delivery = queue.pop_front();
        if queue.is_empty() {
            // Tags and partners change all the time; empty queues would pile up.
            self.delivered.remove(&channel);
        }
        delivery
    }

    /// Waits for what happens in `cycle`, if that is not over yet.
    pub fn wait(&mut self, cycle: u64, cause: Cause) {
        if cycle > self.clock {
            self.clock = cycle;
            self.cause = cause;
            self.since = cycle;
        }
    }
}
