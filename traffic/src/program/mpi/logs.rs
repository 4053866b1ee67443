//! The program that the logs of all ranks describe, driven by a network.
//!
//! Every rank has a clock. A record moves it by the recorded compute gap (CPU time since the
//! previous call returned, times the gap scale factor, rounded up to cycles) and then acts:
//!
//! - A send hands a message to the rank's node. `Send` returns when its last flit has left; `Isend` returns
//!   at once and its completion waits.
//! - A receive, or the completion of one, ends when the message it matches has been delivered.
//!   Messages match in the order of sending per (source, destination, communicator, tag), also if
//!   the network delivers them in another order.
//! - A collective runs the messages of its algorithm, see [`collective`](crate::program::collective).
//! - `Iprobe` costs only its gap: the receive behind it does the waiting.
//!
//! Who receives what is fixed by the logs, so the outcome does not depend on the order in which the ranks are stepped
//! within a cycle. Only outstanding messages are held; the logs are read as the ranks go on.

use super::exchange::{Exchange, Found};
use super::rank::{Blocked, Channel, Departing, Kind, Rank, Request, SendEnd, Step};
use crate::hash::FastMap;
use crate::options::Timing;
use crate::program::driven::{Driven, Issued, Local};
use crate::program::note::Note;
use crate::trace::Trace;
use anyhow::{Context, Error, Result, anyhow};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// What a receive names: the receiver and the channel.
type Mailbox = (u32, Channel);

/// The program that the logs of all ranks describe.
pub(crate) struct LogProgram {
    pub(super) timing: Timing,
    pub(super) ranks: Vec<Rank>,
    local: Local,
    ready: Ready,
    running: usize,
    pub(super) communicators: FastMap<u32, Arc<[u32]>>,
    /// Collectives some member has entered.
    pub(super) open_collectives: FastMap<(u32, u64), OpenCollective>,
    exchange: Exchange<Mailbox, u32>,
    /// All messages so far.
    messages: u64,
    /// Messages so far that are not part of a collective.
    point_to_point: u32,
    /// Collectives so far.
    pub(super) collectives: u32,
    /// What happened since it was last asked for, if anybody wants to know.
    pub(super) notes: Option<Vec<Note>>,
}

/// A collective that some member has entered.
pub(super) struct OpenCollective {
    /// Its number in the trace.
    pub number: u32,
    /// Members that have left it.
    pub left: usize,
}

impl LogProgram {
    /// The logs of `trace` from their beginning.
    pub fn new(trace: &Trace, timing: Timing, local: Local) -> Result<LogProgram> {
        let ranks = (0..trace.ranks()).map(|rank| trace.log(rank).map(Rank::new)).collect::<Result<Vec<_>>>()?;
        Ok(LogProgram {
            timing,
            local,
            ready: Ready::of(trace.ranks()),
            running: ranks.len(),
            ranks,
            communicators: FastMap::default(),
            open_collectives: FastMap::default(),
            exchange: Exchange::new(),
            messages: 0,
            point_to_point: 0,
            collectives: 0,
            notes: None,
        })
    }

    /// From now on notes are kept.
    pub fn keep_notes(&mut self) {
        self.notes.get_or_insert_default();
    }

