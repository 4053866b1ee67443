//! The channels of a network, which packets may stand in them, and which of them drain.

mod draining;

use super::conditions::{Answer, Conditions};
use super::finding::{Finding, Flaw, Step};
use super::reached::{BATCH, Column, Reached, members};
use crate::reference::routing::{Route, RoutingInputs, RoutingUnit, vc_of_destination};
use powar_config::Config;
use powar_config::routing::tables::RoutingTables;
use powar_config::topology::Wiring;
use powar_config::topology::wiring::End;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

/// Packets that a unit may tell apart, from whatever node they come.
#[derive(Clone, Copy)]
struct Packet {
    destination: u32,
    /// Destination 15:0, length 25:16, the user's bits 31:26.
    header: u32,
}

/// A network whose channels are looked at. A channel's number is (switch * ports + input port) * vcs + VC.
pub(super) struct Channels<'a> {
    wiring: &'a Wiring,
    unit: &'a dyn RoutingUnit,
    conditions: &'a Conditions,
    tables: Option<&'a RoutingTables>,
    ports: usize,
    vcs: usize,
    destinations: usize,
    packets: Vec<Packet>,
}

/// The output ports and VCs of a route, one after the other.
fn ways(route: Route) -> impl Iterator<Item = (usize, usize)> {
    let with = |set: u64, vcs: u64| members(set).flat_map(move |port| members(vcs).map(move |vc| (port, vc)));
    with(route.adaptive, route.adaptive_vcs).chain(with(route.deterministic, route.deterministic_vcs))
}

/// What a thread tells of the packets that it follows.
enum Told {
    /// One has been followed.
    Packet,
    /// A batch has been: what was found, with the most switches that a packet crosses.
    Batch(usize, Result<(Column, Option<u32>), Flaw>),
}

/// Where the longest way from a place is being looked for.
#[derive(Clone, Copy, PartialEq)]
enum Search {
    New,
    /// The packet has been here on the way that is being followed.
    Open,
    /// Switches that it crosses at most from here on.
    Done(u32),
}

