//! What every part does in a cycle, in the order of `docs/networks.md`.

use super::links::{Agenda, AtNode, Calendar, NetFlit, Row, ToSwitches};
use super::node::{NodeModel, NodeSide, Received};
use super::{Counts, MessageEntry, Network, Observer, SwitchModel, Tables, WAKES_AHEAD, place};
use crate::bits::ones;
use crate::fast::switch::{Credits, Inputs, Train};
use crate::reference::routing::vc_of_destination;
use anyhow::{Result, bail, ensure};
use powar_config::topology::wiring::{End, Wiring};
use powar_config::{Message, Phase, Workload};
use std::ops::Range;

/// What a node reaches of its network in a cycle.
struct Side<'a, W> {
    now: u64,
    node: u32,
    node_link_delay: u64,
    wiring: &'a Wiring,
    tables: &'a mut Tables,
    counts: &'a mut Counts,
    last_move: &'a mut u64,
    to_switches: &'a mut ToSwitches,
    to_nodes: &'a mut Calendar<AtNode<(u32, Received)>>,
    senders: &'a mut Agenda,
    workload: &'a mut W,
}

impl<W: Workload> NodeSide for Side<'_, W> {
    #[inline]
    fn next_packet(&mut self, message: u32) -> (NetFlit, u16, bool) {
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
    fn packet(&mut self, lane: u8, vc: u8, flit: NetFlit) {
        let (now, length) = (self.now, u64::from(flit.length()));
        self.counts.packets_sent += 1;
        self.counts.flits_sent += length;
        let (switch, port) = self.wiring.nodes[self.node as usize][usize::from(lane)];
        let train = Train { port, vc, head: true, phase: Phase::On, flits: flit.length(), payload: flit };
        self.to_switches.train(now + self.node_link_delay, switch, &train);
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

    fn flit(&mut self, lane: u8, vc: u8, head: bool, flit: NetFlit) {
        self.counts.flits_sent += 1;
        let (switch, port) = self.wiring.nodes[self.node as usize][usize::from(lane)];
        let train = Train { port, vc, head, phase: Phase::On, flits: 1, payload: flit };
        self.to_switches.train(self.now + self.node_link_delay, switch, &train);
        *self.last_move = (*self.last_move).max(self.now);
    }

    fn credit(&mut self, lane: u8, vc: u8) {
        let (switch, port) = self.wiring.nodes[self.node as usize][usize::from(lane)];
        self.to_switches.credits(self.now + self.node_link_delay, switch, Credits { port, vc, credits: 1 });
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
    /// All of the cycle under way.
    pub(super) fn cycle(&mut self, workload: &mut impl Workload, observer: &mut impl Observer) -> Result<()> {
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
        for _ in 0..self.credits_to_nodes.due(now) {
            let Some(AtNode { node, lane, vc, what: credits }) = self.credits_to_nodes.pop() else { break };
            match self.nodes[node as usize].credits_come(now, lane, vc, credits) {
                Some(false) => {}
                Some(true) => self.senders.add(now, node),
                None => bail!("cycle {now}: node {node} got a credit for VC {vc} of link {lane} that it had not used"),
            }
        }
        if workload.next_event() <= now {
            let mut given = std::mem::take(&mut self.given);
            workload.act(now, &mut given)?;
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
            if let Some(neighbours) = &mut self.neighbours {
                neighbours.close_node_links(now + self.parameters.node_link_delay);
            }
        }
        if self.next_wake <= now {
            self.wake_switches();
        }
        if self.to_switches.next(now).min(self.wakes.next(now)) == now {
            match &mut self.neighbours {
                None => self.step_switches::<false>(observer),
                Some(neighbours) => {
                    neighbours.begin(now);
                    self.step_switches::<true>(observer);
                }
            }
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
            self.measurement.packet_latency.record(now - entry.given);
            self.measurement.network_latency.record(now - packet.entered);
        }
        entry.to_come -= 1;
        if entry.to_come == 0 {
            if measured {
                self.measurement.message_latency.record(now - entry.given);
            }
            self.counts.messages_delivered += 1;
            self.tables.free_messages.push(packet.message);
            workload.delivered(now, &entry.message);
        }
        Ok(())
    }

    /// A node gives a message to its interface.
    fn give(&mut self, message: Message) -> Result<()> {
        let Message { number, source, destination, flits } = message;
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
        if self.measurement.window.contains(&self.now) {
            self.measurement.flits_given += flits;
        }
        let address = self.wiring.addresses[destination as usize];
        let entry = MessageEntry {
            message,
            given: self.now,
            to_send: flits,
            to_come: flits.div_ceil(self.tables.packet_flits.into()),
            header: address.into(),
        };
        let place = place(&mut self.tables.messages, &mut self.tables.free_messages, entry);
        self.nodes[source as usize].enqueue(vc_of_destination(address, self.vcs) as u8, place);
        self.senders.add(self.now, source);
        Ok(())
    }

    /// A node does what it does in the cycle under way.
    #[inline]
    fn step_node(&mut self, number: u32, workload: &mut impl Workload) -> Result<()> {
        let Network {
            now, parameters, wiring, nodes, tables, counts, last_move, to_switches, to_nodes, senders, ..
        } = self;
        let (now, node_link_delay) = (*now, parameters.node_link_delay);
        let node = number;
        let mut side = Side {
            now,
            node,
            node_link_delay,
            wiring,
            tables,
            counts,
            last_move,
            to_switches,
            to_nodes,
            senders,
            workload,
        };
        let next = nodes[number as usize].step(now, &mut side)?;
        if next != u64::MAX {
            self.senders.add(next, number);
        }
        if self.neighbours.is_some() {
            self.hint(number);
        }
        Ok(())
    }

    /// What a node hints after what it has sent in the cycle under way.
    #[cold]
    fn hint(&mut self, node: u32) {
        let Network { now, parameters, wiring, to_switches, senders, tables, nodes, neighbours, .. } = self;
        let Some(neighbours) = neighbours else { return };
        let has_begun = |message: u32| {
            let entry = &tables.messages[message as usize];
            entry.to_send != entry.message.flits
        };
        let (hint, next) = nodes[node as usize].hint(*now, has_begun);
        if next != u64::MAX {
            senders.add(next, node);
        }
        let (places, at) = (&wiring.nodes[node as usize], *now + parameters.node_link_delay);
        neighbours.hint(node as usize, hint, places, at, to_switches);
    }

    /// Switches of which something planned is due soon are in the agenda from now on.
    #[cold]
    fn wake_switches(&mut self) {
        self.next_wake = u64::MAX;
        for (number, &wake) in (0..).zip(&self.wake) {
            plan_wake(self.now, number, wake, &mut self.wakes, &mut self.next_wake);
        }
    }

    /// Switches that have something to do in the cycle under way do it. `SEES`: there are mechanisms that see their neighbours.
    fn step_switches<const SEES: bool>(&mut self, observer: &mut impl Observer) {
        let Network {
            now,
            parameters,
            ends,
            ports,
            switches,
            to_switches,
            wake,
            wakes,
            next_wake,
            nodes,
            senders,
            counts,
            ..
        } = self;
        let mut neighbours = self.neighbours.as_deref_mut().filter(|_| SEES);
        let (now, ports) = (*now, *ports);
        let (link, node_link) = (now + 1 + parameters.link_delay, now + 1 + parameters.node_link_delay);
        // A node that takes every flit at once has its place in the buffer free again in the same cycle.
        let back = node_link + parameters.node_link_delay;
        let mut row = to_switches.take(now);
        // One for the links between switches, one for what nodes send back: the same row if that takes the same time.
        let mut rows = [to_switches.take(link), if back == link { Row::default() } else { to_switches.take(back) }];
        let of_back = usize::from(back != link);
        let (mut steps, mut hops, mut longest) = (0, 0, 0);
        for word in 0..row.todo.len() {
            for bit in ones(std::mem::take(&mut row.todo[word]) | wakes.take(now, word)) {
                let number = word * 64 + bit;
                let (trains, credits) = row.at(number);
                let switch = &mut switches[number];
                let signals = neighbours.as_ref().map_or(&[][..], |neighbours| neighbours.at(number));
                let is_due = wake[number] <= now;
                if !is_due && trains.is_empty() && signals.is_empty() {
                    // Without anything that comes in, what was planned has been put off since.
                    if credits.is_empty() {
                        continue;
                    }
                    if switch.credits_come(now, credits) {
                        row.clear(number);
                        wake[number] = switch.next_event();
                        plan_wake(now + 1, number as u32, wake[number], wakes, next_wake);
                        continue;
                    }
                }
                steps += 1;
                let inputs = Inputs { rst: false, trains, credits, neighbours: signals, bus: None };
                let outputs = switch.step(now, &inputs);
                row.clear(number);
                let ends = &ends[number * ports..][..ports];
                if let Some(neighbours) = &mut neighbours {
                    neighbours.stepped(number, &outputs.sideband, ends, &mut rows[0]);
                }
                for train in &outputs.trains {
                    let flits = u64::from(train.flits);
                    hops += flits;
                    longest = flits.max(longest);
                    observer.train(now + 1, number as u32, train);
                    match ends[usize::from(train.port)] {
                        End::Switch { switch, port } => rows[0].train(switch, train, port),
                        End::Node { node, link: lane } => {
                            self.coming.push((node_link, flits));
                            let (port, vc, packet) = (train.port, train.vc, train.payload.packet);
                            match nodes[node as usize].coming(node_link, lane, train) {
                                Received::Later => senders.add(now + 1, node),
                                received => {
                                    rows[of_back].credits(number as u32, Credits { port, vc, credits: train.flits });
                                    if received != Received::Flits {
                                        let at = AtNode { node, lane, vc, what: (packet, received) };
                                        self.to_nodes.push(node_link + flits - 1, at);
                                    }
                                }
                            }
                        }
                        End::Open => unreachable!("routing uses no port without a cable"),
                    }
                }
                for &Credits { port, vc, credits } in &outputs.credits {
                    match ends[usize::from(port)] {
                        End::Switch { switch, port } => rows[0].credits(switch, Credits { port, vc, credits }),
                        End::Node { node, link: lane } => {
                            self.credits_to_nodes.push(AtNode { node, lane, vc, what: credits });
                        }
                        End::Open => unreachable!("flits come in over cables only"),
                    }
                }
                wake[number] = switch.next_event();
                plan_wake(now + 1, number as u32, wake[number], wakes, next_wake);
            }
        }
        wakes.over(now);
        counts.switch_steps += steps;
        if let Some(neighbours) = neighbours {
            neighbours.close_links(link);
        }
        to_switches.put_back(now, row);
        // Only now, since the row of the next cycle may be one of those taken.
        let [of_links, of_nodes] = rows;
        to_switches.put_back(link, of_links);
        if back != link {
            to_switches.put_back(back, of_nodes);
        }
        self.credits_to_nodes.close(node_link);
        if hops != 0 {
            counts.flit_hops += hops;
            self.last_move = self.last_move.max(now + longest - 1);
        }
        if self.coming.len() > MOST_COMING {
            self.count_flits(now + 1);
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

/// Trains to nodes of which the flits are not counted at once: it is done for many of them.
const MOST_COMING: usize = 1 << 12;

/// A switch has something to do by itself in cycle `wake`: it is in the agenda for then if that is near enough to cycle `now`.
#[inline]
fn plan_wake(now: u64, number: u32, wake: u64, wakes: &mut Agenda, next_wake: &mut u64) {
    if wake.saturating_sub(now) < WAKES_AHEAD {
        wakes.add(wake.max(now), number);
    } else {
        *next_wake = wake.min(*next_wake);
    }
}
