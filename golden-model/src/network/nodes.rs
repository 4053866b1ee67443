//! What the nodes and their workload do in a cycle, in the order of `docs/networks.md`.

use super::agenda::{Agenda, Calendar};
use super::arrivals::{Arrival, AtNode};
use super::bundles::Bundles;
use super::net_packet::NetPacket;
use super::node::{NodeModel, NodeSide, Received};
use super::region::Regions;
use super::under_way::{MessageEntry, Tables, place};
use super::{Counts, Measurement, Network, SwitchModel};
use crate::bits::ones;
use crate::fast::power::Signal;
use crate::fast::switch::{Credits, Train};
use crate::reference::routing::vc_of_destination;
use anyhow::{Result, bail, ensure};
use powar_config::topology::wiring::Wiring;
use powar_config::{Foretold, Message, Phase, Workload};
use std::ops::Range;

/// What a node reaches of its network in a cycle.
struct Side<'a, W> {
    now: u64,
    node: u32,
    node_link_delay: u64,
    wiring: &'a Wiring,
    bundles: Bundles,
    tables: &'a mut Tables,
    counts: &'a mut Counts,
    measurement: &'a mut Measurement,
    last_move: &'a mut u64,
    regions: &'a mut Regions,
    to_nodes: &'a mut Calendar<AtNode<(u32, Received)>>,
    senders: &'a mut Agenda,
    workload: &'a mut W,
}

impl<W> Side<'_, W> {
    /// The bundle and its port at the other end of a link of the node.
    #[inline]
    fn link(&self, lane: u8) -> (u32, u8) {
        self.bundles.inside(self.wiring.nodes[self.node as usize][usize::from(lane)])
    }

    /// A train on the link of the node that is a switch's too.
    fn train(&mut self, lane: u8, train: Train<NetPacket>) {
        let (bundle, port) = self.link(lane);
        let (cycle, what) = (self.now + self.node_link_delay, Train { port, ..train });
        self.regions.of_mut(bundle).train(Arrival { cycle, bundle, what });
    }
}

impl<W: Workload> NodeSide for Side<'_, W> {
    #[inline]
    fn next_packet(&mut self, message: u32) -> (NetPacket, u16, bool) {
        self.tables.next_packet(message)
    }

    #[inline]
    fn next_length(&self, message: u32) -> u16 {
        self.tables.next_length(message)
    }

    fn source(&self, packet: u32) -> Option<u16> {
        let message = self.tables.packets.get(packet as usize)?.message;
        let source = self.tables.messages[message as usize].message.source;
        Some(self.wiring.addresses[source as usize])
    }

    #[inline]
    fn packet(&mut self, lane: u8, vc: u8, flit: NetPacket) {
        let (now, length) = (self.now, u64::from(flit.length()));
        self.counts.packets_sent += 1;
        self.counts.flits_sent += length;
        self.measurement.sent(now, (self.node, lane), length);
        self.train(lane, Train { port: 0, vc, head: true, phase: Phase::On, flits: flit.length(), payload: flit });
        *self.last_move = (*self.last_move).max(now + length - 1);
        // With the last flit there may be something to tell, and behind it the next packet may start.
        let message = self.tables.packets[flit.packet as usize].message;
        let ends = self.tables.messages[message as usize].to_send == 0;
        let look = if ends { now + length - 1 } else { now + length };
        if look > now {
            self.senders.add(look, self.node);
        }
    }

    fn starts(&mut self, packet: u32) {
        self.counts.packets_sent += 1;
        self.tables.packets[packet as usize].entered = self.now;
    }

    fn flit(&mut self, lane: u8, vc: u8, head: bool, flit: NetPacket) {
        self.counts.flits_sent += 1;
        self.measurement.sent(self.now, (self.node, lane), 1);
        self.train(lane, Train { port: 0, vc, head, phase: Phase::On, flits: 1, payload: flit });
        *self.last_move = (*self.last_move).max(self.now);
    }

    fn credit(&mut self, lane: u8, vc: u8) {
        let (bundle, port) = self.link(lane);
        let (cycle, what) = (self.now + self.node_link_delay, Credits { port, vc, credits: 1 });
        self.regions.of_mut(bundle).credits(Arrival { cycle, bundle, what });
    }

    #[inline]
    fn sent(&mut self, message: u32) {
        self.counts.messages_sent += 1;
        self.workload.sent(self.now, &self.tables.messages[message as usize].message);
    }

    fn received(&mut self, lane: u8, vc: u8, packet: u32) {
        let at = AtNode { node: self.node, lane, vc, what: (packet, Received::Packet) };
        self.to_nodes.push(self.now + 1, at);
    }
}