impl<'a> Channels<'a> {
    pub fn new(
        config: &Config,
        wiring: &'a Wiring,
        unit: &'a dyn RoutingUnit,
        conditions: &'a Conditions,
        tables: Option<&'a RoutingTables>,
        budget: u64,
    ) -> Channels<'a> {
        let (ports, vcs, nodes) = (config.ports, config.switch.vcs, wiring.nodes.len());
        let inputs = if conditions.sees_input() { ports } else { 1 };
        let asked = wiring.ends.len() * inputs * conditions.len() * conditions.user_bits.len();
        let destinations = ((budget / asked as u64) as usize).clamp(1, nodes);
        let packets = (0..destinations).flat_map(|i| {
            let destination = i * nodes / destinations;
            let header = move |user: &u32| u32::from(wiring.addresses[destination]) | 1 << 16 | user << 26;
            conditions
                .user_bits
                .iter()
                .map(move |user| Packet { destination: destination as u32, header: header(user) })
        });
        Channels { wiring, unit, conditions, tables, ports, vcs, destinations, packets: packets.collect() }
    }

    fn channel(&self, switch: usize, port: usize, vc: usize) -> usize {
        (switch * self.ports + port) * self.vcs + vc
    }

    fn step(&self, channel: usize, packet: usize) -> Step {
        let (input, vc) = (channel / self.vcs, channel % self.vcs);
        let (switch, port) = (input / self.ports, input % self.ports);
        let destination = self.packets[packet].destination;
        Step { switch: switch as u32, port: port as u8, vc: vc as u8, destination, off: 0 }
    }

    /// What is at the other end of an output port.
    fn end(&self, switch: usize, port: usize) -> End {
        self.wiring.ends[switch][port]
    }

    /// Whether a channel is one into which a node sends.
    fn is_of_node(&self, channel: usize) -> bool {
        let input = channel / self.vcs;
        self.conditions.sees_input() && matches!(self.end(input / self.ports, input % self.ports), End::Node { .. })
    }

    /// The routes of a packet in a channel, condition by condition.
    fn routes(&self, channel: usize, packet: usize) -> impl Iterator<Item = Answer> {
        let Step { switch, port, vc, .. } = self.step(channel, packet);
        let place = self.wiring.places[switch as usize];
        let header = self.packets[packet].header;
        self.conditions.ask(
            self.unit,
            switch as usize,
            RoutingInputs {
                position: place.position,
                stage: place.stage,
                destination: header as u16,
                header,
                input_port: port,
                input_vc: vc,
                row: self.tables.map_or_else(Default::default, |tables| tables.row(switch as usize, header as u16)),
                to_node: self.tables.map_or(0, |tables| tables.node_ports(switch as usize)),
                ..RoutingInputs::default()
            },
        )
    }

    /// The place of a channel: all channels of a switch are one if the unit does not see where a packet came in.
    fn place(&self, channel: usize) -> usize {
        if self.conditions.sees_input() { channel } else { channel / (self.ports * self.vcs) }
    }

    fn places(&self) -> usize {
        let switches = self.wiring.ends.len();
        if self.conditions.sees_input() { switches * self.ports * self.vcs } else { switches }
    }

    pub fn check(&self, progress: &mut dyn FnMut(usize, usize)) -> Finding {
        let mut finding = Finding {
            switches: self.wiring.ends.len(),
            nodes: self.wiring.nodes.len(),
            destinations: self.destinations,
            channels: 0,
            most_hops: None,
            flaw: None,
        };
        match self.follow(progress) {
            Err(flaw) => finding.flaw = Some(flaw),
            Ok(reached) => {
                let channels = self.wiring.ends.len() * self.ports * self.vcs;
                finding.channels = (0..channels).filter(|&channel| reached.channels.count(channel) > 0).count();
                finding.most_hops = reached.most_hops;
                finding.flaw = self.deadlock(&reached);
            }
        }
        finding
    }

    /// Follows every packet from all nodes over every port that it is offered, batch by batch on all cores.
    fn follow(&self, progress: &mut dyn FnMut(usize, usize)) -> Result<Reached, Flaw> {
        let (switches, batches) = (self.wiring.ends.len(), self.packets.len().div_ceil(BATCH));
        let mut reached = Reached::new(switches * self.ports * self.vcs, switches, batches);
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(batches);
        let (next, variants) = (AtomicUsize::new(0), self.conditions.user_bits.len());
        // The flaw of the first packet that has one, whichever thread comes first: what is behind it need not be looked at.
        let (mut flaw, mut followed) = (None, 0);
        std::thread::scope(|scope| {
            let (send, told) = sync_channel(threads);
            for _ in 0..threads {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    let batch = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&batch| batch < batches);
                    // Sending fails once nobody listens: then nobody waits for more either.
                    while let Some(batch) = batch() {
                        let found = self.follow_batch(batch, &mut || _ = send.send(Told::Packet));
                        if send.send(Told::Batch(batch, found)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(send);
            for told in told {
                match told {
                    Told::Packet => {
                        followed += 1;
                        if followed % variants == 0 {
                            progress(followed / variants, self.destinations);
                        }
                    }
                    Told::Batch(batch, Ok((column, hops))) => {
                        reached.add(batch, &column);
                        reached.most_hops = reached.most_hops.zip(hops).map(|(most, hops)| most.max(hops));
                    }
                    Told::Batch(batch, Err(found)) => {
                        next.fetch_max(batches, Ordering::Relaxed);
                        if flaw.as_ref().is_none_or(|&(first, _)| batch < first) {
                            flaw = Some((batch, found));
                        }
                    }
                }
            }
        });
        match flaw {
            Some((_, flaw)) => Err(flaw),
            None => Ok(reached),
        }
    }

    /// The packets of a batch.
    fn batch(&self, batch: usize) -> Range<usize> {
        batch * BATCH..self.packets.len().min((batch + 1) * BATCH)
    }

    /// Follows the packets of a batch, and says of each when that is done. Where they may be, and the most switches that one crosses, `None` if it may go in circles.
    fn follow_batch(&self, batch: usize, followed: &mut dyn FnMut()) -> Result<(Column, Option<u32>), Flaw> {
        let switches = self.wiring.ends.len();
        let mut column = Column::new(switches * self.ports * self.vcs, switches);
        let (mut search, mut most) = (vec![Search::New; self.places()], Some(0));
        for packet in self.batch(batch) {
            search.fill(Search::New);
            let destination = self.packets[packet].destination;
            let vc = vc_of_destination(self.packets[packet].header as u16, self.vcs);
            for (node, links) in self.wiring.nodes.iter().enumerate() {
                if node as u32 == destination {
                    continue;
                }
                for &(switch, port) in links {
                    let channel = self.channel(switch as usize, port.into(), vc);
                    column.channels[channel] |= 1 << (packet % BATCH);
                    let hops = self.follow_from(channel, packet, &mut search, &mut column)?;
                    most = most.zip(hops).map(|(most, hops): (u32, u32)| most.max(hops));
                }
            }
            followed();
        }
        Ok((column, most))
    }

    /// Follows a packet from a channel on, depth first. Switches that it crosses at most; `None`: it may go in circles.
    fn follow_from(
        &self,
        channel: usize,
        packet: usize,
        search: &mut [Search],
        column: &mut Column,
    ) -> Result<Option<u32>, Flaw> {
        let mut circles = false;
        // Channels on the way that is being followed, with the channels that are still to be looked at from there and the most hops found so far.
        let mut way: Vec<(usize, Vec<usize>, u32)> = Vec::new();
        let mut next = Some(channel);
        let mut most = 0;
        loop {
            if let Some(channel) = next.take() {
                match search[self.place(channel)] {
                    Search::Done(hops) => most = hops,
                    Search::Open => (circles, most) = (true, 0),
                    Search::New => {
                        search[self.place(channel)] = Search::Open;
                        way.push((channel, self.onward(channel, packet, column)?, 0));
                        most = 0;
                    }
                }
            }
            let Some((channel, onward, longest)) = way.last_mut() else { break };
            *longest = most.max(*longest);
            match onward.pop() {
                Some(channel) => next = Some(channel),
                None => {
                    most = *longest + 1;
                    search[self.place(*channel)] = Search::Done(most);
                    way.pop();
                }
            }
        }
        Ok((!circles).then_some(most))
    }

    /// Marks the channels that a packet may go to next and returns them.
    fn onward(&self, channel: usize, packet: usize, column: &mut Column) -> Result<Vec<usize>, Flaw> {
        let at = self.step(channel, packet);
        let bit = 1 << (packet % BATCH);
        let is_asked_once = self.conditions.len() == 1;
        let mut onward = Vec::new();
        for Answer { route, off, alone } in self.routes(channel, packet) {
            let at = Step { off, ..at };
            if !route.routable {
                return Err(Flaw::Unroutable { at });
            }
            // Nobody but its node waits for a packet that has not come in yet, so that it may be kept out until all others have drained.
            let mut may_go = !alone && self.is_of_node(channel);
            for (output, vc) in ways(route) {
                may_go |= off >> output & 1 == 0;
                match self.end(at.switch as usize, output) {
                    End::Switch { switch, port } => {
                        let channel = self.channel(switch as usize, port.into(), vc);
                        column.channels[channel] |= bit;
                        // Channels of the same place are looked at once, from the one that is named last.
                        if onward.last().is_some_and(|&last| self.place(last) == self.place(channel)) {
                            onward.pop();
                        }
                        if is_asked_once || !onward.contains(&channel) {
                            onward.push(channel);
                        }
                    }
                    End::Node { node, .. } if node == at.destination => column.leaving[at.switch as usize] |= bit,
                    End::Node { node, .. } => return Err(Flaw::WrongNode { at, output: output as u8, node }),
                    End::Open => return Err(Flaw::OpenPort { at, output: output as u8 }),
                }
            }
            if !may_go {
                return Err(Flaw::NoWay { at });
            }
        }
        Ok(onward)
    }

    /// The route of a packet under a condition under which nothing that it may take and rely on drains, and the ports that are off then.
    fn held_up(&self, channel: usize, packet: usize, drain: &[u64]) -> Option<(Route, u64)> {
        let switch = channel / (self.ports * self.vcs);
        let drain = &drain[switch * self.vcs..][..self.vcs];
        let drains = |set: u64, vcs: u64| members(vcs).any(|vc| set & drain[vc] != 0);
        let may_be_kept_out = self.is_of_node(channel);
        let held_up = |&Answer { route, off, alone }: &Answer| {
            (alone || !may_be_kept_out)
                && !drains(route.adaptive & !off, route.adaptive_vcs)
                && !drains(route.deterministic & !off, route.deterministic_vcs)
        };
        self.routes(channel, packet).find(held_up).map(|Answer { route, off, .. }| (route, off))
    }
}
