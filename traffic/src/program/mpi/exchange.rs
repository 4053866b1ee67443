//! Messages under way, and who waits for which: matching in the order of sending.

use crate::hash::FastMap;
use std::hash::Hash;

/// Messages that have been issued but not yet sent, delivered and received, and the receives that wait for one.
///
/// `K` is what a receive names: the messages of one key are received in the order in which they were issued, also if
/// they are delivered in another. `W` is who waits. Holds only what is outstanding.
pub(crate) struct Exchange<K, W> {
    flights: FastMap<u64, Flight<W>>,
    mailboxes: FastMap<K, Mailbox<W>>,
}

/// A message that is not over.
struct Flight<W> {
    /// What its issuer calls it.
    label: u32,
    /// The next message of the same key.
    next: Option<u64>,
    sent: bool,
    delivered: bool,
    /// Whether a receive has been matched with it.
    matched: bool,
    sender: Option<W>,
    receiver: Option<W>,
}

/// What is outstanding of a key.
enum Mailbox<W> {
    /// Messages without a receive: the first and the last.
    Messages { first: u64, last: u64 },
    /// A receive without a message.
    Receiver(W),
}

/// What a receive finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Its message has been delivered.
    Here,
    /// Its message has been issued and is on its way; the label is its issuer's.
    UnderWay { number: u64, label: u32 },
    /// Its message has not been issued.
    Nothing,
}

impl<K: Copy + Eq + Hash, W: Copy> Exchange<K, W> {
    pub fn new() -> Self {
        Exchange { flights: FastMap::default(), mailboxes: FastMap::default() }
    }

    /// Messages that are not over.
    pub fn under_way(&self) -> usize {
        self.flights.len()
    }

    /// A message is issued. Returns who has waited for it, and from now on waits until it is delivered.
    pub fn issue(&mut self, number: u64, key: K, label: u32) -> Option<W> {
        let mut flight =
            Flight { label, next: None, sent: false, delivered: false, matched: false, sender: None, receiver: None };
        match self.mailboxes.get_mut(&key) {
            Some(Mailbox::Messages { last, .. }) => {
                if let Some(before) = self.flights.get_mut(last) {
                    before.next = Some(number);
                }
                *last = number;
            }
            Some(Mailbox::Receiver(waiter)) => {
                flight.matched = true;
                flight.receiver = Some(*waiter);
                self.mailboxes.remove(&key);
            }
            None => {
                self.mailboxes.insert(key, Mailbox::Messages { first: number, last: number });
            }
        }
        let waiter = flight.receiver;
        self.flights.insert(number, flight);
        waiter
    }

    /// `waiter` wants the oldest message of `key` that nobody has received; unless it is here, `waiter` waits.
    pub fn receive(&mut self, key: K, waiter: W) -> Found {
        let Some(Mailbox::Messages { first, .. }) = self.mailboxes.get_mut(&key) else {
            self.mailboxes.insert(key, Mailbox::Receiver(waiter));
            return Found::Nothing;
        };
        let number = *first;
        let Some(flight) = self.flights.get_mut(&number) else {
            unreachable!("a message nobody has received is under way");
        };
        match flight.next {
            Some(next) => *first = next,
            // Tags and partners change all the time; empty queues would pile up.
            None => {
                self.mailboxes.remove(&key);
            }
        }
        flight.matched = true;
        if !flight.delivered {
            flight.receiver = Some(waiter);
            return Found::UnderWay { number, label: flight.label };
        }
        if flight.sent {
            self.flights.remove(&number);
        }
        Found::Here
    }

    /// `waiter` waits until a message has left; false if it has already.
    pub fn wait_sent(&mut self, number: u64, waiter: W) -> bool {
        match self.flights.get_mut(&number) {
            Some(flight) if !flight.sent => {
                flight.sender = Some(waiter);
                true
            }
            _ => false,
        }
    }

    /// A message has left. Returns who waits for that.
    pub fn sent(&mut self, number: u64) -> Option<W> {
        let flight = self.flights.get_mut(&number)?;
        flight.sent = true;
        let waiter = flight.sender.take();
        if flight.delivered && flight.matched {
            self.flights.remove(&number);
        }
        waiter
    }

    /// A message has been delivered. Returns who waits for that.
    pub fn delivered(&mut self, number: u64) -> Option<W> {
        let flight = self.flights.get_mut(&number)?;
        flight.delivered = true;
        let waiter = flight.receiver.take();
        if flight.sent && flight.matched {
            self.flights.remove(&number);
        }
        waiter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_key_are_received_in_the_order_of_issue() {
        let mut exchange = Exchange::new();
        assert_eq!(exchange.issue(1, 'a', 10), None);
        assert_eq!(exchange.issue(2, 'a', 20), None);
        assert_eq!(exchange.issue(3, 'b', 30), None);
        // The second one arrives first, and waits for its turn.
        assert_eq!((exchange.delivered(2), exchange.delivered(3)), (None, None));
        assert_eq!(exchange.receive('a', 7), Found::UnderWay { number: 1, label: 10 });
        assert_eq!(exchange.receive('a', 8), Found::Here);
        assert_eq!(exchange.receive('b', 8), Found::Here);
        assert_eq!(exchange.receive('b', 9), Found::Nothing);
        assert_eq!(exchange.delivered(1), Some(7));
        assert_eq!(exchange.under_way(), 3);
        assert!(exchange.wait_sent(1, 5));
        assert_eq!((exchange.sent(1), exchange.sent(2), exchange.sent(3)), (Some(5), None, None));
        assert!(!exchange.wait_sent(1, 5));
        assert_eq!(exchange.under_way(), 0);
        // The receive that came first gets the next message.
        assert_eq!(exchange.issue(4, 'b', 40), Some(9));
        assert_eq!(exchange.sent(4), None);
        assert_eq!(exchange.delivered(4), Some(9));
        assert_eq!(exchange.under_way(), 0);
        assert!(exchange.mailboxes.is_empty());
    }
}
