//! The messages under way, and the order in which they become visible to their receivers.

use super::index::Id;
use super::matching::Envelope;
use crate::hash::FastMap;
use std::collections::VecDeque;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A whole message that the receiver was not asked for.
    Eager,
    /// The question whether a message may come.
    Request,
    /// The answer to it, for this receive.
    Clearance(Id),
    /// The message asked about, for this receive.
    Data(Id),
}

/// A message under way, or one that waits for its receive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub content: Content,
    /// The send that it belongs to.
    pub send: Id,
    /// That of the send.
    pub envelope: Envelope,
    /// Payload of the send, bytes.
    pub bytes: u64,
    /// Of an eager message or a request: number among those of its pair of ranks.
    place: u64,
    /// Of data: one of the two halves, leaving and coming in, has happened.
    half: bool,
}

/// What a message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    Sent,
    Delivered,
}

/// All that is under way.
#[derive(Default)]
pub(super) struct Flights {
    flights: FastMap<u64, Flight>,
    /// Messages so far.
    count: u64,
    pairs: FastMap<(u32, u32), Pair>,
}

/// Messages from one rank to another, in the order of sending, from the first one on that has not come in.
#[derive(Default)]
struct Pair {
    /// Number of the first one.
    first: u64,
    /// Number and whether it has come in.
    messages: VecDeque<(u64, bool)>,
}

impl Flights {
    /// Messages that are under way or wait for a receive.
    pub fn len(&self) -> usize {
        self.flights.len()
    }

    /// A message sets off. Returns its number.
    pub fn issue(&mut self, content: Content, send: Id, envelope: Envelope, bytes: u64) -> u64 {
        let number = self.count;
        self.count += 1;
        let mut flight = Flight { content, send, envelope, bytes, place: 0, half: false };
        if matches!(content, Content::Eager | Content::Request) {
            let pair = self.pairs.entry((envelope.source, envelope.destination)).or_default();
            flight.place = pair.first + pair.messages.len() as u64;
            pair.messages.push_back((number, false));
        }
        self.flights.insert(number, flight);
        number
    }

    /// A message that is under way or waits for its receive.
    pub fn get(&self, number: u64) -> Option<Flight> {
        self.flights.get(&number).copied()
    }

    /// A message is over.
    pub fn remove(&mut self, number: u64) -> Option<Flight> {
        self.flights.remove(&number)
    }

    /// One of the two halves of data, leaving and coming in, has happened; with the second one it is over.
    pub fn half(&mut self, number: u64) {
        if let Some(flight) = self.flights.get_mut(&number) {
            if flight.half {
                self.flights.remove(&number);
            } else {
                flight.half = true;
            }
        }
    }

    /// An eager message or a request has come in. Appends those that become visible: the ones that have come in and that
    /// no earlier one of their pair is still missing before.
    pub fn come_in(&mut self, number: u64, visible: &mut Vec<u64>) {
        let Some(flight) = self.flights.get(&number) else { return };
        let key = (flight.envelope.source, flight.envelope.destination);
        let Some(pair) = self.pairs.get_mut(&key) else { return };
        if let Some(message) = pair.messages.get_mut((flight.place - pair.first) as usize) {
            message.1 = true;
        }
        while let Some(&(number, true)) = pair.messages.front() {
            visible.push(number);
            pair.messages.pop_front();
            pair.first += 1;
        }
        if pair.messages.is_empty() {
            self.pairs.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_pair_become_visible_in_the_order_of_sending() {
        let mut flights = Flights::default();
        let mut issue = |source, content| flights.issue(content, 0, Envelope { source, destination: 9, tag: 0 }, 1);
        let numbers = [Content::Eager, Content::Request, Content::Data(3), Content::Eager].map(|c| issue(1, c));
        let other = issue(2, Content::Eager);
        let mut come_in = |number| {
            let mut visible = Vec::new();
            flights.come_in(number, &mut visible);
            visible
        };
        assert!(come_in(numbers[3]).is_empty());
        assert_eq!(come_in(other), [other]);
        assert!(come_in(numbers[1]).is_empty());
        assert_eq!(come_in(numbers[0]), [numbers[0], numbers[1], numbers[3]]);
        assert!(flights.pairs.is_empty());
        for half in [1, 0] {
            flights.half(numbers[2]);
            assert_eq!(usize::from(flights.get(numbers[2]).is_some()), half);
        }
        assert_eq!(flights.len(), 4);
    }
}
