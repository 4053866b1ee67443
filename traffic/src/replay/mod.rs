//! Replays the logs of all ranks: when does which node inject which message?
//!
//! Every rank has a clock. A record moves it by the recorded compute gap (CPU time since the
//! previous call returned, times the gap scale factor, rounded up to cycles) and then acts:
//!
//! - A send injects its packets at one flit per cycle, behind whatever the node is still sending.
//!   `Send` returns when the last flit has left; `Isend` returns at once and its completion waits.
//! - A receive, or the completion of one, ends when the message it matches has been delivered:
//!   its last flit has left the sender, plus the hops to the receiver. Messages match in order per
//!   (source, destination, communicator, tag).
//! - A collective runs the messages of its algorithm, see [`collective`].
//! - `Iprobe` costs only its gap: the receive behind it does the waiting.
//!
//! Without the second rule the ranks drift apart: in the HPL excerpt in `testbenches/traces` the
//! compute gaps add up to 2.4 ms on one rank and 3.0 ms on another, while the run, most of which
//! is waiting for each other, takes 14.8 ms. Data would be sent on long before it has arrived.
//! Contention in the network does not slow the ranks down (an open loop): the traffic offered to
//! a switch must not depend on the switch under test.
//!
//! Who receives what is fixed by the logs, so the outcome does not depend on the order in which
//! the ranks are stepped. Stepping the rank with the earliest clock keeps the messages in order
//! and the number of undelivered ones small.

pub mod collective;
pub mod message;
pub(crate) mod note;
mod rank;
mod records;

use crate::log::trace::Trace;
use crate::options::{Timing, TrafficOptions};
use anyhow::{Result, bail, ensure};
use message::{Cause, Message, Messages};
use note::Note;
use rank::{Channel, Delivery, Kind, Rank, Request, SendEnd, Step};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

/// Switches between two different nodes, given as (source, destination).
pub type Hops = Box<dyn Fn(u32, u32) -> u32 + Send>;

/// A running replay of logs; see [`Messages`].
pub struct Replay {
    timing: Timing,
    hops: Hops,
    ranks: Vec<Rank>,
    /// Ranks that can do a step, by clock, then by rank.
    ready: BinaryHeap<Reverse<(u64, u32)>>,
    running: usize,
    communicators: HashMap<u32, Arc<[u32]>>,
    /// Collectives some member has entered.
    open_collectives: HashMap<(u32, u64), OpenCollective>,
    /// All messages so far.
    messages: u32,
    /// Messages so far that are not part of a collective.
    point_to_point: u32,
    /// Collectives so far.
    collectives: u32,
    /// What happened since it was last asked for, if anybody wants to know.
    notes: Option<Vec<Note>>,
    failed: bool,
}

/// A collective that some member has entered.
struct OpenCollective {
    /// Its number in the trace.
    number: u32,
    /// Members that have left it.
    left: usize,
}

impl Replay {
    /// Starts a replay of `trace` over a network in which packets pass `hops` switches.
    pub fn new(trace: &Trace, options: &TrafficOptions, hops: Hops) -> Result<Replay> {
        Replay::start(trace, options, hops, None)
    }

    /// Starts a replay that keeps notes.
    pub(crate) fn with_notes(trace: &Trace, options: &TrafficOptions, hops: Hops) -> Result<Replay> {
        Replay::start(trace, options, hops, Some(Vec::new()))
    }

    fn start(trace: &Trace, options: &TrafficOptions, hops: Hops, notes: Option<Vec<Note>>) -> Result<Replay> {
        let ranks = (0..trace.ranks()).map(|rank| trace.log(rank).map(Rank::new)).collect::<Result<Vec<_>>>()?;
        let mut replay = Replay {
            timing: Timing::new(options)?,
            hops,
            running: ranks.len(),
            ranks,
            ready: BinaryHeap::new(),
            communicators: HashMap::new(),
            open_collectives: HashMap::new(),
            messages: 0,
            point_to_point: 0,
            collectives: 0,
            notes,
            failed: false,
        };
        for rank in 0..trace.ranks() {
            replay.continue_rank(rank)?;
        }
        Ok(replay)
    }

