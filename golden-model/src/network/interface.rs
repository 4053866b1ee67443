//! Network interfaces: how a node's messages become flits, and flits messages again.
//!
//! A node has an injection queue for every virtual channel, since a packet's VC at the first switch is that of its destination (as in
//! Andújar et al. 2023): messages to the same VC are sent in order, those to different ones take turns, packet by packet. Every link of
//! the node sends a packet of its own at a time, one flit a cycle, once the switch has room for all of it.

use super::hint_lane::HintLane;
use super::net_packet::NetPacket;
use super::node::{NodeModel, NodeSide, Received};
use crate::bits::{is_set, ones};
use crate::fast::switch::Train;
use anyhow::Result;
use powar_config::{Config, NodeHint};
use std::collections::VecDeque;

/// Places in [`Interface::queues`].
const MOST_VCS: usize = 8;

/// A link from a node to its switch.
#[derive(Clone, Debug)]
struct Lane {
    /// Those for the flits of a packet are taken when it starts: until it is over nobody looks. With those that are coming back: VC and
    /// first cycle behind them.
    credits: [u16; MOST_VCS],
    returned: u8,
    returned_until: u64,
    /// The first cycle in which a packet may start: the flits of the last one take all cycles before it.
    free: u64,
    /// The message that has left completely with the last packet, and that packet's VC.
    ends: Option<u32>,
    vc: u8,
    /// At the node: the packet that is coming in on each VC, and its flits still to come.
    coming: [(u32, u16); MOST_VCS],
}

impl Lane {
    /// Credits for a VC at the beginning of a cycle, before what comes in in it.
    #[inline]
    fn credits_before(&self, cycle: u64, vc: usize) -> u16 {
        let to_come = if usize::from(self.returned) == vc { self.returned_until.saturating_sub(cycle) } else { 0 };
        self.credits[vc] - to_come as u16
    }

    /// Credits for a VC in a cycle: those that come back in it count.
    #[inline]
    fn credits(&self, cycle: u64, vc: usize) -> u16 {
        self.credits_before(cycle + 1, vc)
    }

    /// The first cycle from a given one on in which there are so many; `u64::MAX`: that depends on credits that have not begun to come.
    #[inline]
    fn has_credits_in(&self, cycle: u64, vc: usize, credits: u16) -> u64 {
        let missing = credits.saturating_sub(self.credits(cycle, vc));
        if self.credits[vc] < credits { u64::MAX } else { cycle + u64::from(missing) }
    }
}

/// A node of the golden network: queues of messages without an end, and links on which flits are as soon as there is room for them.
#[derive(Clone, Debug)]
pub struct Interface {
    lanes: Box<[Lane]>,
    /// Messages by VC, oldest first, as places in the network's table.
    queues: [VecDeque<u32>; MOST_VCS],
    /// VCs with a message, as a mask.
    waiting: u8,
    /// Where the search for the next VC and lane starts: past those of the packet started last.
    next_vc: u8,
    next_lane: u8,
    depth: u16,
    /// Words for a mechanism that reads addresses.
    hints: Option<Box<HintLane>>,
}

impl Interface {
    /// A node with so many links, each to a switch of this configuration.
    pub fn new(config: &Config, lanes: usize) -> Interface {
        let depth = config.switch.vc_depth() as u16;
        let has_words = config.mechanism().node_hint == NodeHint::Addresses;
        let lane = Lane {
            credits: [depth; MOST_VCS],
            returned: 0,
            returned_until: 0,
            free: 0,
            ends: None,
            vc: 0,
            coming: [(0, 0); MOST_VCS],
        };
        Interface {
            lanes: vec![lane; lanes].into(),
            queues: Default::default(),
            waiting: 0,
            next_vc: 0,
            next_lane: 0,
            depth,
            hints: has_words.then(Box::default),
        }
    }

    /// The oldest message of each VC.
    fn heads(&self) -> impl Iterator<Item = u32> {
        self.queues.iter().filter_map(|queue| queue.front().copied())
    }

    /// The first cycle in which no flit of a packet that has started is on a link any more.
    fn last_free(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.free).max().unwrap_or(0)
    }

    /// The first cycle from a given one on in which some lane that is free in that could start a packet; `u64::MAX`: there is none.
    fn could_start(&self, cycle: u64, network: &impl NodeSide) -> u64 {
        let room = |vc: usize| {
            let length = network.next_length(*self.queues[vc].front()?);
            let free = self.lanes.iter().filter(|lane| lane.free <= cycle);
            free.map(|lane| lane.has_credits_in(cycle, vc, length)).min()
        };
        ones(self.waiting.into()).filter_map(room).min().unwrap_or(u64::MAX)
    }

    /// Starts the next packet on a lane, if the switch has room for one: its VC and flits.
    #[inline]
    fn start(&mut self, now: u64, place: usize, network: &mut impl NodeSide) -> Option<(u8, NetPacket)> {
        let ahead = self.waiting & u8::MAX << self.next_vc;
        let behind = self.waiting & !ahead;
        for vc in ones(ahead.into()).chain(ones(behind.into())) {
            let Some(&message) = self.queues[vc].front() else { continue };
            let lane = &mut self.lanes[place];
            if lane.credits(now, vc) < network.next_length(message) {
                continue;
            }
            let (flit, length, last) = network.next_packet(message);
            lane.credits[vc] -= length;
            lane.free = now + u64::from(length);
            lane.vc = vc as u8;
            if last {
                lane.ends = Some(message);
                self.queues[vc].pop_front();
                self.waiting &= !(u8::from(self.queues[vc].is_empty()) << vc);
            }
            self.next_vc = (vc as u8 + 1) % MOST_VCS as u8;
            return Some((vc as u8, flit));
        }
        None
    }
}

