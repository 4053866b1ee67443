//! What links carry into and out of the switch: runs of flits and of credits, told of when they begin.

use super::BusInputs;
use crate::fast::power::{Sideband, Signal};
use powar_config::Phase;

/// Number of VC v of port i: `i << VC_BITS | v`, however many VCs there are. The records of those that aren't there are
/// not touched.
pub(super) const VC_BITS: u32 = 3;

/// What a flit carries. The switch looks at the header of head flits only and hands on the rest.
///
/// `[u32; W]` is a flit of W words; they say nothing of each other, so that each is a train of its own. A simulator that doesn't care for
/// the data can carry its own number of the packet beside the header instead.
pub trait Payload: Copy {
    /// What buffers hold before the first flit.
    const EMPTY: Self;

    /// Word 0: destination 15:0, length 25:16, and the user's bits 31:26, which some routings look at.
    fn header(&self) -> u32;

    /// What the flit so many places behind this one carries, in the same train.
    fn behind(&self, flits: u16) -> Self;
}

impl<const W: usize> Payload for [u32; W] {
    const EMPTY: Self = [0; W];

    #[inline]
    fn header(&self) -> u32 {
        const { assert!(W > 0, "a flit has a word 0") };
        self[0]
    }

    #[inline]
    fn behind(&self, flits: u16) -> Self {
        debug_assert!(flits == 0, "words of another flit");
        *self
    }
}

/// A flit on the link of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Flits of one packet on the link of a port, one in each cycle from the one on in which it is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Train<P> {
    pub port: u8,
    /// Virtual channel at the receiver, 0..=7.
    pub vc: u8,
    /// The first of them is the head flit of the packet.
    pub head: bool,
    /// The phase of the sender's port at an input, for all of them. Of an output it is not said: [`Outputs::sideband`] is.
    pub phase: Phase,
    /// How many flits, 1 or more.
    pub flits: u16,
    /// Of the first of them.
    pub payload: P,
}

impl<P: Payload> Train<P> {
    /// Fills lists.
    pub(super) const EMPTY: Self = Train { port: 0, vc: 0, head: false, phase: Phase::On, flits: 0, payload: P::EMPTY };

    /// A flit by itself.
    #[inline]
    pub fn of(flit: LinkFlit<P>) -> Self {
        let LinkFlit { port, vc, head, phase, payload } = flit;
        Train { port, vc, head, phase, flits: 1, payload }
    }

    /// The flit so many places behind the first one.
    #[inline]
    pub fn flit(&self, place: u16) -> LinkFlit<P> {
        let &Train { port, vc, head, phase, payload, .. } = self;
        LinkFlit { port, vc, head: head && place == 0, phase, payload: payload.behind(place) }
    }

    /// Its flits, each with its cycle: the first one in cycle `begin`.
    pub fn flits_from(&self, begin: u64) -> impl Iterator<Item = (u64, LinkFlit<P>)> {
        (begin..).zip((0..self.flits).map(|place| self.flit(place)))
    }

    /// The train without its first flits, of which it has more.
    #[inline]
    pub fn without(&self, flits: u16) -> Self {
        let LinkFlit { head, payload, .. } = self.flit(flits);
        Train { head, payload, flits: self.flits - flits, ..*self }
    }
}

/// Credits on the link of a port, one in each cycle from the one on in which they are told of: as many flits of the virtual channel leave
/// the receiver's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credits {
    pub port: u8,
    /// 0..=7.
    pub vc: u8,
    /// 1 or more.
    pub credits: u16,
}

/// What comes in in a cycle: at most one flit and one credit a port, in any order of the ports. Flits and credits of trains that have
/// been told of in earlier cycles are not told of again.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a, P> {
    /// Synchronous reset. What has been told of and has not come in does not come in any more.
    pub rst: bool,
    pub trains: &'a [Train<P>],
    pub credits: &'a [Credits],
    /// What other ends of links show from this cycle on, flit or not, where it changes: for a mechanism that sees its neighbours.
    pub neighbours: &'a [Signal],
    /// Word of the control ring, 0 if none comes in: for a mechanism that has a ring.
    pub ring: u64,
    /// The register bus; `None`: all its inputs are 0.
    pub bus: Option<BusInputs>,
}

impl<P> Inputs<'_, P> {
    /// A cycle in which nothing comes in but what has been told of.
    pub const IDLE: Self = Inputs { rst: false, trains: &[], credits: &[], neighbours: &[], ring: 0, bus: None };
}

/// What begins on the links in a cycle, and what they show of themselves in it. Ports are in no particular order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs<P> {
    pub trains: Vec<Train<P>>,
    /// Credits for the flits that leave the buffers of input ports.
    pub credits: Vec<Credits>,
    /// What each port shows of itself, flit or not.
    pub sideband: Sideband,
    /// Word of the control ring to the next switch; 0: none.
    pub ring: u64,
}

impl<P: Payload> Default for Outputs<P> {
    /// Links on which nothing begins.
    fn default() -> Self {
        Outputs { trains: Vec::new(), credits: Vec::new(), sideband: Sideband::default(), ring: 0 }
    }
}

/// The flits of a cycle on the links of some ports, from the trains that they belong to: for who looks at every cycle.
#[derive(Clone, Debug)]
pub struct Unrolled<P> {
    /// Trains of which there are still flits, and the cycle of the first one.
    trains: Vec<(u64, Train<P>)>,
    credits: Vec<(u64, Credits)>,
}

impl<P> Default for Unrolled<P> {
    fn default() -> Self {
        Unrolled { trains: Vec::new(), credits: Vec::new() }
    }
}

impl<P: Payload> Unrolled<P> {
    /// These begin in cycle `now`; what has ended before is forgotten.
    pub fn add(&mut self, now: u64, trains: &[Train<P>], credits: &[Credits]) {
        self.trains.retain(|(begin, train)| begin + u64::from(train.flits) > now);
        self.credits.retain(|(begin, run)| begin + u64::from(run.credits) > now);
        self.trains.extend(trains.iter().map(|&train| (now, train)));
        self.credits.extend(credits.iter().map(|&run| (now, run)));
    }

    /// The flits of cycle `now`, the last one for which something was added or a later one.
    pub fn flits(&self, now: u64) -> impl Iterator<Item = LinkFlit<P>> {
        let of = move |(begin, train): &(u64, Train<P>)| {
            let place = now - begin;
            (place < train.flits.into()).then(|| train.flit(place as u16))
        };
        self.trains.iter().filter_map(of)
    }

    /// Its credits, one by one.
    pub fn credits(&self, now: u64) -> impl Iterator<Item = Credits> {
        let of = move |(begin, run): &(u64, Credits)| {
            (now - begin < run.credits.into()).then_some(Credits { credits: 1, ..*run })
        };
        self.credits.iter().filter_map(of)
    }

    /// Nothing is on the links from cycle `now` on.
    pub fn is_over(&self, now: u64) -> bool {
        let trains = self.trains.iter().map(|(begin, train)| begin + u64::from(train.flits));
        trains.chain(self.credits.iter().map(|(begin, run)| begin + u64::from(run.credits))).all(|end| end <= now)
    }
}
