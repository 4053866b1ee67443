//! What came of a run: packets, latencies and where the ports spent their time.

use super::flows::{Flow, Flows};
use super::latencies::Latencies;
use powar_config::Message;
use std::ops::Range;

/// Counts since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Messages that nodes gave, that left completely, and that came in completely.
    pub messages_given: u64,
    pub messages_sent: u64,
    pub messages_delivered: u64,
    /// Packets of which the first flit has left, and that have come in.
    pub packets_sent: u64,
    pub packets_delivered: u64,
    /// Flits of the messages given, flits that have left, and that have come in.
    pub flits_given: u64,
    pub flits_sent: u64,
    pub flits_delivered: u64,
    /// Flits that switches put on their links.
    pub flit_hops: u64,
    /// Steps of switches, each of all that are in a bundle: what the simulation worked on.
    pub switch_steps: u64,
}

/// What is measured in a window of cycles.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The window: its first cycle and the first behind it.
    pub window: Range<u64>,
    /// Of packets whose message was given in the window: from then to their last flit at the destination.
    pub packet_latency: Latencies,
    /// Of the same packets: from their first flit on the link of their node.
    pub network_latency: Latencies,
    /// Of messages given in the window.
    pub message_latency: Latencies,
    /// Flits that messages given in the window have.
    pub flits_given: u64,
    /// Flits that came in in the window.
    pub flits_delivered: u64,
    /// Flits that each node put on each of its links in the window, if [`Network::measure_details`](super::Network::measure_details) asks for them.
    pub node_flits: Option<Box<[Box<[u64]>]>>,
    /// By source and destination, if it asks for that.
    pub flows: Option<Flows>,
}

impl Measurement {
    pub(super) fn new(window: Range<u64>) -> Self {
        Measurement {
            window,
            packet_latency: Latencies::default(),
            network_latency: Latencies::default(),
            message_latency: Latencies::default(),
            flits_given: 0,
            flits_delivered: 0,
            node_flits: None,
            flows: None,
        }
    }

    /// A node puts so many flits on a link, one a cycle from `now` on.
    #[inline]
    pub(super) fn sent(&mut self, now: u64, (node, lane): (u32, u8), flits: u64) {
        if let Some(counts) = &mut self.node_flits {
            let Range { start, end } = self.window;
            counts[node as usize][usize::from(lane)] += (now + flits).min(end).saturating_sub(now.max(start));
        }
    }

    /// A message is given that takes so many flits.
    pub(super) fn given(&mut self, now: u64, message: &Message, flits: u64) {
        if self.window.contains(&now) {
            self.flits_given += flits;
            self.flow(message, |flow| flow.flits += flits);
        }
    }

    /// A packet of a message comes in, both of so many cycles.
    #[inline]
    pub(super) fn packet(&mut self, message: &Message, cycles: u64, in_network: u64) {
        self.packet_latency.record(cycles);
        self.network_latency.record(in_network);
        self.flow(message, |flow| flow.packet_latency.record(cycles));
    }

    /// A message has come in completely.
    #[inline]
    pub(super) fn message(&mut self, message: &Message, cycles: u64) {
        self.message_latency.record(cycles);
        self.flow(message, |flow| flow.message_latency.record(cycles));
    }

    #[inline]
    fn flow(&mut self, message: &Message, change: impl FnOnce(&mut Flow)) {
        if let Some(flows) = &mut self.flows {
            change(flows.entry((message.source, message.destination)).or_default());
        }
    }
}
