//! A program driven by a network, whichever that is: what replays of logs and of VEF traces have in common.

use crate::options::Timing;
use anyhow::{Error, Result};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A message as a rank issues it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Issued {
    /// Different from that of every other message of the program.
    pub number: u64,
    pub source: u32,
    pub destination: u32,
    /// Payload, bytes.
    pub bytes: u64,
    /// Stays in its node: the program itself delivers it.
    pub local: bool,
    /// It was [`Told`] of before.
    pub foretold: bool,
}

/// A message that a rank will issue, and tells its node of already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub source: u32,
    pub destination: u32,
}

/// A program whose ranks wait for each other's messages.
///
/// In every cycle first come the calls of `sent` and `delivered`, in any order, then [`Driven::act`]. The outcome does
/// not depend on the order of calls within a cycle.
pub(crate) trait Driven: Send {
    /// First cycle in which it acts on its own; `u64::MAX`: none.
    fn next_event(&self) -> u64;

    /// Does all that is due up to cycle `now`; appends the messages that ranks issue, in the order of issue.
    fn act(&mut self, now: u64, issued: &mut Vec<Issued>) -> Result<()>;

    /// Behind `act` in the same cycle: appends the messages that ranks tell their nodes of in it, those of a rank in the order of issue.
    fn foretell(&mut self, _told: &mut Vec<Told>) {}

    /// The last flit of this message has left; who waits for that goes on in `cycle`.
    fn sent(&mut self, cycle: u64, number: u64);

    /// This message has come in; who waits for that goes on in `cycle`.
    fn delivered(&mut self, cycle: u64, number: u64);

    /// All ranks have ended.
    fn is_over(&self) -> bool;

    /// Who waits for what, a line each.
    fn waits(&self) -> Vec<String>;

    /// Why it is not over although nothing can happen any more.
    fn stalled(&self) -> Error;

    /// Cycles up to `now` in which `rank` has computed.
    fn computed(&self, rank: u32, now: u64) -> u64;

    /// Messages that are neither received nor given up: what its memory grows with.
    fn outstanding(&self) -> usize;
}

/// Messages between ranks of one node, which never enter the network.
pub(crate) struct Local {
    /// The node of each rank.
    nodes: Vec<u32>,
    timing: Option<Timing>,
    /// Delivery cycle and number of those under way.
    under_way: BinaryHeap<Reverse<(u64, u64)>>,
}

impl Local {
    pub fn new(nodes: Vec<u32>, timing: Timing) -> Local {
        Local { nodes, timing: Some(timing), under_way: BinaryHeap::new() }
    }

    /// Every rank has a node of its own and gets what it sends to itself at once.
    pub fn alone(ranks: u32) -> Local {
        Local { nodes: (0..ranks).collect(), timing: None, under_way: BinaryHeap::new() }
    }

    /// Whether two ranks are on one node.
    pub fn covers(&self, source: u32, destination: u32) -> bool {
        self.nodes[source as usize] == self.nodes[destination as usize]
    }

    /// A message between two ranks of one node; true if it is there at once.
    #[must_use]
    pub fn carry(&mut self, now: u64, number: u64, bytes: u64) -> bool {
        let latency = self.timing.map_or(0, |timing| timing.local_cycles(bytes));
        if latency > 0 {
            self.under_way.push(Reverse((now + latency, number)));
        }
        latency == 0
    }

    /// Cycle of the next delivery; `u64::MAX` if there is none.
    pub fn next_event(&self) -> u64 {
        self.under_way.peek().map_or(u64::MAX, |Reverse((cycle, _))| *cycle)
    }

    /// Takes a message whose delivery is due.
    pub fn due(&mut self, now: u64) -> Option<(u64, u64)> {
        if self.next_event() > now {
            return None;
        }
        self.under_way.pop().map(|Reverse(delivery)| delivery)
    }
}
