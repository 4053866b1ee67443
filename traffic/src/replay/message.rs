//! A message as its source node injects it, and what it waited for.

use anyhow::Result;

/// One message, cut into packets that leave the source node back to back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Messages are numbered in the order in which the replay issues them.
    pub number: u32,
    pub source: u32,
    pub destination: u32,
    /// Payload, bytes.
    pub bytes: u64,
    /// Packets; 0 only for a message a rank sends to itself, which never enters the network.
    pub packets: u64,
    /// Cycle in which the first flit leaves the source node.
    pub start: u64,
    /// Packets the source has sent before this message.
    pub first_sequence: u64,
}

/// The messages of a running replay, in the order in which the ranks issue them; the first error
/// ends the iteration.
///
/// A message may start later than the next one (its node's link is busy), but never before
/// [`Messages::now`].
pub trait Messages: Iterator<Item = Result<Message>> + Send {
    /// Cycle before which no further message starts; `None` when the replay is over.
    fn now(&self) -> Option<u64>;
}

/// What decided when a rank went on: the last event it had to wait for. Messages are those between
/// two ranks, not the ones inside collectives; both are numbered on their own, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The beginning of the trace.
    Begin,
    /// The last flit of this message of its own has left.
    Sent(u32),
    /// The last flit of this message has come in.
    Received(u32),
    /// It has finished its part of this collective.
    Finished(u32),
}

/// What a network does with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Carried {
    /// Its last flit has left.
    Sent,
    /// Its last flit has come in.
    Delivered,
}