    /// What happened since the last time, in the order of time.
    pub fn take_notes(&mut self) -> Vec<Note> {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The members of a communicator that has been used.
    pub fn communicator(&self, hash: u32) -> Option<Arc<[u32]>> {
        self.communicators.get(&hash).cloned()
    }

    /// Whether some rank is inside a collective that others have not finished.
    pub fn inside_collective(&self) -> bool {
        !self.open_collectives.is_empty()
    }

    /// Number of the last log line that `rank` is done with.
    pub fn done_line(&self, rank: u32) -> u64 {
        self.ranks[rank as usize].done_line
    }

    /// Lets a rank do all it can do in cycle `now`.
    fn run(&mut self, index: u32, now: u64, issued: &mut Vec<Issued>) -> Result<()> {
        self.ranks[index as usize].go_on(now);
        loop {
            let rank = &mut self.ranks[index as usize];
            if rank.steps.is_empty() && !rank.at_end {
                self.close_record(index);
                self.next_record(index)?;
                continue;
            }
            if rank.clock > now {
                self.ready.push(rank.clock, index);
                return Ok(());
            }
            let blocked = match rank.steps.pop_front() {
                None => {
                    self.running -= 1;
                    return Ok(());
                }
                Some(Step::Send { to, bytes, communicator, kind, end }) => {
                    self.send(index, Sending { to, bytes, communicator, kind, end }, issued)?
                }
                Some(Step::Receive(channel)) => match self.exchange.receive((index, channel), index) {
                    Found::Here => None,
                    Found::UnderWay { number, label } => Some(Blocked::Delivered { channel, number, label }),
                    Found::Nothing => Some(Blocked::Issued(channel)),
                },
                Some(Step::Left(departing)) => {
                    self.exchange.wait_sent(departing.number, index).then_some(Blocked::Sent(departing))
                }
            };
            if blocked.is_some() {
                self.ranks[index as usize].blocked = blocked;
                return Ok(());
            }
        }
    }

    /// Issues a message; returns what its sender waits for, if it does.
    fn send(&mut self, from: u32, sending: Sending, issued: &mut Vec<Issued>) -> Result<Option<Blocked>> {
        let Sending { to, bytes, communicator, kind, end } = sending;
        let local = self.local.covers(from, to);
        let number = self.messages;
        self.messages += 1;
        issued.push(Issued { number, source: from, destination: to, bytes, local });
        let sender = &mut self.ranks[from as usize];
        let now = sender.clock;
        // Inside a collective the causes of its single messages don't matter: its end is the next cause.
        let label = self.point_to_point;
        if kind != Kind::Collective {
            self.point_to_point =
                label.checked_add(1).with_context(|| format!("the trace has more than {} messages", u32::MAX))?;
            if let Some(notes) = &mut self.notes {
                let (cause, delay) = (sender.cause, now - sender.since);
                notes.push(Note::Message { number: label, source: from, destination: to, bytes, cause, delay });
            }
        }
        let channel = Channel { source: from, communicator, kind };
        if let Some(receiver) = self.exchange.issue(number, (to, channel), label) {
            self.ranks[receiver as usize].blocked = Some(Blocked::Delivered { channel, number, label });
        }
        if local {
            // What a rank writes to a neighbour's memory it is done with at once: copying is part of the call.
            self.sent(now, number);
            if self.local.carry(now, number, bytes) {
                self.delivered(now, number);
            }
        }
        let departing = Departing { number, to, label };
        let sender = &mut self.ranks[from as usize];
        match end {
            SendEnd::Blocking if self.exchange.wait_sent(number, from) => return Ok(Some(Blocked::Sent(departing))),
            SendEnd::Blocking => {}
            SendEnd::Request(request) => {
                sender.requests.insert(request, Request::Send(Some(departing)));
            }
            SendEnd::Sendrecv => sender.sendrecv = Some(departing),
        }
        Ok(None)
    }

    /// Notes that the rank is done with its current record.
    fn close_record(&mut self, index: u32) {
        let rank = &mut self.ranks[index as usize];
        rank.done_line = rank.log.line();
        if let Some(inside) = rank.inside.take() {
            rank.cause = crate::replay::message::Cause::Finished(inside.number);
            rank.since = rank.clock;
            if let Some(open) = self.open_collectives.get_mut(&inside.key) {
                open.left += 1;
                if self.communicators.get(&inside.key.0).map(|m| m.len()) == Some(open.left) {
                    self.open_collectives.remove(&inside.key);
                }
            }
        }
    }

    fn wait(&self, rank: u32) -> Option<String> {
        let Rank { log, blocked, clock, at_end, .. } = &self.ranks[rank as usize];
        let place = log.place();
        Some(match blocked {
            Some(Blocked::Sent(Departing { number, to, .. })) => {
                format!("{place}: rank {rank} waits until its message {number} to rank {to} has left")
            }
            Some(Blocked::Delivered { channel, number, .. }) => {
                format!("{place}: rank {rank} waits for {}, which is under way as message {number}", named(channel))
            }
            Some(Blocked::Issued(channel)) => {
                format!("{place}: rank {rank} waits for {}, which has not been sent", named(channel))
            }
            None if *at_end && !self.ready.holds(rank) => return None,
            None => format!("{place}: rank {rank} computes until cycle {clock}"),
        })
    }
}

/// Ranks that can do a step, by cycle, then by rank.
///
/// Cycle and rank are one number each, the rank in the low 32 bits: this is compared for every step of every rank.
struct Ready(BinaryHeap<Reverse<u128>>);

impl Ready {
    /// All ranks, in cycle 0.
    fn of(ranks: u32) -> Ready {
        Ready((0..ranks).map(|rank| Reverse(u128::from(rank))).collect())
    }

