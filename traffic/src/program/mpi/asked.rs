//! The calls of a rank with what its receives asked for, and what receives of each kind got.

use super::step::{Channel, Kind};
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

/// How many messages of each channel all receives with the same wildcards got when the program ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Share {
    left: FastMap<Channel, u64>,
    /// Nobody knows what they got: they may take whatever comes.
    unknown: bool,
}

impl Share {
    /// Whether such a receive may take a message of this channel.
    pub fn allows(&self, channel: &Channel) -> bool {
        self.unknown || self.left.contains_key(channel)
    }

    /// Such a receive takes one.
    pub fn take(&mut self, channel: &Channel) {
        if let Some(left) = self.left.get_mut(channel) {
            *left -= 1;
            if *left == 0 {
                self.left.remove(channel);
            }
        }
    }

    /// It is given back.
    pub fn give_back(&mut self, channel: Channel) {
        *self.left.entry(channel).or_insert(0) += 1;
    }

    fn note(&mut self, wanted: &Wanted, got: Option<Got>) {
        match got {
            Some(Got { source, tag }) => {
                self.give_back(Channel { source, communicator: wanted.communicator, kind: Kind::Tag(tag) });
            }
            None => self.unknown = true,
        }
    }
}

/// Reads all calls of a rank: what its receives with wildcards got. Holds open requests and the channels only.
pub(crate) fn shares(calls: Box<dyn Calls>) -> Result<FastMap<Wanted, Share>> {
    let mut calls = Asked::new(calls);
    let mut shares: FastMap<Wanted, Share> = FastMap::default();
    let mut requests: FastMap<u64, Wanted> = FastMap::default();
    let open = |wanted: &Wanted| wanted.source.is_none() || wanted.tag.is_none();
    while let Some(entry) = calls.next()? {
        let Entry::Call { call, .. } = entry else { continue };
        match call {
            Call::Receive { wanted: Some(wanted), request: Some(request), .. } if open(&wanted) => {
                requests.insert(request, wanted);
            }
            Call::Receive { wanted: Some(wanted), got, request: None } if open(&wanted) => {
                shares.entry(wanted).or_default().note(&wanted, got);
            }
            Call::SendReceive { wanted: Some(wanted), got, .. } if open(&wanted) => {
                shares.entry(wanted).or_default().note(&wanted, got);
            }
            Call::Complete(Completion { request, got, cancelled, .. }) => {
                if let Some(wanted) = requests.remove(&request)
                    && !cancelled
                {
                    shares.entry(wanted).or_default().note(&wanted, got);
                }
            }
            _ => {}
        }
    }
    // What was posted and never completed may have got anything.
    for wanted in requests.values() {
        shares.entry(*wanted).or_default();
    }
    Ok(shares)
}
