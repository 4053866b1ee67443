//! A packet that comes in at the observed switch.

use powar_config::topology::view::PortSet;

/// One packet coming in at the observed switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PacketArrival {
    /// Cycle in which the head flit comes in; the others follow one per cycle.
    pub cycle: u64,
    /// Input port, which is the requester in the port selector.
    pub input: u16,
    /// Ports adaptive routing may choose: the candidate set P.
    pub adaptive: PortSet,
    /// Ports of deterministic routing: the set D.
    pub deterministic: PortSet,
    /// Length, flits.
    pub flits: u16,
    /// Rank that sent it.
    pub source: u32,
    /// Rank it is for.
    pub destination: u32,
    /// Number of its message, in the order in which the ranks issue them.
    pub message: u32,
}