impl<S: SwitchModel, N: NodeModel> Network<S, N> {
    /// The first cycle from the one under way on in which something happens at nodes.
    pub(super) fn next_of_nodes(&self, workload: &impl Workload) -> u64 {
        let links = self.to_nodes.next(self.now).min(self.credits_to_nodes.next(self.now));
        links.min(self.senders.next(self.now)).min(workload.next_event()).max(self.now)
    }

    /// All cycles from the one under way to the cycle `end`, which is then the one under way; or to the one behind that with which everything is over.
    /// The cycle that has been reached.
    ///
    /// # Errors
    /// Those of [`Network::run`]: the cycle under way is that in which it happened.
    pub(super) fn run_nodes(&mut self, workload: &mut impl Workload, end: u64) -> Result<u64> {
        loop {
            let next = self.next_of_nodes(workload);
            if next >= end {
                return Ok(end);
            }
            self.now = next;
            self.cycle_of_nodes(workload)?;
            self.now += 1;
            if self.is_over(workload)? {
                return Ok(self.now);
            }
        }
    }

    fn cycle_of_nodes(&mut self, workload: &mut impl Workload) -> Result<()> {
        let now = self.now;
        self.tables.now = now;
        if self.to_nodes.next(now) == now {
            let mut due = self.to_nodes.take(now);
            // They have begun to come in at different times.
            due.sort_unstable();
            for &AtNode { node, lane, vc, what: (packet, received) } in &due {
                ensure!(
                    received == Received::Packet,
                    "cycle {now}: node {node} got a flit of packet {packet} out of order on link {lane}, VC {vc}"
                );
                self.receive(node, packet, workload)?;
            }
            self.to_nodes.over(now, due);
        }
        if self.credits_to_nodes.next(now) == now {
            let due = self.credits_to_nodes.take(now);
            for &AtNode { node, lane, vc, what: credits } in &due {
                match self.nodes[node as usize].credits_come(now, lane, vc, credits) {
                    Some(false) => {}
                    Some(true) => self.senders.add(now, node),
                    None => {
                        bail!("cycle {now}: node {node} got a credit for VC {vc} of link {lane} that it had not used")
                    }
                }
            }
            self.credits_to_nodes.over(now, due);
        }
        if workload.next_event() <= now {
            let mut given = std::mem::take(&mut self.given);
            let mut foretold = Vec::new();
            workload.act(now, &mut given)?;
            workload.foretell(&mut foretold);
            for message in foretold {
                self.foretell(message)?;
            }
            for message in given.drain(..) {
                self.give(message)?;
            }
            self.given = given;
        }
        if self.senders.next(now) == now {
            for word in 0..self.senders.words() {
                for bit in ones(self.senders.take(now, word)) {
                    self.step_node((word * 64 + bit) as u32, workload)?;
                }
            }
            self.senders.over(now);
        }
        Ok(())
    }

    /// The last flit of a packet comes in at a node.
    fn receive(&mut self, node: u32, place: u32, workload: &mut impl Workload) -> Result<()> {
        let now = self.now;
        let packet = self.tables.packets[place as usize];
        self.tables.free_packets.push(place);
        self.counts.packets_delivered += 1;
        let entry = &mut self.tables.messages[packet.message as usize];
        ensure!(
            entry.message.destination == node,
            "cycle {now}: node {node} got a packet of node {} to node {}",
            entry.message.source,
            entry.message.destination
        );
        let measured = self.measurement.window.contains(&entry.given);
        if measured {
            self.measurement.packet(&entry.message, now - entry.given, now - packet.entered);
        }
        entry.to_come -= 1;
        if entry.to_come == 0 {
            if measured {
                self.measurement.message(&entry.message, now - entry.given);
            }
            self.counts.messages_delivered += 1;
            self.tables.free_messages.push(packet.message);
            workload.delivered(now, &entry.message);
        }
        Ok(())
    }

