//! Which message is for which receive: MPI's rules.
//!
//! A message that has come in goes to the receive that was posted first of those that accept it; a receive that is posted
//! takes the message that has come in first of those that it accepts. Each look-up costs the logarithm of what waits.

use super::index::Id;
use crate::hash::FastMap;
use std::collections::{BTreeMap, VecDeque};

/// What a message says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    pub source: u32,
    pub destination: u32,
    pub tag: u32,
}

/// What a receive accepts: on which rank, from whom, with which tag; `None` is any.
pub(super) type Wanted = (u32, Option<u32>, Option<u32>);

/// Which of the four kinds of receives a trace has: with or without source, with or without tag.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kinds([bool; 4]);

impl Kinds {
    /// There is a receive like this.
    pub fn note(&mut self, from: Option<u32>, tag: Option<u32>) {
        self.0[usize::from(from.is_none()) + 2 * usize::from(tag.is_none())] = true;
    }

    /// What receives that accept a message say they want.
    fn wanted(self, envelope: Envelope) -> impl Iterator<Item = Wanted> {
        let Envelope { source, destination, tag } = envelope;
        let all = [
            (destination, Some(source), Some(tag)),
            (destination, None, Some(tag)),
            (destination, Some(source), None),
            (destination, None, None),
        ];
        all.into_iter().zip(self.0).filter_map(|(wanted, occurs)| occurs.then_some(wanted))
    }
}

/// Messages that have come in without a receive, and receives without a message.
pub(super) struct Matching {
    kinds: Kinds,
    /// Each message, once for each kind of receive, in the order of arrival.
    messages: BTreeMap<(Wanted, u64), (u64, Envelope)>,
    /// In the order of posting.
    receives: FastMap<Wanted, VecDeque<(u64, Id)>>,
    /// Messages and receives so far.
    count: u64,
}

impl Matching {
    /// For the receives of these kinds.
    pub fn new(kinds: Kinds) -> Matching {
        Matching { kinds, messages: BTreeMap::new(), receives: FastMap::default(), count: 0 }
    }

    /// A message has come in. Returns its receive if that is posted.
    pub fn arrive(&mut self, envelope: Envelope, number: u64) -> Option<Id> {
        let queues = &self.receives;
        let first = self
            .kinds
            .wanted(envelope)
            .filter_map(|wanted| Some((queues.get(&wanted)?.front()?.0, wanted)))
            .min_by_key(|(posted, _)| *posted);
        if let Some((_, wanted)) = first
            && let Some(queue) = self.receives.get_mut(&wanted)
        {
            let receive = queue.pop_front().map(|(_, receive)| receive);
            // Tags and partners change all the time; empty queues would pile up.
            if queue.is_empty() {
                self.receives.remove(&wanted);
            }
            return receive;
        }
        for wanted in self.kinds.wanted(envelope) {
            self.messages.insert((wanted, self.count), (number, envelope));
        }
        self.count += 1;
        None
    }

    /// A receive is posted. Returns its message if that has come in.
    pub fn post(&mut self, wanted: Wanted, receive: Id) -> Option<u64> {
        let of_this = (wanted, 0)..=(wanted, u64::MAX);
        let Some((&(_, arrived), &(number, envelope))) = self.messages.range(of_this).next() else {
            self.receives.entry(wanted).or_default().push_back((self.count, receive));
            self.count += 1;
            return None;
        };
        for wanted in self.kinds.wanted(envelope) {
            self.messages.remove(&(wanted, arrived));
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(source: u32, tag: u32) -> Envelope {
        Envelope { source, destination: 9, tag }
    }

    fn all() -> Matching {
        let mut kinds = Kinds::default();
        for from in [None, Some(0)] {
            for tag in [None, Some(0)] {
                kinds.note(from, tag);
            }
        }
        Matching::new(kinds)
    }

    #[test]
    fn a_message_goes_to_the_receive_that_was_posted_first() {
        let mut matching = all();
        assert_eq!(matching.post((9, Some(1), Some(5)), 10), None);
        assert_eq!(matching.post((9, None, Some(5)), 11), None);
        assert_eq!(matching.post((9, Some(1), None), 12), None);
        assert_eq!(matching.post((9, None, None), 13), None);
        assert_eq!(matching.post((9, Some(1), Some(5)), 14), None);
        // What another rank waits for is nothing to this one.
        assert_eq!(matching.post((8, None, None), 15), None);
        let arrivals = [(1, 5), (1, 5), (2, 5), (1, 5), (1, 5), (1, 5)];
        let receives = arrivals.map(|(source, tag)| matching.arrive(envelope(source, tag), 0));
        assert_eq!(receives, [Some(10), Some(11), Some(13), Some(12), Some(14), None]);
        // Each kind of receive has its own view of the message that is left.
        assert_eq!((matching.messages.len(), matching.receives.len()), (4, 1));
    }

    #[test]
    fn a_receive_takes_the_message_that_came_in_first() {
        let mut matching = all();
        for (number, (source, tag)) in [(1, 5), (2, 5), (2, 6), (1, 5), (1, 6)].into_iter().enumerate() {
            assert_eq!(matching.arrive(envelope(source, tag), number as u64), None);
        }
        assert_eq!(matching.post((9, Some(2), None), 0), Some(1));
        assert_eq!(matching.post((9, None, Some(6)), 0), Some(2));
        assert_eq!(matching.post((9, Some(1), Some(6)), 0), Some(4));
        assert_eq!(matching.post((9, None, None), 0), Some(0));
        assert_eq!(matching.post((9, Some(2), None), 0), None);
        assert_eq!(matching.post((9, Some(1), Some(5)), 0), Some(3));
        assert!(matching.messages.is_empty());
    }
}