impl NodeModel for Interface {
    #[inline]
    fn flits(flits: u64, _: u16) -> u64 {
        flits
    }

    fn longest_wait(_: u16) -> u64 {
        0
    }

    fn enqueue(&mut self, now: u64, vc: u8, message: u32, address: u16, foretold: bool) {
        self.queues[usize::from(vc)].push_back(message);
        self.waiting |= 1 << vc;
        // The word about one that was foretold has gone out already, or is on its way.
        if !foretold {
            self.foretell(now, address);
        }
    }

    fn foretell(&mut self, now: u64, address: u16) {
        if let Some(hints) = &mut self.hints {
            hints.give(now, address);
        }
    }

    /// It takes every flit at once, and knows when it is still to come in what it is.
    #[inline]
    fn coming(&mut self, _: u64, lane: u8, train: &Train<NetPacket>) -> Received {
        let coming = &mut self.lanes[usize::from(lane)].coming[usize::from(train.vc)];
        let packet = train.payload.packet;
        if train.head {
            if coming.1 != 0 {
                return Received::OutOfOrder;
            }
            *coming = (packet, train.payload.length());
        }
        if coming.1 < train.flits || coming.0 != packet {
            return Received::OutOfOrder;
        }
        coming.1 -= train.flits;
        if coming.1 == 0 { Received::Packet } else { Received::Flits }
    }

    #[inline]
    fn credits_come(&mut self, now: u64, lane: u8, vc: u8, come: u16) -> Option<bool> {
        let lane = &mut self.lanes[usize::from(lane)];
        (lane.returned, lane.returned_until) = (vc, now + u64::from(come));
        let credits = &mut lane.credits[usize::from(vc)];
        *credits += come;
        (*credits <= self.depth).then_some(is_set(self.waiting.into(), vc.into()) && lane.free <= now)
    }

    /// It is enough to look again when a message comes, when credits come with which a packet may start, and when a packet is over: with
    /// its last flit if that is its message's, else in the next cycle.
    #[inline]
    fn step(&mut self, now: u64, network: &mut impl NodeSide) -> Result<u64> {
        let lanes = self.lanes.len();
        let mut next_lane = self.next_lane;
        for i in 0..lanes {
            let mut place = usize::from(self.next_lane) + i;
            place -= if place >= lanes { lanes } else { 0 };
            if self.lanes[place].free <= now
                && self.waiting != 0
                && let Some((vc, flit)) = self.start(now, place, network)
            {
                next_lane = if place + 1 == lanes { 0 } else { place as u8 + 1 };
                network.packet(place as u8, vc, flit);
            }
            let lane = &mut self.lanes[place];
            if lane.free == now + 1
                && let Some(message) = lane.ends.take()
            {
                network.sent(message);
            }
        }
        self.next_lane = next_lane;
        Ok(self.could_start(now + 1, network))
    }

    /// A lane with words; or 1 while a message of which nothing has been sent waits behind one that is being sent: from its first flit to its last.
    fn hint(&self, now: u64, has_begun: impl Fn(u32) -> bool) -> (bool, u64) {
        if let Some(hints) = &self.hints {
            return hints.show(now);
        }
        let begun = self.heads().filter(|&message| has_begun(message)).count();
        if self.queued() == begun {
            return (false, u64::MAX);
        }
        match self.last_free() {
            _ if begun != 0 => (true, u64::MAX),
            free if free > now => (true, free),
            _ => (false, u64::MAX),
        }
    }

    fn hints_dropped(&self) -> Option<u64> {
        self.hints.as_ref().map(|hints| hints.dropped)
    }

    fn credits(&self, now: u64, lane: usize, vc: usize) -> u16 {
        let lane = &self.lanes[lane];
        let to_send = if usize::from(lane.vc) == vc { lane.free.saturating_sub(now) } else { 0 };
        lane.credits_before(now, vc) + to_send as u16
    }

    fn to_send(&self, now: u64) -> u64 {
        self.lanes.iter().map(|lane| lane.free.saturating_sub(now)).sum()
    }

    fn queued(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    fn is_clocked(&self) -> bool {
        false
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }
}
