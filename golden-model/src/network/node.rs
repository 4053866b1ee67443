//! The nodes of a network, whatever simulates them.

use super::net_packet::NetPacket;
use crate::fast::switch::Train;
use anyhow::Result;

/// A node: it gets messages, puts their packets on its links and takes those that come in. What it does when is in `docs/networks.md`.
///
/// Messages and packets are known by their places in the tables of the network. Every node has a queue for each virtual channel (VC)
/// in which messages wait for their turn.
pub trait NodeModel {
    /// Flits on links that a message of so many takes in packets of `packet_flits`.
    fn flits(flits: u64, packet_flits: u16) -> u64;

    /// Most cycles in which no flit of a node with packets of `packet_flits` moves though one will.
    fn longest_wait(packet_flits: u16) -> u64;

    /// A message for the node of this packed address waits for a VC from cycle `now` on; whether it was foretold.
    fn enqueue(&mut self, now: u64, vc: u8, message: u32, address: u16, foretold: bool);

    /// A message for the node of this packed address will be given later, and is told of in cycle `now`.
    fn foretell(&mut self, now: u64, address: u16);

    /// A train has been put on a link to this node, which shows its first flit in that cycle. Unless the answer is [`Received::Later`] the
    /// credit for each of its flits goes back as soon as that has come in.
    fn coming(&mut self, cycle: u64, lane: u8, train: &Train<NetPacket>) -> Received;

    /// Credits for a VC come back, one in each cycle from `now` on: whether the node is to be stepped for them. `None`: there was nothing they
    /// could be for.
    fn credits_come(&mut self, now: u64, lane: u8, vc: u8, credits: u16) -> Option<bool>;

    /// The cycle `now`, with what has come in in it. The next cycle in which there may be something to do: nothing happens before that, or
    /// before something comes in or is due as `network` was told. `u64::MAX`: there is none.
    ///
    /// # Errors
    /// Something has come in or was put on a link that should not have been.
    fn step(&mut self, now: u64, network: &mut impl NodeSide) -> Result<u64>;

    /// The hint of the node in cycle `now`, after what it has done in it, and the first cycle in which it may be another though nothing
    /// has happened at the node; `u64::MAX`: there is none. `has_begun`: a flit of the message has been sent.
    fn hint(&self, now: u64, has_begun: impl Fn(u32) -> bool) -> (bool, u64);

    /// Words of its own so far that found no room on its lane; `None`: its lane has no words.
    fn hints_dropped(&self) -> Option<u64>;

    /// Credits of a lane for a VC at the beginning of cycle `now`.
    fn credits(&self, now: u64, lane: usize, vc: usize) -> u16;

    /// Flits that the network has been told of with their packets, and which are not on the link before cycle `now`.
    fn to_send(&self, now: u64) -> u64;

    /// Messages that have not left completely and are not being sent.
    fn queued(&self) -> usize;

    /// It has to be stepped in every cycle, from the first on.
    fn is_clocked(&self) -> bool;

    /// What the node has counted by itself is what was seen of it.
    ///
    /// # Errors
    /// It is not: which count.
    fn check(&self) -> Result<()>;
}

/// The network as a node sees it in a cycle.
pub trait NodeSide {
    /// Makes the next packet of a message: its header and number, its length, and whether it is the message's last.
    fn next_packet(&mut self, message: u32) -> (NetPacket, u16, bool);

    /// Length of the next packet of a message.
    fn next_length(&self, message: u32) -> u16;

    /// Packed address of the node whose packet this is; `None` if there is none of that number.
    fn source(&self, packet: u32) -> Option<u16>;

    /// A packet starts on a lane: its head flit is on the link now, the others follow without a gap.
    fn packet(&mut self, lane: u8, vc: u8, flit: NetPacket);

    /// The head flit of this packet is on the link now; of a node that tells its flits one by one.
    fn starts(&mut self, packet: u32);

    /// A flit is on the link now; the network is not told of its packet in [`NodeSide::packet`].
    fn flit(&mut self, lane: u8, vc: u8, head: bool, flit: NetPacket);

    /// A credit is on the link now, for a flit that was to be taken [`Received::Later`].
    fn credit(&mut self, lane: u8, vc: u8);

    /// The last flit of a message is on the link now.
    fn sent(&mut self, message: u32);

    /// The last flit of this packet, which was to be taken [`Received::Later`], has come in for the node's user in the next cycle.
    fn received(&mut self, lane: u8, vc: u8, packet: u32);
}

/// What flits that come in are to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Received {
    Flits,
    /// They end with the last one of their packet.
    Packet,
    /// They break into another packet, or have lost their own.
    OutOfOrder,
    /// The node will say what they are, and give the credits back, once it has taken them.
    Later,
}
