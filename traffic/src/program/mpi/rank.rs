//! One rank of the replayed program.

use crate::format::mpi_log::reader::LogReader;
use crate::hash::FastMap;
use crate::replay::message::Cause;
use std::collections::VecDeque;
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
    /// Wait until this message of its own has left.
    Left(Departing),
}

/// A message on its way out: its number, and what it is for its sender.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departing {
    pub number: u64,
    pub to: u32,
    /// Number among the messages between two ranks.
    pub label: u32,
}

/// An open request of a non-blocking call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request {
    /// A message; none if there was no process to send to.
    Send(Option<Departing>),
    /// A receive in this communicator.
    Receive(u32),
}

/// What a rank waits for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Blocked {
    /// A message of its own has left.
    Sent(Departing),
    /// This message is delivered, the label being its number among those between two ranks.
    Delivered { channel: Channel, number: u64, label: u32 },
    /// A message of this channel is issued.
    Issued(Channel),
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
    /// The cycle in which the rank does its next step; of a blocked rank, in which it has begun to wait.
    pub clock: u64,
    /// The last event the rank had to wait for, and its cycle.
    pub cause: Cause,
    pub since: u64,
    /// What is left of the current record.
    pub steps: VecDeque<Step>,
    /// What it waits for, if it does.
    pub blocked: Option<Blocked>,
    /// Its log has ended.
    pub at_end: bool,
    pub requests: FastMap<u64, Request>,
    /// What the sending half of the current `MPI_Sendrecv` has sent.
    pub sendrecv: Option<Departing>,
    /// Collectives entered so far, per communicator.
    pub collectives: FastMap<u32, u64>,
    /// The collective the rank is inside of.
    pub inside: Option<Inside>,
    /// Number of the last line whose record is done.
    pub done_line: u64,
    /// Cycles of all compute gaps, the current one up to `gap_end` included.
    pub computed: u64,
    pub gap_end: u64,
}

impl Rank {
    pub fn new(log: LogReader<BufReader<File>>) -> Rank {
        Rank {
            done_line: log.line(),
            log,
            clock: 0,
            cause: Cause::Begin,
            since: 0,
            steps: VecDeque::new(),
            blocked: None,
            at_end: false,
            requests: FastMap::default(),
            sendrecv: None,
            collectives: FastMap::default(),
            inside: None,
            computed: 0,
            gap_end: 0,
        }
    }

    /// Goes on in cycle `now`: what it has waited for, if anything, has happened.
    pub fn go_on(&mut self, now: u64) {
        let blocked = self.blocked.take();
        if now > self.clock {
            let cause = match blocked {
                Some(Blocked::Sent(Departing { label, .. })) => Some(Cause::Sent(label)),
                Some(Blocked::Delivered { label, .. }) => Some(Cause::Received(label)),
                Some(Blocked::Issued(_)) | None => None,
            };
            if let Some(cause) = cause {
                (self.cause, self.since) = (cause, now);
            }
            self.clock = now;
        }
    }

    /// Cycles up to `now`, which is not before its last step, in which it has computed.
    pub fn computed(&self, now: u64) -> u64 {
        // A gap is counted whole when it begins; what is left of it comes later.
        self.computed.saturating_sub(self.gap_end.saturating_sub(now))
    }
}
