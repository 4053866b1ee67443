//! Where packets go and when they come: one interface, one file a kind.

mod bursty;
mod hot_spot;
mod permutation;
mod trace;
mod uniform;

use crate::expected_routing::ExpectedRouting;
use crate::random::Random;
use powar_traffic::PacketArrival;
use std::sync::Arc;

/// A kind of traffic, as the sources of all input ports make it.
pub trait Traffic: Send {
    /// The destination of the next packet of this input port; none if the port has nobody to send to.
    fn destination(&mut self, input: usize, random: &mut Random) -> Option<u16>;

    /// How much more than the mean load this source makes in this cycle.
    fn intensity(&mut self, _input: usize, _random: &mut Random) -> f64 {
        1.0
    }

    /// A packet that comes at a time of its own: destination and flits. Asked until there is none; the switch has been out of
    /// reset for `cycle` cycles.
    fn scheduled(&mut self, _input: usize, _cycle: u64) -> Option<(u16, u16)> {
        None
    }
}

/// The kinds, by name.
#[derive(Clone, Debug)]
pub enum TrafficKind {
    /// Every destination is as likely as any other.
    Uniform,
    /// As uniform, but every second packet goes to one port.
    HotSpot,
    /// Every input has one destination, and as far as possible no two share an output port.
    Permutation,
    /// Uniform, in bursts of about so many cycles, one eighth of the time.
    Bursty { cycles: u32 },
    /// The packets of a recorded trace, as this switch sees them.
    Trace { packets: Arc<Vec<PacketArrival>> },
}

impl TrafficKind {
    /// The name, as reports show it.
    pub fn name(&self) -> &'static str {
        match self {
            TrafficKind::Uniform => "uniform",
            TrafficKind::HotSpot => "hot-spot",
            TrafficKind::Permutation => "permutation",
            TrafficKind::Bursty { .. } => "bursty",
            TrafficKind::Trace { .. } => "trace",
        }
    }

    /// The sources of a switch with this routing.
    pub fn build(&self, routing: &ExpectedRouting, random: &mut Random) -> Box<dyn Traffic> {
        match self {
            TrafficKind::Uniform => Box::new(uniform::Uniform::new(routing)),
            TrafficKind::HotSpot => Box::new(hot_spot::HotSpot::new(routing, random)),
            TrafficKind::Permutation => Box::new(permutation::Permutation::new(routing, random)),
            TrafficKind::Bursty { cycles } => Box::new(bursty::Bursty::new(routing, *cycles)),
            TrafficKind::Trace { packets } => Box::new(trace::Trace::new(routing, packets)),
        }
    }
}

/// For each input port the destinations it brings packets for, drawn from at most this many nodes of a large network.
const MOST_NODES: usize = 4096;

fn destinations(routing: &ExpectedRouting) -> Vec<Vec<u16>> {
    let step = routing.nodes().div_ceil(MOST_NODES);
    let nodes = |input| (0..routing.nodes()).step_by(step).filter(move |&node| routing.brings(input, node));
    (0..routing.ports()).map(|input| nodes(input).map(|node| routing.address(node)).collect()).collect()
}

fn any(destinations: &[u16], random: &mut Random) -> Option<u16> {
    let count = destinations.len() as u64;
    (count != 0).then(|| destinations[random.below(count) as usize])
}
