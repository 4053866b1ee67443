//! What links carry into and out of the switch in a cycle: lists of what there is, not vectors over all ports.

use super::{BusInputs, List};
use crate::fast::power::{Sideband, Signal};
use powar_config::Phase;

/// What a flit carries. The switch looks at the header of head flits only and hands on the rest.
///
/// `[u32; W]` is a flit of W words. A simulator that doesn't care for the data can carry its own number of the packet beside
/// the header instead.
pub trait Payload: Copy {
    /// What buffers hold before the first flit.
    const EMPTY: Self;

    /// Word 0: destination 15:0, length 25:16, and the user's bits 31:26, which some routings look at.
    fn header(&self) -> u32;
}

impl<const W: usize> Payload for [u32; W] {
    const EMPTY: Self = [0; W];

    #[inline]
    fn header(&self) -> u32 {
        const { assert!(W > 0, "a flit has a word 0") };
        self[0]
    }
}

/// A flit on the link of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// In this order, so that everything but the payload is moved and compared as one word.
#[repr(C)]
pub struct LinkFlit<P> {
    pub port: u8,
    /// Virtual channel at the receiver, 0..=7.
    pub vc: u8,
    /// It is the head flit of its packet.
    pub head: bool,
    /// The phase of the sender's port; one that does not send is an error that the receiver counts.
    pub phase: Phase,
    pub payload: P,
}

impl<P> LinkFlit<P> {
    /// Takes everything but the payload from another flit.
    #[inline]
    pub(super) fn set_marks(&mut self, marks: LinkFlit<()>) {
        (self.port, self.vc, self.head, self.phase) = (marks.port, marks.vc, marks.head, marks.phase);
    }

    /// Everything but the payload in one word.
    #[inline]
    pub(super) fn marks(&self) -> u32 {
        u32::from_le_bytes([self.port, self.vc, self.head as u8, self.phase as u8])
    }
}

impl<P: Payload> LinkFlit<P> {
    /// Fills lists.
    pub(super) const EMPTY: Self = LinkFlit { port: 0, vc: 0, head: false, phase: Phase::On, payload: P::EMPTY };
}

/// A credit on the link of a port: a flit of the virtual channel has left the receiver's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Credit {
    pub port: u8,
    /// 0..=7.
    pub vc: u8,
}

impl Credit {
    /// A number of its own for every VC of every port: what it looks like in memory, so that it costs nothing.
    #[inline]
    pub(super) fn place(self) -> u16 {
        u16::from_le_bytes([self.port, self.vc])
    }
}

/// What comes in in a cycle: at most one flit and one credit a port, in any order of the ports.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a, P> {
    /// Synchronous reset.
    pub rst: bool,
    pub flits: &'a [LinkFlit<P>],
    pub credits: &'a [Credit],
    /// What other ends of links show from this cycle on, flit or not, where it changes: for a mechanism that sees its neighbours.
    pub neighbours: &'a [Signal],
    /// The register bus; `None`: all its inputs are 0.
    pub bus: Option<BusInputs>,
}

impl<P> Inputs<'_, P> {
    /// A cycle in which nothing comes in.
    pub const IDLE: Self = Inputs { rst: false, flits: &[], credits: &[], neighbours: &[], bus: None };
}

/// What links show in a cycle; all of it comes from registers. Ports are in no particular order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs<P> {
    pub flits: List<LinkFlit<P>>,
    /// Credits for the flits that have left the buffers of input ports.
    pub credits: List<Credit>,
    /// What each port shows of itself, flit or not.
    pub sideband: Sideband,
}

impl<P: Payload> Default for Outputs<P> {
    /// Links that show nothing.
    fn default() -> Self {
        let credits = List::new(Credit { port: 0, vc: 0 });
        Outputs { flits: List::new(LinkFlit::EMPTY), credits, sideband: Sideband::default() }
    }
}
