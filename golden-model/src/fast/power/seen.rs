//! What event-driven mechanisms see.

use super::{Buffers, FlitTotals, Sideband};

/// What a mechanism sees in a cycle; vectors have one bit a port.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The port is held by a packet.
    pub held: u64,
    /// The port is given to a packet in this cycle.
    pub given: u64,
    /// A flit sets out for the port in this cycle: it was read in the one before. Between two cycles it stays as it was.
    pub departing: u64,
    /// The flits that have set out.
    pub flits: FlitTotals,
    /// The flits in buffers, if it asks for them. What comes in in a cycle is told of before its clock edge, what enters a buffer behind it.
    pub buffers: Buffers,
    /// What else it sees only if it asks for it.
    pub around: Box<Around>,
}

impl Seen {
    /// After reset; what is around stays as it is.
    pub(super) fn new(buffers: Buffers, around: Box<Around>) -> Seen {
        Seen { held: 0, given: 0, departing: 0, flits: FlitTotals::new(), buffers, around }
    }
}

/// What a mechanism sees of the switch and of its neighbours if it asks for it ([`powar_config::Sees`]). What it does not see is not
/// kept up to date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Packed address of the switch and its stage.
    pub position: u16,
    pub stage: u8,
    /// Ports that some packet whose route is shown may go to and that had room for it in the cycle before.
    pub wanted: u64,
    /// What the other ends of the links show.
    pub neighbours: Sideband,
    /// Word of the control ring that comes in in this cycle; 0: none does, as in all cycles that are not told of.
    pub ring_in: u64,
    /// Words of the row of the routing table that was asked for in the cycle before; of no meaning if none was.
    pub lookup_row: Vec<u64>,
}

impl Around {
    /// Nothing is wanted any more, and no word comes in.
    pub(crate) fn end_cycle(&mut self) {
        (self.ring_in, self.wanted) = (0, 0);
    }
}
