//! What the ranks of a skeleton call, in lists.

use powar_traffic::program::call::{Call, CallSource, Entry};
use powar_traffic::skeleton;

/// A message, as both recordings and skeletons have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sent {
    pub to: u32,
    pub bytes: u64,
    pub tag: i32,
}

pub fn parse(text: &str) -> Box<dyn CallSource> {
    skeleton::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// All entries of a rank.
pub fn entries(source: &dyn CallSource, rank: u32) -> Vec<Entry> {
    let mut calls = source.calls(rank).unwrap();
    let mut entries = Vec::new();
    while let Some(entry) = calls.next().unwrap() {
        entries.push(entry);
    }
    assert_eq!(calls.line(), entries.len() as u64);
    entries
}

/// All calls of a rank.
pub fn calls(source: &dyn CallSource, rank: u32) -> Vec<Call> {
    let entries = entries(source, rank).into_iter();
    entries
        .filter_map(|entry| match entry {
            Entry::Call { call, .. } => Some(call),
            Entry::Communicator { .. } => None,
        })
        .collect()
}

/// What a rank sends, in order.
pub fn sends(source: &dyn CallSource, rank: u32) -> Vec<Sent> {
    let calls = calls(source, rank).into_iter();
    calls
        .filter_map(|call| match call {
            Call::Send { message: Some(message), .. } | Call::SendReceive { message: Some(message), .. } => {
                Some(message)
            }
            _ => None,
        })
        .map(|message| Sent { to: message.to, bytes: message.bytes, tag: message.tag })
        .collect()
}
