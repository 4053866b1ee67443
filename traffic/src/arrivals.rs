//! Packet arrivals at one switch, in order of time.

use crate::options::{Timing, TrafficOptions};
use crate::packet_arrival::PacketArrival;
use crate::replay::message::{Message, Messages};
use crate::summary::Summary;
use crate::trace::Trace;
use anyhow::Result;
use powar_config::topology::view::{Sighting, SwitchView, check_ranks};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The packets one switch sees of a replayed trace.
///
/// Iterates in order of cycle, then input port, and never has two packets on one input at once:
/// where two sources meet on a link, the later packet queues behind the earlier. Cycles are
/// absolute, so a consumer can skip idle stretches. Holds only messages on their way, never a
/// whole log; the first error ends the iteration.
pub struct Arrivals {
    view: Arc<dyn SwitchView>,
    timing: Timing,
    replay: Box<dyn Messages>,
    /// Messages with packets still to come, by the cycle the next one reaches the switch.
    travelling: BinaryHeap<Reverse<Travelling>>,
    /// Packets with their final cycle, which others may still overtake.
    queued: BinaryHeap<Reverse<(PacketArrival, u64)>>,
    /// First cycle in which each input is free.
    input_free: Vec<u64>,
    summary: Summary,
    replaying: bool,
}

/// The next packet of a message that the observed switch will see.
struct Travelling {
    cycle: u64,
    packet: u64,
    sighting: Sighting,
    message: Message,
}

impl Arrivals {
    /// Starts a replay of `trace` as the observed switch of `view` sees it.
    pub fn new(trace: &Trace, view: Box<dyn SwitchView>, options: &TrafficOptions) -> Result<Arrivals> {
        check_ranks(view.as_ref(), trace.ranks())?;
        let view: Arc<dyn SwitchView> = view.into();
        let network = Arc::clone(&view);
        let hops = Box::new(move |source, destination| network.hops(source, destination));
        Ok(Arrivals {
            timing: Timing::new(options)?,
            replay: trace.replay(options, hops)?,
            travelling: BinaryHeap::new(),
            queued: BinaryHeap::new(),
            input_free: vec![0; usize::from(view.ports())],
            summary: Summary::new(view.ports()),
            replaying: true,
            view,
        })
    }

    /// The traffic so far; of the whole trace once the iteration has ended.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Reads the trace to its end for its numbers alone.
    pub fn into_summary(mut self) -> Result<Summary> {
        for packet in &mut self {
            packet?;
        }
        Ok(self.summary)
    }

    /// Queues the next packet of `message` the switch sees, counting from `packet`.
    fn travel(&mut self, message: Message, packet: u64) {
        let flits = u64::from(self.timing.flits_per_packet);
        for packet in packet..message.packets {
            let sequence = message.first_sequence + packet;
            let seen = self.view.observe(message.source, message.destination, sequence);
            if let Some(sighting) = seen {
                let hops = u64::from(sighting.hops_before);
                self.travelling.push(Reverse(Travelling {
                    cycle: message.start + packet * flits + hops * self.timing.hop_cycles,
                    packet,
                    sighting,
                    message,
                }));
                return;
            }
        }
    }

    /// Puts the earliest travelling packet on its input.
    fn come_in(&mut self, next: Travelling) {
        let Travelling { sighting, message, .. } = next;
        let free = &mut self.input_free[usize::from(sighting.input)];
        let cycle = next.cycle.max(*free);
        *free = cycle + u64::from(self.timing.flits_per_packet);
        let arrival = PacketArrival {
            cycle,
            input: sighting.input,
            adaptive: sighting.adaptive,
            deterministic: sighting.deterministic,
            flits: self.timing.flits_per_packet,
            source: message.source,
            destination: message.destination,
            message: message.number,
        };
        self.queued.push(Reverse((arrival, next.packet)));
        self.travel(message, next.packet + 1);
    }

    /// Cycle before which no packet can reach the switch any more.
    fn horizon(&self) -> u64 {
        let sent = match self.replay.now() {
            Some(now) if self.replaying => now,
            _ => u64::MAX,
        };
        let travelling = self.travelling.peek().map(|Reverse(next)| next.cycle);
        sent.min(travelling.unwrap_or(u64::MAX))
    }
}

impl Iterator for Arrivals {
    type Item = Result<PacketArrival>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // Strictly before: of packets in the same cycle the lowest input comes first.
            let horizon = self.horizon();
            if let Some(Reverse((packet, _))) = self.queued.peek()
                && packet.cycle < horizon
            {
                let packet = *packet;
                self.queued.pop();
                self.summary.count_arrival(&packet);
                return Some(Ok(packet));
            }
            // Only packets no rank can get ahead of any more may come in.
            if let Some(Reverse(next)) = self.travelling.peek()
                && (!self.replaying || self.replay.now().is_none_or(|now| next.cycle < now))
            {
                let Some(Reverse(next)) = self.travelling.pop() else {
                    continue;
                };
                self.come_in(next);
                continue;
            }
            if !self.replaying {
                return None;
            }
            match self.replay.next() {
                Some(Ok(message)) => {
                    self.summary.count_message(&message);
                    self.travel(message, 0);
                }
                Some(Err(error)) => {
                    self.replaying = false;
                    self.travelling.clear();
                    self.queued.clear();
                    return Some(Err(error));
                }
                None => self.replaying = false,
            }
        }
    }
}

impl Travelling {
    /// Earliest first; a source's packets are in order because they never share a cycle.
    fn order(&self) -> (u64, u16, u32, u64) {
        let input = self.sighting.input;
        (self.cycle, input, self.message.source, self.packet)
    }
}

impl PartialEq for Travelling {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Travelling {}

impl PartialOrd for Travelling {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Travelling {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}
