//! Which message is for which receive of a rank.
//!
//! A message and a receive that name the same channel belong together in the order of sending and of posting, wherever the message
//! is by then. A receive with wildcards takes what has come in: the first message of a channel that no such receive waits for.

use super::asked::Takers;
use super::step::{Channel, MessageKind, OperationId, Wish};
use crate::hash::FastMap;
use crate::program::call::Wanted;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Messages for a rank that no receive is known for, and receives without a message.
#[derive(Default)]
pub(crate) struct Inbox {
    channels: FastMap<Channel, Queue>,
    messages: FastMap<u64, Message>,
    receives: FastMap<OperationId, Receive>,
    /// Receives with wildcards that have no message, in the order of posting.
    open: VecDeque<(OperationId, Wanted)>,
    /// What receives with wildcards may take; known from the first one on.
    takers: Option<Arc<Takers>>,
    /// The oldest messages of their channels, if they have come in: cycle and number. Kept from the first receive with
    /// wildcards on.
    arrived: BTreeSet<(u64, u64)>,
    /// Messages that have found their receive, until the replay asks.
    pub matched: VecDeque<(u64, OperationId)>,
}

/// What is outstanding of a channel: the first and the last of a chain.
#[derive(Clone, Copy)]
enum Queue {
    Messages { first: u64, last: u64 },
    Receives { first: OperationId, last: OperationId },
}

/// A message without a receive.
struct Message {
    channel: Channel,
    next: Option<u64>,
    /// The cycle in which it, or its request to send, has come in.
    here: Option<u64>,
}

/// A receive without a message.
struct Receive {
    channel: Channel,
    next: Option<OperationId>,
}

impl Inbox {
    /// Whether a receive with wildcards was seen.
    pub fn knows_takers(&self) -> bool {
        self.takers.is_some()
    }

    /// From now on there are receives with wildcards.
    pub fn set_takers(&mut self, takers: Arc<Takers>) {
        self.takers = Some(takers);
        for queue in self.channels.values() {
            if let Queue::Messages { first, .. } = queue
                && let Some(cycle) = self.messages[first].here
            {
                self.arrived.insert((cycle, *first));
            }
        }
    }

    /// A message of this channel is sent to the rank.
    pub fn send(&mut self, number: u64, channel: Channel) {
        match self.channels.get_mut(&channel) {
            Some(&mut Queue::Receives { first, .. }) => {
                self.take_receive(first);
                self.matched.push_back((number, first));
                return;
            }
            Some(Queue::Messages { last, .. }) => {
                if let Some(before) = self.messages.get_mut(last) {
                    before.next = Some(number);
                }
                *last = number;
            }
            None => {
                self.channels.insert(channel, Queue::Messages { first: number, last: number });
            }
        }
        self.messages.insert(number, Message { channel, next: None, here: None });
    }

    /// A message, or its request to send, has come in. True if it has no receive yet.
    pub fn arrive(&mut self, number: u64, cycle: u64) -> bool {
        let Some(message) = self.messages.get_mut(&number) else { return false };
        message.here = Some(cycle);
        let channel = message.channel;
        if self.takers.is_some() && self.first(&channel) == Some(number) {
            self.offer(number, cycle);
        }
        self.messages.contains_key(&number)
    }

    /// The rank posts a receive.
    pub fn post(&mut self, operation: OperationId, wish: Wish) {
        match wish {
            Wish::Of(channel) => match self.channels.get_mut(&channel) {
                Some(&mut Queue::Messages { first, .. }) => {
                    self.take_message(first);
                    self.matched.push_back((first, operation));
                }
                Some(Queue::Receives { last, .. }) => {
                    if let Some(before) = self.receives.get_mut(last) {
                        before.next = Some(operation);
                    }
                    *last = operation;
                    self.receives.insert(operation, Receive { channel, next: None });
                }
                None => {
                    self.channels.insert(channel, Queue::Receives { first: operation, last: operation });
                    self.receives.insert(operation, Receive { channel, next: None });
                }
            },
            Wish::Any(wanted) => match self.acceptable(&wanted) {
                Some(number) => self.give(number, operation),
                None => self.open.push_back((operation, wanted)),
            },
        }
    }

    /// Whether a message that a probe accepts is there.
    pub fn holds(&self, wish: &Wish) -> bool {
        match wish {
            Wish::Of(channel) => self.first(channel).is_some_and(|number| self.messages[&number].here.is_some()),
            // It only looks: what it sees may be another receive's.
            Wish::Any(wanted) => self.arrived.iter().any(|(_, number)| fits(wanted, &self.messages[number].channel)),
        }
    }

