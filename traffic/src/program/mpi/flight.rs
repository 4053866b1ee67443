//! Messages between ranks, from the call that sends them on.

use super::step::{Channel, MessageKind, OperationId};

/// A message to be sent.
pub(super) struct Sending {
    pub operation: OperationId,
    pub to: u32,
    pub bytes: u64,
    pub communicator: u32,
    pub kind: MessageKind,
    pub synchronous: bool,
}

/// A message that is not over.
pub(crate) struct Flight {
    /// Its number among the messages between two ranks, for notes; collectives' have none of their own.
    pub label: u32,
    pub to: u32,
    pub channel: Channel,
    pub bytes: u64,
    pub request: Rendezvous,
    /// The cycle in which it, or its request to send, has come in.
    pub arrived: Option<u64>,
    /// All of it has come in.
    pub here: bool,
    /// Its last flit has left.
    pub left: bool,
    /// The receive it is for.
    pub receive: Option<OperationId>,
    /// That receive is over.
    pub taken: bool,
    /// What waits until it has left.
    pub sender: Option<u32>,
}

/// Whether a message asks before it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rendezvous {
    /// It does not, or has the permission.
    Free,
    /// Its request to send is under way, or waits for a receive.
    Asking,
    /// The permission is under way.
    Granted,
}

impl Flight {
    /// A message as it is sent.
    pub fn new(label: u32, to: u32, channel: Channel, bytes: u64, asks: bool) -> Flight {
        let request = if asks { Rendezvous::Asking } else { Rendezvous::Free };
        Flight {
            label,
            to,
            channel,
            bytes,
            request,
            arrived: None,
            here: false,
            left: false,
            receive: None,
            taken: false,
            sender: None,
        }
    }

    /// Nobody asks for it any more.
    pub fn is_over(&self) -> bool {
        self.left && self.here && self.taken
    }
}

/// What of a message the network carries. The network's number of it is that of the message times four, plus this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leg {
    Data = 0,
    RequestToSend = 1,
    ClearToSend = 2,
}

impl Leg {
    /// What the network calls it.
    pub fn number(self, flight: u64) -> u64 {
        flight << 2 | self as u64
    }

    /// What the network means.
    pub fn of(number: u64) -> (u64, Leg) {
        let leg = match number & 3 {
            0 => Leg::Data,
            1 => Leg::RequestToSend,
            _ => Leg::ClearToSend,
        };
        (number >> 2, leg)
    }
}
