//! The receives of a rank, one behind a probe for anyone as a receive from anyone, and what each got.

use crate::hash::FastMap;
use crate::program::call::{Call, Calls, Completion, Entry, Got, Wanted};
use anyhow::Result;

/// Remembers probes.
#[derive(Default)]
pub(super) struct Probes {
    /// What the last probe for anyone asked for and found.
    found: Option<(Wanted, Got)>,
}

impl Probes {
    /// Rewrites a receive behind a probe.
    pub fn apply(&mut self, call: &mut Call) {
        match call {
            Call::Probe { wanted, got: Some(got), .. } => {
                // A second probe, by name, for what the first has found changes nothing.
                let again = self.found.is_some_and(|(asked, found)| *wanted == by_name(found, asked.communicator));
                if !again {
                    self.found = is_open(wanted).then_some((*wanted, *got));
                }
            }
            Call::Receive { wanted, got, request: _ } => {
                if let Some((asked, found)) = self.found.take()
                    && *wanted == Some(by_name(found, asked.communicator))
                {
                    (*wanted, *got) = (Some(asked), Some(found));
                }
            }
            _ => {}
        }
    }
}

pub(super) fn is_open(wanted: &Wanted) -> bool {
    wanted.source.is_none() || wanted.tag.is_none()
}

pub(super) fn by_name(Got { source, tag }: Got, communicator: u32) -> Wanted {
    Wanted { source: Some(source), tag: Some(tag), communicator }
}

/// A receive whose message came.
#[derive(Clone, Copy)]
pub(super) struct Received {
    /// Number among the receives of the rank, in the order of posting.
    pub number: u64,
    /// Number among those with wildcards.
    pub open: Option<u64>,
    pub wanted: Wanted,
    /// What it got, if anybody knows.
    pub got: Option<Got>,
}

/// Tells of every receive of a rank whose message came.
pub(super) fn each_receive(mut calls: Box<dyn Calls>, mut tell: impl FnMut(Received) -> Result<()>) -> Result<()> {
    let mut probes = Probes::default();
    let mut requests: FastMap<u64, Received> = FastMap::default();
    let (mut all, mut open) = (0, 0);
    while let Some(entry) = calls.next()? {
        let Entry::Call { mut call, .. } = entry else { continue };
        probes.apply(&mut call);
        let mut received = |wanted: Wanted, got| {
            let received = Received { number: all, open: is_open(&wanted).then_some(open), wanted, got };
            all += 1;
            open += u64::from(is_open(&wanted));
            received
        };
        match call {
            Call::Receive { wanted: Some(wanted), request: Some(request), .. } => {
                requests.insert(request, received(wanted, None));
            }
            Call::Receive { wanted: Some(wanted), got, request: None }
            | Call::SendReceive { wanted: Some(wanted), got, .. } => tell(received(wanted, got))?,
            Call::Complete(Completion { request, got, cancelled, .. }) => {
                if let Some(received) = requests.remove(&request)
                    && !cancelled
                {
                    tell(Received { got, ..received })?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
