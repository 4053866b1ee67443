//! Says what the ranks of a program wait for that can't go on.

use super::program::MpiProgram;
use super::rank::Operation;
use super::step::{Channel, MessageKind, OperationId, Step, Wish};
use crate::program::call::Wanted;

/// What a rank waits for.
pub(super) struct Wait {
    /// With the place in the recording in front.
    pub text: String,
    /// The same for a message that nobody has sent, if nothing can happen any more.
    pub for_ever: Option<String>,
}

/// What an operation needs.
enum Need {
    Something(String),
    /// A message that nobody has sent.
    Missing(String),
}

impl MpiProgram {
    /// What `rank` waits for or does; `None` if it has ended.
    pub(super) fn waits_for(&self, rank: u32) -> Option<Wait> {
        let activity = &self.activities[rank as usize];
        if activity.over {
            return None;
        }
        let place = self.ranks[rank as usize].lowering.place();
        if !activity.waits {
            return Some(Wait {
                text: format!("{place}: rank {rank} computes until cycle {}", activity.clock),
                for_ever: None,
            });
        }
        let owed = || self.ranks[rank as usize].owed.values().filter_map(|queue| queue.first().copied()).min();
        let need = match &activity.step {
            Some(Step::Wait(operation)) => self.need(rank, *operation),
            Some(Step::Settle) => match owed() {
                Some(operation) => self.need(rank, operation),
                None => Need::Something("for what it has polled for".into()),
            },
            Some(Step::Probe(wish)) => Need::Missing(named(wish)),
            _ => Need::Something("for nothing that is known".into()),
        };
        Some(match need {
            Need::Something(what) => Wait { text: format!("{place}: rank {rank} waits {what}"), for_ever: None },
            Need::Missing(message) => Wait {
                text: format!("{place}: rank {rank} waits for {message}, which has not been sent"),
                for_ever: Some(format!("{place}: rank {rank} waits for ever, expected {message}")),
            },
        })
    }

    /// What an operation needs.
    fn need(&self, rank: u32, operation: OperationId) -> Need {
        Need::Something(match self.ranks[rank as usize].operations.get(&operation) {
            Some(Operation::Send { flight, .. }) => match self.flights.get(flight) {
                Some(flight) if flight.receive.is_none() && flight.arrived.is_some() => {
                    format!("until rank {} receives its message, {}", flight.to, of(&flight.channel))
                }
                Some(flight) => format!("until its message to rank {} has left", flight.to),
                None => "until a message has left".into(),
            },
            Some(Operation::Receive { flight: Some(_), wish, .. }) => {
                format!("for {}, which is under way", named(wish))
            }
            Some(Operation::Receive { wish, .. }) => return Need::Missing(named(wish)),
            Some(Operation::Collective { number, .. }) => format!("for the end of collective {number} of the program"),
            None => "for nothing that is known".into(),
        })
    }
}

/// The message that a receive expects.
fn named(wish: &Wish) -> String {
    match wish {
        Wish::Of(channel) => {
            let Channel { source, communicator, .. } = channel;
            format!("{} from rank {source} in communicator {communicator:08x}", of(channel))
        }
        Wish::Any(Wanted { source, tag, communicator }) => {
            let tag = tag.map_or("any tag".into(), |tag| format!("tag {tag}"));
            let source = source.map_or("any rank".into(), |source| format!("rank {source}"));
            format!("a message with {tag} from {source} in communicator {communicator:08x}")
        }
    }
}

fn of(channel: &Channel) -> String {
    match channel.kind {
        MessageKind::Tag(tag) => format!("a message with tag {tag}"),
        MessageKind::Collective(_) => "its part of a collective".to_owned(),
    }
}
