//! Network interfaces: how a node's messages become flits, and flits messages again.
//!
//! A node has an injection queue for every virtual channel, since a packet's VC at the first switch is its destination's address
//! mod V (as in Andújar et al. 2023): messages to the same VC are sent in order, those to different ones take turns, packet by
//! packet. Every link of the node sends a packet of its own at a time, one flit a cycle, once the switch has room for all of it.

use super::links::NetFlit;
use std::collections::VecDeque;

/// Places in [`Interface::queues`].
const MOST_VCS: usize = 8;

/// A packet on its way from an interface to the switch.
#[derive(Clone, Copy, Debug)]
struct Sending {
    flit: NetFlit,
    vc: u8,
    /// Its flits that are still to be sent.
    left: u16,
    /// The last packet of its message.
    last: bool,
    first: bool,
}

/// A link from a node to its switch.
#[derive(Clone, Debug)]
struct Lane {
    credits: [u16; MOST_VCS],
    sending: Option<Sending>,
    /// At the node: the packet that is coming in on each VC, and its flits still to come.
    coming: [(u32, u16); MOST_VCS],
}

/// A node's interface.
#[derive(Clone, Debug)]
pub(super) struct Interface {
    lanes: Box<[Lane]>,
    /// Messages by VC, oldest first, as places in the network's table.
    queues: [VecDeque<u32>; MOST_VCS],
    /// VCs with a message, as a mask.
    waiting: u8,
    /// Where the search for the next VC and lane starts: past those of the packet started last.
    next_vc: u8,
    next_lane: u8,
    /// Lanes that send.
    sending: u64,
    depth: u16,
}

/// What an interface asks the network for when it starts a packet.
pub(super) trait Packets {
    /// Makes the next packet of a message: its flits' header and number, its length, and whether it is the message's last.
    fn next_packet(&mut self, message: u32) -> (NetFlit, u16, bool);
    /// Length of the next packet of a message.
    fn next_length(&self, message: u32) -> u16;
}

/// A flit that an interface puts on its link.
pub(super) struct Sent {
    pub lane: u8,
    pub vc: u8,
    pub head: bool,
    pub flit: NetFlit,
    /// With it, the whole message has left.
    pub ends_message: bool,
}

impl Interface {
    pub fn new(lanes: usize, depth: usize) -> Interface {
        let depth = depth as u16;
        let lane = Lane { credits: [depth; MOST_VCS], sending: None, coming: [(0, 0); MOST_VCS] };
        Interface {
            lanes: vec![lane; lanes].into(),
            queues: Default::default(),
            waiting: 0,
            next_vc: 0,
            next_lane: 0,
            sending: 0,
            depth,
        }
    }

    /// Puts a message into the queue of a VC.
    pub fn enqueue(&mut self, vc: u8, message: u32) {
        self.queues[usize::from(vc)].push_back(message);
        self.waiting |= 1 << vc;
    }

    /// A credit has come back. False: there was nothing it could be for.
    pub fn credit(&mut self, lane: u8, vc: u8) -> bool {
        let credits = &mut self.lanes[usize::from(lane)].credits[usize::from(vc)];
        *credits += 1;
        *credits <= self.depth
    }

    /// Credits of a lane for a VC.
    pub fn credits(&self, lane: usize, vc: usize) -> u16 {
        self.lanes[lane].credits[vc]
    }

    /// Messages that have not left completely and are not being sent.
    pub fn queued(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    /// The flits of this cycle, at most one a lane. False: nothing will change before a message or a credit comes.
    #[inline]
    pub fn send(&mut self, packets: &mut impl Packets, mut put: impl FnMut(Sent)) -> bool {
        let lanes = self.lanes.len();
        let mut next_lane = self.next_lane;
        for i in 0..lanes {
            if self.waiting == 0 && self.sending == 0 {
                break;
            }
            let mut place = usize::from(self.next_lane) + i;
            place -= if place >= lanes { lanes } else { 0 };
            if self.lanes[place].sending.is_none() && self.waiting != 0 && self.start(place, packets) {
                self.sending |= 1 << place;
                next_lane = if place + 1 == lanes { 0 } else { place as u8 + 1 };
            }
            let lane = &mut self.lanes[place];
            let Some(sending) = &mut lane.sending else { continue };
            lane.credits[usize::from(sending.vc)] -= 1;
            sending.left -= 1;
            let done = sending.left == 0;
            put(Sent {
                lane: place as u8,
                vc: sending.vc,
                head: std::mem::take(&mut sending.first),
                flit: sending.flit,
                ends_message: done && sending.last,
            });
            if done {
                lane.sending = None;
                self.sending &= !(1 << place);
            }
        }
        self.next_lane = next_lane;
        self.sending != 0 || self.could_start(packets)
    }

    /// Some lane could start a packet in the next cycle.
    fn could_start(&self, packets: &impl Packets) -> bool {
        let room = |vc: usize| {
            let Some(&message) = self.queues[vc].front() else { return false };
            let length = packets.next_length(message);
            self.lanes.iter().any(|lane| lane.sending.is_none() && lane.credits[vc] >= length)
        };
        self.waiting != 0 && crate::bits::ones(self.waiting.into()).any(room)
    }

    /// Starts the next packet on a lane, if the switch has room for one.
    #[inline]
    fn start(&mut self, place: usize, packets: &mut impl Packets) -> bool {
        let ahead = self.waiting & u8::MAX << self.next_vc;
        let behind = self.waiting & !ahead;
        for vc in crate::bits::ones(ahead.into()).chain(crate::bits::ones(behind.into())) {
            let Some(&message) = self.queues[vc].front() else { continue };
            if self.lanes[place].credits[vc] < packets.next_length(message) {
                continue;
            }
            let (flit, left, last) = packets.next_packet(message);
            if last {
                self.queues[vc].pop_front();
                self.waiting &= !(u8::from(self.queues[vc].is_empty()) << vc);
            }
            self.lanes[place].sending = Some(Sending { flit, vc: vc as u8, left, last, first: true });
            self.next_vc = (vc as u8 + 1) % MOST_VCS as u8;
            return true;
        }
        false
    }

    /// A flit has come in.
    #[inline]
    pub fn receive(&mut self, lane: u8, vc: u8, head: bool, flit: NetFlit) -> Received {
        let coming = &mut self.lanes[usize::from(lane)].coming[usize::from(vc)];
        if head {
            if coming.1 != 0 {
                return Received::OutOfOrder;
            }
            *coming = (flit.packet, flit.length());
        }
        if coming.1 == 0 || coming.0 != flit.packet {
            return Received::OutOfOrder;
        }
        coming.1 -= 1;
        if coming.1 == 0 { Received::Packet } else { Received::Flit }
    }
}

/// What a flit that comes in is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Received {
    Flit,
    /// The last one of its packet.
    Packet,
    /// One that breaks into another packet, or has lost its own.
    OutOfOrder,
}