    fn push(&mut self, cycle: u64, rank: u32) {
        self.0.push(Reverse(u128::from(cycle) << 32 | u128::from(rank)));
    }

    /// The first cycle; `u64::MAX` if there is none.
    fn next_event(&self) -> u64 {
        self.0.peek().map_or(u64::MAX, |Reverse(key)| (key >> 32) as u64)
    }

    /// Takes the first rank if its cycle is not behind `now`.
    fn due(&mut self, now: u64) -> Option<u32> {
        if self.next_event() > now {
            return None;
        }
        self.0.pop().map(|Reverse(key)| key as u32)
    }

    fn holds(&self, rank: u32) -> bool {
        self.0.iter().any(|Reverse(key)| *key as u32 == rank)
    }
}

/// A message to be issued.
struct Sending {
    to: u32,
    bytes: u64,
    communicator: u32,
    kind: Kind,
    end: SendEnd,
}

/// The message a receive of this channel expects.
fn named(channel: &Channel) -> String {
    let Channel { source, communicator, kind } = channel;
    let what = match kind {
        Kind::Tag(tag) => format!("a message with tag {tag}"),
        Kind::Collective => "its part of a collective".to_owned(),
    };
    format!("{what} from rank {source} in communicator {communicator:08x}")
}

impl Driven for LogProgram {
    fn next_event(&self) -> u64 {
        self.ready.next_event().min(self.local.next_event())
    }

    fn act(&mut self, now: u64, issued: &mut Vec<Issued>) -> Result<()> {
        while let Some((cycle, number)) = self.local.due(now) {
            self.delivered(cycle, number);
        }
        while let Some(rank) = self.ready.due(now) {
            self.run(rank, now, issued)?;
        }
        Ok(())
    }

    fn sent(&mut self, cycle: u64, number: u64) {
        if let Some(rank) = self.exchange.sent(number) {
            self.ready.push(cycle, rank);
        }
    }

    fn delivered(&mut self, cycle: u64, number: u64) {
        if let Some(rank) = self.exchange.delivered(number) {
            self.ready.push(cycle, rank);
        }
    }

    fn is_over(&self) -> bool {
        self.running == 0
    }

    fn waits(&self) -> Vec<String> {
        (0..self.ranks.len() as u32).filter_map(|rank| self.wait(rank)).collect()
    }

    fn stalled(&self) -> Error {
        for (index, rank) in self.ranks.iter().enumerate() {
            if let Some(Blocked::Issued(channel)) = &rank.blocked {
                return anyhow!("{}: rank {index} waits for ever, expected {}", rank.log.place(), named(channel));
            }
        }
        anyhow!("no rank can go on: {}", self.waits().join("; "))
    }

    fn computed(&self, rank: u32, now: u64) -> u64 {
        self.ranks[rank as usize].computed(now)
    }

    fn outstanding(&self) -> usize {
        self.exchange.under_way()
    }
}