    /// No message comes for this receive. If it had found one, that is for [`Inbox::put_back`].
    pub fn cancel(&mut self, operation: OperationId) {
        self.open.retain(|(other, _)| *other != operation);
        let Some(Receive { channel, next }) = self.receives.remove(&operation) else { return };
        let Some(&Queue::Receives { first, last }) = self.channels.get(&channel) else { return };
        if first == operation {
            match next {
                Some(first) => self.channels.insert(channel, Queue::Receives { first, last }),
                None => self.channels.remove(&channel),
            };
            return;
        }
        let mut before = first;
        while let Some(receive) = self.receives.get_mut(&before) {
            match receive.next {
                Some(following) if following == operation => {
                    receive.next = next;
                    break;
                }
                Some(following) => before = following,
                None => break,
            }
        }
        if last == operation {
            self.channels.insert(channel, Queue::Receives { first, last: before });
        }
    }

    /// The receive that had found this message was cancelled: the message is the first of its channel again.
    pub fn put_back(&mut self, number: u64, channel: Channel, here: Option<u64>) {
        match self.channels.get(&channel).copied() {
            Some(Queue::Receives { first, .. }) => {
                self.take_receive(first);
                self.matched.push_back((number, first));
                return;
            }
            Some(Queue::Messages { first, last }) => {
                if let Some(cycle) = self.messages[&first].here {
                    self.arrived.remove(&(cycle, first));
                }
                self.channels.insert(channel, Queue::Messages { first: number, last });
                self.messages.insert(number, Message { channel, next: Some(first), here });
            }
            None => {
                self.channels.insert(channel, Queue::Messages { first: number, last: number });
                self.messages.insert(number, Message { channel, next: None, here });
            }
        }
        if let (Some(cycle), true) = (here, self.takers.is_some()) {
            self.offer(number, cycle);
        }
    }

    /// Messages without a receive that have come in, or whose request has, in the order of sending.
    pub fn arrived_messages(&self) -> Vec<u64> {
        let arrived = self.messages.iter().filter(|(_, message)| message.here.is_some());
        let mut numbers: Vec<u64> = arrived.map(|(number, _)| *number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The oldest message of a channel that has no receive.
    fn first(&self, channel: &Channel) -> Option<u64> {
        match self.channels.get(channel) {
            Some(Queue::Messages { first, .. }) => Some(*first),
            _ => None,
        }
    }

    /// The first message of its channel has come in: the oldest open receive that may take it does.
    fn offer(&mut self, number: u64, cycle: u64) {
        self.arrived.insert((cycle, number));
        let channel = self.messages[&number].channel;
        let taker = self.open.iter().position(|(_, wanted)| self.may_take(wanted, &channel));
        if let Some((operation, _)) = taker.and_then(|place| self.open.remove(place)) {
            self.give(number, operation);
        }
    }

    /// The message that has come in first of those that a receive accepts.
    fn acceptable(&self, wanted: &Wanted) -> Option<u64> {
        let mut arrived = self.arrived.iter().map(|(_, number)| *number);
        arrived.find(|number| self.may_take(wanted, &self.messages[number].channel))
    }

    fn may_take(&self, wanted: &Wanted, channel: &Channel) -> bool {
        fits(wanted, channel) && self.takers.as_ref().is_none_or(|takers| takers.allow(wanted, channel))
    }

    fn give(&mut self, number: u64, operation: OperationId) {
        self.take_message(number);
        self.matched.push_back((number, operation));
    }

    /// Takes the first message of its channel out of its queue.
    fn take_message(&mut self, number: u64) {
        let Some(Message { channel, next, here }) = self.messages.remove(&number) else { return };
        if let Some(cycle) = here {
            self.arrived.remove(&(cycle, number));
        }
        let Some(Queue::Messages { first, .. }) = self.channels.get_mut(&channel) else { return };
        let Some(next) = next else {
            // Tags and partners change all the time; empty queues would pile up.
            self.channels.remove(&channel);
            return;
        };
        *first = next;
        if self.takers.is_some()
            && let Some(cycle) = self.messages[&next].here
        {
            self.offer(next, cycle);
        }
    }

    /// Takes the first receive of its channel out of its queue.
    fn take_receive(&mut self, operation: OperationId) {
        let Some(Receive { channel, next }) = self.receives.remove(&operation) else { return };
        match (self.channels.get_mut(&channel), next) {
            (Some(Queue::Receives { first, .. }), Some(next)) => *first = next,
            _ => {
                self.channels.remove(&channel);
            }
        }
    }
}

/// Whether a message of this channel is what is asked for.
fn fits(wanted: &Wanted, channel: &Channel) -> bool {
    let Wanted { source, tag, communicator } = *wanted;
    let MessageKind::Tag(of_message) = channel.kind else { return false };
    communicator == channel.communicator
        && source.is_none_or(|source| source == channel.source)
        && tag.is_none_or(|tag| tag == of_message)
}
