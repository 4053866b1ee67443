//! What the nodes of a network want of it: the interface between traffic, synthetic or of a program, and whatever carries it.
//!
//! In every cycle `t`, in this order:
//!
//! 1. flits that links show at the nodes in `t` come in: [`Workload::delivered`] for each message that is now complete;
//! 2. if [`Workload::next_event`] is `t` or earlier: [`Workload::act`], then [`Workload::foretell`];
//! 3. network interfaces put flits on their links in `t`; [`Workload::sent`] for each message whose last flit is among them.
//!
//! So a message given in `t` can have its first flit on the link in `t`, and what follows from `sent` happens in `t + 1` at the
//! earliest.

use anyhow::Result;

/// A message that a node gives to its network interface, which cuts it into packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// What the workload knows it by; no two messages under way have the same.
    pub number: u64,
    /// The node that sends it, counted from 0.
    pub source: u32,
    /// Another node: what a node keeps to itself never enters the network.
    pub destination: u32,
    /// Its length in flits, at least 1; every packet but the last has the most flits that a packet can have.
    pub flits: u64,
    /// It was announced by a [`Foretold`] before: the interface sends no other word about it.
    pub foretold: bool,
}

/// A message that a node will give to its network interface, and tells it of already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foretold {
    /// The node that will send it, counted from 0.
    pub source: u32,
    /// Another node.
    pub destination: u32,
}

/// Who sends what to whom, and when.
pub trait Workload {
    /// The first cycle in which it acts on its own; `u64::MAX`: not before something was sent or delivered. A cycle that is over
    /// means: as soon as possible.
    fn next_event(&self) -> u64;

    /// Does all that is due in cycle `now` or was due before. Messages are appended to `messages`; a node's messages are sent
    /// in this order.
    ///
    /// # Errors
    /// What it reads can't be read, or makes no sense.
    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> Result<()>;

    /// Behind [`Workload::act`] in the same cycle: appends the messages that nodes tell their interfaces of in this cycle, though they will give
    /// them later; those of a node in the order of giving. Each comes out of `act` later as a message that is `foretold`. Nothing unless implemented.
    fn foretell(&mut self, _foretold: &mut Vec<Foretold>) {}

    /// The last flit of this message leaves its source in cycle `now`.
    fn sent(&mut self, now: u64, message: &Message);

    /// The last flit of this message comes in at its destination in cycle `now`.
    fn delivered(&mut self, now: u64, message: &Message);

    /// It has acted for the last time.
    fn is_over(&self) -> bool;

    /// Of a workload that is not over: who waits, and for what; a line each.
    fn waits(&self) -> Vec<String>;

    /// Cycles up to `now` in which each node computed (U_cpu of POWAR, Table 1, is these over all cycles), node by node; empty
    /// if the workload has no notion of it.
    fn computing(&self, now: u64) -> Vec<f64>;
}
