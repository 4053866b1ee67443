//! The calls of a rank with what its receives may take.

use super::receives::{Probes, Received, by_name, each_receive, is_open};
use super::recorded::Recorded;
use super::step::{Channel, MessageKind, Wish};
use crate::hash::FastMap;
use crate::program::call::{Call, CallSource, Calls, Entry, Got, Wanted};
use anyhow::Result;
use std::sync::Arc;

/// Calls whose receives ask for what they may take in a replay.
///
/// A receive behind a probe for anyone asks for anyone: had another message come first, the program would have received that. A
/// receive with wildcards asks by name if it got a message of a channel that other kinds of receives got messages of as well:
/// by arrival it might take theirs.
pub(crate) struct Asked {
    rank: u32,
    source: Arc<dyn CallSource>,
    calls: Box<dyn Calls>,
    probes: Probes,
    /// Receives with wildcards so far.
    receives: u64,
    /// What receives got when the program ran; known from the first one with wildcards on.
    takers: Option<Arc<Takers>>,
    /// What every receive got, if each is to ask for that.
    recorded: Option<Recorded>,
}

/// Who takes messages of which channel.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Takers {
    /// The only kind of receive that got messages of a channel; none if there were several.
    of: FastMap<Channel, Option<Wish>>,
    /// Receives with wildcards, counted from 0, that have to ask by name, and for what.
    named: FastMap<u64, Wanted>,
}

impl Takers {
    /// Whether a receive with these wildcards may take a message of this channel.
    pub fn allow(&self, wanted: &Wanted, channel: &Channel) -> bool {
        self.of.get(channel).is_none_or(|taker| *taker == Some(Wish::Any(*wanted)))
    }

    /// Reads all calls of a rank, twice. Holds open requests, channels and the receives that have to ask by name.
    fn of(source: &dyn CallSource, rank: u32) -> Result<Takers> {
        let mut takers = Takers::default();
        if !source.is_recorded() {
            return Ok(takers);
        }
        each_receive(source.calls(rank)?, |Received { wanted, got, .. }| {
            if let Some(channel) = channel(wanted, got) {
                let wish = Wish::of(wanted);
                let taker = takers.of.entry(channel).or_insert(Some(wish));
                if *taker != Some(wish) {
                    *taker = None;
                }
            }
            Ok(())
        })?;
        let Takers { of, mut named } = takers;
        each_receive(source.calls(rank)?, |Received { open, wanted, got, .. }| {
            if let (Some(channel), Some(number), Some(got)) = (channel(wanted, got), open, got)
                && of.get(&channel) == Some(&None)
            {
                named.insert(number, by_name(got, wanted.communicator));
            }
            Ok(())
        })?;
        Ok(Takers { of, named })
    }
}

/// The channel of the message that a receive got, if that is known.
fn channel(wanted: Wanted, got: Option<Got>) -> Option<Channel> {
    match (Wish::of(wanted), got) {
        (Wish::Of(channel), _) => Some(channel),
        (Wish::Any(_), Some(Got { source, tag })) => {
            Some(Channel { source, communicator: wanted.communicator, kind: MessageKind::Tag(tag) })
        }
        (Wish::Any(_), None) => None,
    }
}

impl Asked {
    pub fn new(source: Arc<dyn CallSource>, rank: u32) -> Result<Asked> {
        let calls = source.calls(rank)?;
        Ok(Asked { rank, source, calls, probes: Probes::default(), receives: 0, takers: None, recorded: None })
    }

    /// Calls whose receives ask for what they got in the recording. Those that got nothing, because they were cancelled or nobody
    /// waited for them, are receives of nothing; where nobody knows what they got they ask for what they asked for.
    pub fn as_recorded(source: Arc<dyn CallSource>, rank: u32) -> Result<Asked> {
        let recorded = Recorded::of(source.as_ref(), rank)?;
        Ok(Asked { recorded: Some(recorded), ..Asked::new(source, rank)? })
    }

    pub fn next(&mut self) -> Result<Option<Entry>> {
        let mut entry = self.calls.next()?;
        if let Some(Entry::Call { call, .. }) = &mut entry {
            self.probes.apply(call);
            if let Some(recorded) = &mut self.recorded {
                if let Call::Receive { wanted, .. } | Call::SendReceive { wanted, .. } = call
                    && let Some(asked) = *wanted
                {
                    *wanted = recorded.next(asked)?;
                }
            } else if let Call::Receive { wanted: Some(wanted), .. } | Call::SendReceive { wanted: Some(wanted), .. } =
                call
                && is_open(wanted)
            {
                let number = self.receives;
                if let Some(named) = self.takers()?.named.get(&number) {
                    *wanted = *named;
                }
                self.receives += 1;
            }
        }
        Ok(entry)
    }

    /// Who takes messages of which channel.
    pub fn takers(&mut self) -> Result<&Arc<Takers>> {
        if self.takers.is_none() {
            self.takers = Some(Arc::new(Takers::of(self.source.as_ref(), self.rank)?));
        }
        Ok(self.takers.get_or_insert_default())
    }

    pub fn place(&self) -> String {
        self.calls.place()
    }

    pub fn line(&self) -> u64 {
        self.calls.line()
    }
}
