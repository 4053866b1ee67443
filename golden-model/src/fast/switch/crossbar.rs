//! Flits on their way from the memories of the input ports to the links, a register after the other.

use super::link::{LinkFlit, Payload};
use super::list::List;
use super::output_ports::OutputPorts;

/// The crossbar with the registers around it. Until a flit leaves it, its `vc` is the number of the input port that it comes from.
#[derive(Clone, Debug)]
pub(super) struct Crossbar<P> {
    /// What has been read in the cycle before: the memories' words are on their way to the output registers.
    pub departing: List<LinkFlit<P>>,
    /// What was read before that and comes out of the crossbar.
    pub crossing: List<LinkFlit<P>>,
}

impl<P: Payload> Crossbar<P> {
    pub fn new() -> Self {
        Crossbar { departing: List::new(LinkFlit::EMPTY), crossing: List::new(LinkFlit::EMPTY) }
    }

    pub fn reset(&mut self) {
        self.departing.clear();
        self.crossing.clear();
    }

    /// Every flit goes a register further, those in the crossbar to the links, with their VC and a credit. What is departing then is for
    /// the reads of this cycle to write over.
    #[inline]
    pub fn advance(&mut self, links: &mut List<LinkFlit<P>>, outputs: &mut OutputPorts) {
        outputs.send(&mut self.crossing);
        std::mem::swap(links, &mut self.crossing);
        std::mem::swap(&mut self.crossing, &mut self.departing);
    }

    /// No flit is on its way.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.departing.is_empty() & self.crossing.is_empty()
    }
}