    /// What happened since the last time, in the order of time.
    pub(crate) fn take_notes(&mut self) -> Vec<Note> {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The members of a communicator that has been used.
    pub(crate) fn communicator(&self, hash: u32) -> Option<Arc<[u32]>> {
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

    /// The cycle each rank's clock has reached.
    pub fn clocks(&self) -> impl Iterator<Item = u64> {
        self.ranks.iter().map(|rank| rank.clock)
    }

    /// Does one step of the earliest rank. False when all ranks have ended.
    pub fn step(&mut self, issued: &mut Option<Message>) -> Result<bool> {
        let Some(Reverse((_, index))) = self.ready.pop() else {
            return self.ended();
        };
        let rank = &mut self.ranks[index as usize];
        match rank.steps.front().copied() {
            Some(Step::Receive(channel)) => match rank.take_delivered(channel) {
                Some(Delivery { cycle, cause }) => rank.wait(cycle, cause),
                None => {
                    rank.waiting = Some(channel);
                    return Ok(true);
                }
            },
            Some(Step::Until(cycle, cause)) => rank.wait(cycle, cause),
            Some(Step::Send { to, bytes, communicator, kind, end }) => {
                *issued = Some(self.send(index, to, bytes, communicator, kind, end)?);
            }
            None => {}
        }
        self.ranks[index as usize].steps.pop_front();
        self.continue_rank(index)?;
        Ok(true)
    }

    fn send(&mut self, from: u32, to: u32, bytes: u64, communicator: u32, kind: Kind, end: SendEnd) -> Result<Message> {
        let local = from == to;
        let packets = if local { 0 } else { self.timing.packets(bytes) };
        let sender = &mut self.ranks[from as usize];
        let start = if local { sender.clock } else { sender.clock.max(sender.link_free) };
        let left = start + packets * u64::from(self.timing.flits_per_packet);
        ensure!(
            left < u64::MAX / 2,
            "{}: the replay's clock has run over, expected a smaller gap scale",
            sender.log.place()
        );
        let message = Message {
            number: self.messages,
            source: from,
            destination: to,
            bytes,
            packets,
            start,
            first_sequence: sender.packets,
        };
        sender.packets += packets;
        if !local {
            sender.link_free = left;
        }
        // Inside a collective the causes of its single messages don't matter: its end is the next cause.
        let number = self.point_to_point;
        if kind != Kind::Collective {
            self.point_to_point += 1;
            if let Some(notes) = &mut self.notes {
                let (cause, delay) = (sender.cause, sender.clock - sender.since);
                notes.push(Note::Message { number, source: from, destination: to, bytes, cause, delay });
            }
        }
        match end {
            SendEnd::Blocking => sender.wait(left, Cause::Sent(number)),
            SendEnd::Request(request) => {
                sender.requests.insert(request, Request::Send(left, Cause::Sent(number)));
            }
            SendEnd::Sendrecv => sender.sendrecv_end = (left, Cause::Sent(number)),
        }
        self.messages = self
            .messages
            .checked_add(1)
            .ok_or_else(|| anyhow::anyhow!("the trace has more than {} messages", u32::MAX))?;
        let hops = if local { 0 } else { (self.hops)(from, to) };
        let cycle = left + u64::from(hops) * self.timing.hop_cycles;
        let delivery = Delivery { cycle, cause: Cause::Received(number) };
        self.deliver(to, Channel { source: from, communicator, kind }, delivery)?;
        Ok(message)
    }

    /// Hands a message to its receiver and wakes it if this is what it is blocked on.
    fn deliver(&mut self, to: u32, channel: Channel, delivery: Delivery) -> Result<()> {
        let receiver = &mut self.ranks[to as usize];
        if receiver.waiting != Some(channel) {
            receiver.delivered.entry(channel).or_default().push_back(delivery);
            return Ok(());
        }
        receiver.waiting = None;
        receiver.wait(delivery.cycle, delivery.cause);
        receiver.steps.pop_front();
        self.continue_rank(to)
    }

    /// Reads on until the rank has something to do, and queues it.
    fn continue_rank(&mut self, index: u32) -> Result<()> {
        while self.ranks[index as usize].steps.is_empty() {
            self.close_record(index);
            if !self.next_record(index)? {
                self.running -= 1;
                return Ok(());
            }
        }
        let clock = self.ranks[index as usize].clock;
        self.ready.push(Reverse((clock, index)));
        Ok(())
    }

    /// Notes that the rank is done with its current record.
    fn close_record(&mut self, index: u32) {
        let rank = &mut self.ranks[index as usize];
        rank.done_line = rank.log.line();
        if let Some(inside) = rank.inside.take() {
            rank.cause = Cause::Finished(inside.number);
            rank.since = rank.clock;
            if let Some(open) = self.open_collectives.get_mut(&inside.key) {
                open.left += 1;
                if self.communicators.get(&inside.key.0).map(|m| m.len()) == Some(open.left) {
                    self.open_collectives.remove(&inside.key);
                }
            }
        }
    }

    /// Checks, when no rank can move, that this is because all have ended.
    fn ended(&self) -> Result<bool> {
        if self.running == 0 {
            return Ok(false);
        }
        for (index, rank) in self.ranks.iter().enumerate() {
            if let Some(channel) = rank.waiting {
                let what = match channel.kind {
                    Kind::Tag(tag) => format!("a message with tag {tag}"),
                    Kind::Collective => "its part of a collective".to_owned(),
                };
                bail!(
                    "{}: rank {index} waits for ever, expected {what} from rank {} in communicator {:08x}",
                    rank.log.place(),
                    channel.source,
                    channel.communicator
                );
            }
        }
        unreachable!("a rank that runs is either ready or waiting")
    }
}

impl Messages for Replay {
    fn now(&self) -> Option<u64> {
        self.ready.peek().map(|Reverse((clock, _))| *clock)
    }
}

impl Iterator for Replay {
    type Item = Result<Message>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let mut issued = None;
        loop {
            match self.step(&mut issued) {
                Ok(true) if issued.is_none() => {}
                Ok(true) => return issued.map(Ok),
                Ok(false) => return None,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
