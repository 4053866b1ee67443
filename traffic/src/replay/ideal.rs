//! A network without contention: the only thing messages wait for is the link of their own node.

use super::message::Carried;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A network in which every node sends its messages one after the other, a flit a cycle, and a message has come in a
/// fixed time after its last flit has left.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdealNetwork {
    /// First cycle in which the link of each node is free.
    link_free: Vec<u64>,
    events: BinaryHeap<Reverse<(u64, u64, Carried)>>,
}

impl IdealNetwork {
    pub fn new(nodes: u32) -> IdealNetwork {
        IdealNetwork { link_free: vec![0; nodes as usize], events: BinaryHeap::new() }
    }

    /// Takes a message in cycle `now`. Returns the cycle of its first flit; `None` if the clock would run over.
    pub fn inject(&mut self, now: u64, number: u64, source: u32, flits: u64, latency: u64) -> Option<u64> {
        let free = &mut self.link_free[source as usize];
        let start = now.max(*free);
        let left = start.checked_add(flits).filter(|&left| left < u64::MAX / 2)?;
        *free = left;
        self.events.push(Reverse((left, number, Carried::Sent)));
        self.events.push(Reverse((left + latency, number, Carried::Delivered)));
        Some(start)
    }

    /// Cycle from which on the next message has left or come in; `u64::MAX`: none is under way.
    pub fn next_event(&self) -> u64 {
        self.events.peek().map_or(u64::MAX, |Reverse((cycle, ..))| *cycle)
    }

    /// What has happened up to `now`, one at a time: cycle, number of the message, what.
    pub fn happened(&mut self, now: u64) -> Option<(u64, u64, Carried)> {
        let Reverse((cycle, ..)) = self.events.peek()?;
        if *cycle > now {
            return None;
        }
        self.events.pop().map(|Reverse(event)| event)
    }
}
