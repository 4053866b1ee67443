//! Flits and credits on the links.

use crate::switch::{Credit, LinkFlit, Payload};
use std::collections::VecDeque;

/// What a flit carries in a network: the header, and its packet's place in the network's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetFlit {
    /// Destination 15:0, packed, and length 25:16 (`docs/microarchitecture.md`, 5.1).
    pub header: u32,
    pub packet: u32,
}

impl NetFlit {
    /// Flits of its packet.
    pub fn length(&self) -> u16 {
        (self.header >> 16 & 0x3ff) as u16
    }
}

impl Payload for NetFlit {
    const EMPTY: Self = NetFlit { header: 0, packet: 0 };

    #[inline]
    fn header(&self) -> u32 {
        self.header
    }
}

/// What is on its way over links of one delay, in the order in which it comes out; with the cycle in which it does.
#[derive(Clone, Debug)]
pub(super) struct Delayed<T>(VecDeque<(u64, T)>);

impl<T> Default for Delayed<T> {
    fn default() -> Self {
        Delayed(VecDeque::new())
    }
}

impl<T> Delayed<T> {
    #[inline]
    pub fn push(&mut self, cycle: u64, what: T) {
        debug_assert!(self.0.back().is_none_or(|(last, _)| *last <= cycle), "links of one delay keep the order");
        self.0.push_back((cycle, what));
    }

    /// What comes out in a cycle or should have come out before.
    #[inline]
    pub fn pop(&mut self, now: u64) -> Option<T> {
        match self.0.front() {
            Some((cycle, _)) if *cycle <= now => self.0.pop_front().map(|(_, what)| what),
            _ => None,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, what)| what)
    }

    /// The cycle in which the next comes out; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self) -> u64 {
        self.0.front().map_or(u64::MAX, |(cycle, _)| *cycle)
    }
}

/// What is on its way to a switch. Links from nodes may be shorter than those from switches.
#[derive(Clone, Debug, Default)]
pub(super) struct ToSwitch {
    pub flits: Delayed<LinkFlit<NetFlit>>,
    pub credits: Delayed<Credit>,
    pub node_flits: Delayed<LinkFlit<NetFlit>>,
    pub node_credits: Delayed<Credit>,
}

impl ToSwitch {
    /// The cycle in which the next thing comes in.
    #[inline]
    pub fn next(&self) -> u64 {
        self.flits.next().min(self.credits.next()).min(self.node_flits.next().min(self.node_credits.next()))
    }
}

impl ToSwitch {
    /// A flit for this VC is on its way.
    pub fn has_flit(&self, port: u8, vc: u8) -> bool {
        self.flits.iter().chain(self.node_flits.iter()).any(|flit| (flit.port, flit.vc) == (port, vc))
    }

    /// A credit for this VC is on its way.
    pub fn has_credit(&self, port: u8, vc: u8) -> bool {
        self.credits.iter().chain(self.node_credits.iter()).any(|&credit| credit == Credit { port, vc })
    }
}

/// A flit on the link from a switch to a node, or a credit on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtNode<T> {
    pub node: u32,
    pub lane: u8,
    pub what: T,
}
