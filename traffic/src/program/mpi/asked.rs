//! The calls of a rank with what its receives asked for, and what receives of each kind got.

use super::step::{Channel, Kind, Wish};
use crate::hash::FastMap;
use crate::program::call::{Call, Calls, Completion, Entry, Got, Wanted};
use anyhow::Result;

/// Calls of which a receive behind a probe asks for what the probe has asked for.
///
/// A program that probes for anyone and then receives from the one it has found would have received from
/// another one, had that one's message come first.
pub(crate) struct Asked {
    calls: Box<dyn Calls>,
    /// What the last probe for anyone asked for and found.
    probed: Option<(Wanted, Got)>,
}

impl Asked {
    pub fn new(calls: Box<dyn Calls>) -> Asked {
        Asked { calls, probed: None }
    }

    pub fn next(&mut self) -> Result<Option<Entry>> {
        let mut entry = self.calls.next()?;
        if let Some(Entry::Call { call, .. }) = &mut entry {
            match call {
                Call::Probe { wanted, got: Some(got), .. } => {
                    let open = wanted.source.is_none() || wanted.tag.is_none();
                    self.probed = open.then_some((*wanted, *got));
                }
                Call::Receive { wanted, got, request: _ } => {
                    if let Some((asked, found)) = self.probed.take()
                        && *wanted == Some(of(found, asked.communicator))
                    {
                        (*wanted, *got) = (Some(asked), Some(found));
                    }
                }
                _ => {}
            }
        }
        Ok(entry)
    }

    pub fn place(&self) -> String {
        self.calls.place()
    }

    pub fn line(&self) -> u64 {
        self.calls.line()
    }
}

/// A receive that names both.
fn of(got: Got, communicator: u32) -> Wanted {
    Wanted { source: Some(got.source), tag: Some(got.tag), communicator }
}

/// What receives with the same wildcards may take.
///
/// A channel whose messages only they got when the program ran is free to them. Of one that other receives got messages of as well,
/// by name or with other wildcards, they take no more than they did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Share {
    /// Messages left to them of the channels that they share with others.
    left: FastMap<Channel, u64>,
}

/// The shares of all receives with wildcards of a rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shares {
    of: FastMap<Wanted, Share>,
    /// Who gets messages of a channel: one kind of receive, or several.
    channels: FastMap<Channel, Option<Wish>>,
}

impl Shares {
    /// Whether such a receive may take a message of this channel.
    pub fn allow(&self, wanted: &Wanted, channel: &Channel) -> bool {
        match self.channels.get(channel) {
            None => true,
            Some(Some(wish)) => *wish == Wish::Any(*wanted),
            Some(None) => self.of.get(wanted).is_some_and(|share| share.left.contains_key(channel)),
        }
    }

    /// Such a receive takes one.
    pub fn take(&mut self, wanted: &Wanted, channel: &Channel) {
        let Some(share) = self.of.get_mut(wanted) else { return };
        if let Some(left) = share.left.get_mut(channel) {
            *left -= 1;
            if *left == 0 {
                share.left.remove(channel);
            }
        }
    }

    /// It is given back.
    pub fn give_back(&mut self, wanted: Wanted, channel: Channel) {
        *self.of.entry(wanted).or_default().left.entry(channel).or_insert(0) += 1;
    }

    /// A receive got a message when the program ran.
    fn note(&mut self, wanted: Wanted, got: Option<Got>) {
        let wish = Wish::of(wanted);
        let channel = match (wish, got) {
            (Wish::Of(channel), _) => channel,
            (Wish::Any(_), Some(Got { source, tag })) => {
                Channel { source, communicator: wanted.communicator, kind: Kind::Tag(tag) }
            }
            // Nobody knows what it got.
            (Wish::Any(_), None) => return,
        };
        if let Wish::Any(wanted) = wish {
            self.give_back(wanted, channel);
        }
        let owner = self.channels.entry(channel).or_insert(Some(wish));
        if *owner != Some(wish) {
            *owner = None;
        }
    }
}

/// Reads all calls of a rank: what its receives with wildcards got, and what others got of the same channels. Holds open requests and
/// channels only.
pub(crate) fn shares(calls: Box<dyn Calls>) -> Result<Shares> {
    let mut calls = Asked::new(calls);
    let mut shares = Shares::default();
    let mut requests: FastMap<u64, Wanted> = FastMap::default();
    while let Some(entry) = calls.next()? {
        let Entry::Call { call, .. } = entry else { continue };
        match call {
            Call::Receive { wanted: Some(wanted), request: Some(request), .. } => {
                requests.insert(request, wanted);
            }
            Call::Receive { wanted: Some(wanted), got, request: None }
            | Call::SendReceive { wanted: Some(wanted), got, .. } => shares.note(wanted, got),
            Call::Complete(Completion { request, got, cancelled, .. }) => {
                if let Some(wanted) = requests.remove(&request)
                    && !cancelled
                {
                    shares.note(wanted, got);
                }
            }
            _ => {}
        }
    }
    Ok(shares)
}