    /// A node tells its interface of a message that it will give later.
    fn foretell(&mut self, Foretold { source, destination }: Foretold) -> Result<()> {
        let nodes = self.nodes.len() as u32;
        ensure!(
            source < nodes && destination < nodes && source != destination,
            "a message is foretold from node {source} to node {destination}; expected two different of {nodes} nodes"
        );
        self.nodes[source as usize].foretell(self.now, self.wiring.addresses[destination as usize]);
        self.senders.add(self.now, source);
        Ok(())
    }

    /// A node gives a message to its interface.
    fn give(&mut self, message: Message) -> Result<()> {
        let Message { number, source, destination, flits, foretold } = message;
        let nodes = self.nodes.len() as u32;
        ensure!(
            source < nodes && destination < nodes && source != destination && flits > 0,
            "message {number}: {flits} flits from node {source} to node {destination}; expected 1 flit or more between two different of {nodes} nodes"
        );
        if self.is_empty() {
            self.last_move = self.last_move.max(self.now);
        }
        let flits = N::flits(flits, self.tables.packet_flits);
        self.counts.messages_given += 1;
        self.counts.flits_given += flits;
        self.measurement.given(self.now, &message, flits);
        let address = self.wiring.addresses[destination as usize];
        let entry = MessageEntry {
            message,
            given: self.now,
            to_send: flits,
            to_come: flits.div_ceil(self.tables.packet_flits.into()),
            header: address.into(),
        };
        let place = place(&mut self.tables.messages, &mut self.tables.free_messages, entry);
        let vc = vc_of_destination(address, self.vcs) as u8;
        self.nodes[source as usize].enqueue(self.now, vc, place, address, foretold);
        self.senders.add(self.now, source);
        Ok(())
    }

    /// A node does what it does in the cycle under way.
    #[inline]
    fn step_node(&mut self, number: u32, workload: &mut impl Workload) -> Result<()> {
        let mut side = Side {
            now: self.now,
            node: number,
            node_link_delay: self.parameters.node_link_delay,
            wiring: &self.wiring,
            bundles: self.bundles,
            tables: &mut self.tables,
            counts: &mut self.counts,
            measurement: &mut self.measurement,
            last_move: &mut self.last_move,
            regions: &mut self.regions,
            to_nodes: &mut self.to_nodes,
            senders: &mut self.senders,
            workload,
        };
        let next = self.nodes[number as usize].step(self.now, &mut side)?;
        if next != u64::MAX {
            self.senders.add(next, number);
        }
        if self.hints.is_some() {
            self.hint(number);
        }
        Ok(())
    }

    /// What a node hints after what it has sent in the cycle under way.
    #[cold]
    fn hint(&mut self, node: u32) {
        let Network { now, parameters, wiring, bundles, regions, senders, tables, nodes, hints, .. } = self;
        let Some(hints) = hints else { return };
        let has_begun = |message: u32| {
            let entry = &tables.messages[message as usize];
            entry.to_send != entry.message.flits
        };
        let (hint, next) = nodes[node as usize].hint(*now, has_begun);
        if next != u64::MAX {
            senders.add(next, node);
        }
        if std::mem::replace(&mut hints[node as usize], hint) != hint {
            let cycle = *now + parameters.node_link_delay;
            for &port in &wiring.nodes[node as usize] {
                let (bundle, port) = bundles.inside(port);
                let what = Signal { port, phase: Phase::On as u8, hint };
                regions.of_mut(bundle).signal(Arrival { cycle, bundle, what });
            }
        }
    }

    /// Counts the flits that have come in at nodes before a cycle.
    pub(super) fn count_flits(&mut self, before: u64) {
        let Network { coming, counts, measurement, .. } = self;
        let Range { start, end } = measurement.window;
        coming.retain_mut(|(begin, flits)| {
            let until = before.clamp(*begin, *begin + *flits);
            counts.flits_delivered += until - *begin;
            measurement.flits_delivered += until.min(end).saturating_sub((*begin).max(start));
            (*begin, *flits) = (until, *begin + *flits - until);
            *flits != 0
        });
    }
}
