//! What ranks do, in steps that a replay carries out one after the other.

use crate::program::call::{CollectiveCall, Compute, Wanted};

/// Number of something that a rank has started and may wait for: a send, a receive, a collective beside its own work. Counted from 0
/// on each rank.
pub(crate) type OperationId = u64;

/// What makes a message match a receive on one rank, besides order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Channel {
    pub source: u32,
    pub communicator: u32,
    pub kind: MessageKind,
}

/// Collectives never match point-to-point messages, nor each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum MessageKind {
    Tag(i32),
    /// The so many-th collective of the communicator.
    Collective(u32),
}

/// The messages that a receive or a probe accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wish {
    Of(Channel),
    /// Source, tag or both are left open.
    Any(Wanted),
}

impl Wish {
    /// What a program has asked for.
    pub fn of(wanted: Wanted) -> Wish {
        match wanted {
            Wanted { source: Some(source), tag: Some(tag), communicator } => {
                Wish::Of(Channel { source, communicator, kind: MessageKind::Tag(tag) })
            }
            open => Wish::Any(open),
        }
    }

    /// The only rank whose messages are accepted.
    pub fn source(&self) -> Option<u32> {
        match self {
            Wish::Of(channel) => Some(channel.source),
            Wish::Any(wanted) => wanted.source,
        }
    }
}

/// What goes on beside a rank's own calls: its next step, none once it is over. What a step starts is numbered from the
/// argument on.
pub(crate) type Beside = Box<dyn FnMut(&mut OperationId) -> Option<Step> + Send>;

/// What a rank, or a collective beside it, does next.
pub(crate) enum Step {
    Compute(Compute),
    /// Combine two operands of so many bytes.
    Reduce(u64),
    Send {
        operation: OperationId,
        to: u32,
        bytes: u64,
        communicator: u32,
        kind: MessageKind,
        synchronous: bool,
    },
    /// Post a receive.
    Receive {
        operation: OperationId,
        wish: Wish,
    },
    /// Wait until it is over.
    Wait(OperationId),
    /// Take the message of a receive if it is there, or owe that.
    Poll(OperationId),
    /// A posted receive that no message comes for.
    Cancel(OperationId),
    /// Wait until such a message is there, without taking it.
    Probe(Wish),
    /// Wait for all messages owed.
    Settle,
    /// The rank enters a collective, the so many-th of its communicator. What follows up to `Leave` is its part in it.
    Enter {
        call: CollectiveCall,
        number: u32,
    },
    Leave,
    /// A collective goes on beside the rank from here on.
    Fork {
        operation: OperationId,
        call: CollectiveCall,
        number: u32,
        next: Beside,
    },
}
