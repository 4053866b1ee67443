//! What event-driven mechanisms see.

use super::{FlitTotals, Sideband};

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
    /// What it sees only if it asks for it.
    pub around: Box<Around>,
}

impl Seen {
    /// After reset; what is around stays as it is.
    pub(super) fn new(around: Box<Around>) -> Seen {
        Seen { held: 0, given: 0, departing: 0, flits: FlitTotals::new(), around }
    }
}

/// What a mechanism sees of the switch and of its neighbours if it asks for it ([`powar_config::Sees`]). What it does not see is not
/// kept up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// Packed address of the switch and its stage.
    pub position: u16,
    pub stage: u8,
    /// Ports that some packet whose route is shown may go to and that had room for it in the cycle before.
    pub wanted: u64,
    /// Ports at which a flit comes in, and ports of whose buffers one is read.
    pub arriving: u64,
    pub leaving: u64,
    /// Flits in the buffer of each input port.
    pub fill: [u16; 64],
    /// Flits in the buffer at the other end of each output port and on the way there and back.
    pub occupancy: [u16; 64],
    /// What the other ends of the links show.
    pub neighbours: Sideband,
    /// Word of the control ring that comes in in this cycle; 0: none does, as in all cycles that are not told of.
    pub ring_in: u64,
}

impl Around {
    /// Nothing is wanted any more, arrives or leaves, and no word comes in.
    pub(crate) fn end_cycle(&mut self) {
        self.ring_in = 0;
        (self.wanted, self.arriving, self.leaving) = (0, 0, 0);
    }
}

impl Default for Around {
    /// Empty buffers, and neighbours whose ports are on.
    fn default() -> Self {
        Around {
            position: 0,
            stage: 0,
            wanted: 0,
            arriving: 0,
            leaving: 0,
            fill: [0; 64],
            occupancy: [0; 64],
            neighbours: Sideband::default(),
            ring_in: 0,
        }
    }
}
