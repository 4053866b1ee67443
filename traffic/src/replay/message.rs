//! A message as its source node injects it.

/// One message, cut into packets that leave the source node back to back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Messages are numbered in the order in which the replay issues them.
    pub number: u32,
    pub source: u32,
    pub destination: u32,
    /// Payload, bytes.
    pub bytes: u64,
    /// Packets; 0 only for a message a rank sends to itself, which never enters the network.
    pub packets: u64,
    /// Cycle in which the first flit leaves the source node.
    pub start: u64,
    /// Packets the source has sent before this message.
    pub first_sequence: u64,
}
