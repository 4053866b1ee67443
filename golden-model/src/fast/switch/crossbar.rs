//! The first flits of runs on their way from the memories of the input ports to the links, a register after the other; the others follow
//! them.

use super::link::{Payload, Train};
use super::output_ports::OutputPorts;

/// The crossbar with the registers around it. Until a train leaves it, its `vc` is the number of the input port that it comes from.
#[derive(Clone, Debug)]
pub(super) struct Crossbar<P> {
    /// What has begun to be read in the cycle before: the memories' words are on their way to the output registers.
    pub departing: Vec<Train<P>>,
    /// What began to be read before that and comes out of the crossbar.
    pub crossing: Vec<Train<P>>,
    /// By output port, what came out of it last.
    shown: Box<[OnLink<P>]>,
}

/// A train on the link of an output port, or that was there.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnLink<P> {
    /// The cycle of its first flit on the link.
    begin: u64,
    /// The input port that it came from.
    pub source: u8,
    pub train: Train<P>,
}

impl<P> OnLink<P> {
    /// Flits that are not on the link before a cycle.
    #[inline]
    pub fn to_send(&self, cycle: u64) -> u64 {
        let end = self.begin + u64::from(self.train.flits);
        end.saturating_sub(cycle.max(self.begin))
    }

    /// The place in the train of the flit that is on the link in a cycle, if one is.
    #[inline]
    pub fn place(&self, cycle: u64) -> Option<u16> {
        let place = cycle.wrapping_sub(self.begin);
        (place < self.train.flits.into()).then_some(place as u16)
    }
}

impl<P: Payload> Crossbar<P> {
    pub fn new(ports: usize) -> Self {
        let shown = vec![OnLink { begin: 0, source: 0, train: Train::EMPTY }; ports].into();
        Crossbar { departing: Vec::new(), crossing: Vec::new(), shown }
    }

    pub fn reset(&mut self) {
        self.departing.clear();
        self.crossing.clear();
        self.shown.fill(OnLink { begin: 0, source: 0, train: Train::EMPTY });
    }

    /// Reads a word of every cache line that steps may need ([`super::Switch::touch`]).
    #[inline]
    pub fn touch(&self) -> u64 {
        self.shown.iter().fold(0, |all, shown| all ^ shown.begin)
    }

    /// What came out of it last, by output port.
    pub fn shown(&self) -> &[OnLink<P>] {
        &self.shown
    }

    /// In cycle `now` every train goes a register further, those in the crossbar to the links, with their VC and credits. What is departing
    /// then is for the reads of this cycle to write over.
    #[inline]
    pub fn advance(&mut self, now: u64, links: &mut Vec<Train<P>>, outputs: &mut OutputPorts) {
        for train in &mut *self.crossing {
            let shown = &mut self.shown[usize::from(train.port & 63)];
            shown.source = train.vc;
            outputs.send(now, train);
            (shown.begin, shown.train) = (now + 1, *train);
        }
        std::mem::swap(links, &mut self.crossing);
        std::mem::swap(&mut self.crossing, &mut self.departing);
    }

    /// No train is on its way.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.departing.is_empty() & self.crossing.is_empty()
    }
}
