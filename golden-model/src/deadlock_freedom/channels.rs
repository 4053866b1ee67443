//! The channels of a network, which packets may stand in them, and which of them drain.

use super::conditions::Conditions;
use super::finding::{Finding, Flaw, Step};
use crate::reference::routing::{Route, RoutingInputs, RoutingUnit, vc_of_destination};
use powar_config::Config;
use powar_config::topology::Wiring;
use powar_config::topology::wiring::End;

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
    ports: usize,
    vcs: usize,
    destinations: usize,
    packets: Vec<Packet>,
}

/// Which packets may stand where.
struct Reached {
    /// Bits of a packet a channel, row by row of `words` words.
    bits: Vec<u64>,
    words: usize,
    most_hops: Option<u32>,
}

impl Reached {
    fn is(&self, channel: usize, packet: usize) -> bool {
        self.bits[channel * self.words + packet / 64] >> (packet % 64) & 1 == 1
    }

    fn set(&mut self, channel: usize, packet: usize) {
        self.bits[channel * self.words + packet / 64] |= 1 << (packet % 64);
    }

    fn packets_in(&self, channel: usize) -> u32 {
        self.bits[channel * self.words..][..self.words].iter().map(|word| word.count_ones()).sum()
    }
}

/// Bits of a set, lowest first.
fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// The output ports and VCs of a route, one after the other.
fn ways(route: Route) -> impl Iterator<Item = (usize, usize)> {
    let with = |set: u64, vcs: u64| members(set).flat_map(move |port| members(vcs).map(move |vc| (port, vc)));
    with(route.adaptive, route.adaptive_vcs).chain(with(route.deterministic, route.deterministic_vcs))
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
        Channels { wiring, unit, conditions, ports, vcs, destinations, packets: packets.collect() }
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

    /// The routes of a packet in a channel, condition by condition, with the ports that are off.
    fn routes(&self, channel: usize, packet: usize) -> impl Iterator<Item = (Route, u64)> {
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
                finding.channels = (0..channels).filter(|&channel| reached.packets_in(channel) > 0).count();
                finding.most_hops = reached.most_hops;
                finding.flaw = self.deadlock(&reached);
            }
        }
        finding
    }

    /// Follows every packet from all nodes over every port that it is offered.
    fn follow(&self, progress: &mut dyn FnMut(usize, usize)) -> Result<Reached, Flaw> {
        let words = self.packets.len().div_ceil(64);
        let channels = self.wiring.ends.len() * self.ports * self.vcs;
        let mut reached = Reached { bits: vec![0; channels * words], words, most_hops: Some(0) };
        let variants = self.conditions.user_bits.len();
        let mut search = vec![Search::New; self.places()];
        for packet in 0..self.packets.len() {
            search.fill(Search::New);
            let destination = self.packets[packet].destination;
            let vc = vc_of_destination(self.packets[packet].header as u16, self.vcs);
            for (node, links) in self.wiring.nodes.iter().enumerate() {
                if node as u32 == destination {
                    continue;
                }
                for &(switch, port) in links {
                    let channel = self.channel(switch as usize, port.into(), vc);
                    reached.set(channel, packet);
                    let hops = self.follow_from(channel, packet, &mut search, &mut reached)?;
                    reached.most_hops = reached.most_hops.zip(hops).map(|(most, hops)| most.max(hops));
                }
            }
            if (packet + 1) % variants == 0 {
                progress((packet + 1) / variants, self.destinations);
            }
        }
        Ok(reached)
    }

    /// Follows a packet from a channel on, depth first. Switches that it crosses at most; `None`: it may go in circles.
    fn follow_from(
        &self,
        channel: usize,
        packet: usize,
        search: &mut [Search],
        reached: &mut Reached,
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
                        way.push((channel, self.onward(channel, packet, reached)?, 0));
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
    fn onward(&self, channel: usize, packet: usize, reached: &mut Reached) -> Result<Vec<usize>, Flaw> {
        let at = self.step(channel, packet);
        let mut onward = Vec::new();
        for (route, off) in self.routes(channel, packet) {
            let at = Step { off, ..at };
            if !route.routable {
                return Err(Flaw::Unroutable { at });
            }
            let mut may_go = false;
            for (output, vc) in ways(route) {
                may_go |= off >> output & 1 == 0;
                match self.end(at.switch as usize, output) {
                    End::Switch { switch, port } => {
                        let channel = self.channel(switch as usize, port.into(), vc);
                        reached.set(channel, packet);
                        if !onward.contains(&channel) {
                            onward.push(channel);
                        }
                    }
                    End::Node { node, .. } if node == at.destination => {}
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

    /// The channels that don't drain, if there are any.
    fn deadlock(&self, reached: &Reached) -> Option<Flaw> {
        let per_switch = self.ports * self.vcs;
        let channels = self.wiring.ends.len() * per_switch;
        // Packets of each channel that are not known to move on.
        let mut pending: Vec<u32> = (0..channels).map(|channel| reached.packets_in(channel)).collect();
        // Of each switch and VC: output ports behind which that VC drains. What goes to a node does.
        let mut drain = vec![0u64; self.wiring.ends.len() * self.vcs];
        for (switch, ends) in self.wiring.ends.iter().enumerate() {
            for (port, end) in ends.iter().enumerate() {
                for vc in 0..self.vcs {
                    let drains = match *end {
                        End::Switch { switch, port } => pending[self.channel(switch as usize, port.into(), vc)] == 0,
                        End::Node { .. } => true,
                        End::Open => false,
                    };
                    drain[switch * self.vcs + vc] |= u64::from(drains) << port;
                }
            }
        }
        // Of each switch: packets that are not known to move on, with a channel that they may stand in.
        let mut waiting: Vec<Vec<(u32, u32)>> = (0..self.wiring.ends.len())
            .map(|switch| {
                let channels = switch * per_switch..(switch + 1) * per_switch;
                match self.conditions.sees_input() {
                    true => channels
                        .flat_map(|channel| (0..self.packets.len()).map(move |packet| (channel, packet)))
                        .filter(|&(channel, packet)| reached.is(channel, packet))
                        .map(|(channel, packet)| (channel as u32, packet as u32))
                        .collect(),
                    false => (0..self.packets.len())
                        .filter_map(|packet| {
                            let channel = channels.clone().find(|&channel| reached.is(channel, packet))?;
                            Some((channel as u32, packet as u32))
                        })
                        .collect(),
                }
            })
            .collect();
        // Switches behind which something has begun to drain.
        let mut changed: std::collections::VecDeque<usize> = (0..self.wiring.ends.len()).collect();
        let mut is_changed = vec![true; self.wiring.ends.len()];
        while let Some(switch) = changed.pop_front() {
            is_changed[switch] = false;
            let mut drained = Vec::new();
            waiting[switch].retain(|&(channel, packet)| {
                let (channel, packet) = (channel as usize, packet as usize);
                if self.held_up(channel, packet, &drain).is_some() {
                    return true;
                }
                let here = if self.conditions.sees_input() {
                    channel..channel + 1
                } else {
                    switch * per_switch..(switch + 1) * per_switch
                };
                for channel in here.filter(|&channel| reached.is(channel, packet)) {
                    pending[channel] -= 1;
                    if pending[channel] == 0 {
                        drained.push(channel);
                    }
                }
                false
            });
            for channel in drained {
                let (port, vc) = (channel / self.vcs % self.ports, channel % self.vcs);
                if let End::Switch { switch: before, port: output } = self.end(switch, port) {
                    let before = before as usize;
                    drain[before * self.vcs + vc] |= 1 << output;
                    if !std::mem::replace(&mut is_changed[before], true) {
                        changed.push_back(before);
                    }
                }
            }
        }
        let stuck = pending.iter().filter(|&&packets| packets > 0).count();
        (stuck > 0)
            .then(|| Flaw::Deadlock { channels: stuck, circle: self.circle(reached, &waiting, &drain, &pending) })
    }

    /// The route of a packet under a condition under which nothing that it may take and rely on drains, and the ports that are off then.
    fn held_up(&self, channel: usize, packet: usize, drain: &[u64]) -> Option<(Route, u64)> {
        let switch = channel / (self.ports * self.vcs);
        let drain = &drain[switch * self.vcs..][..self.vcs];
        let drains = |set: u64, vcs: u64| members(vcs).any(|vc| set & drain[vc] != 0);
        self.routes(channel, packet).find(|(route, off)| {
            !drains(route.adaptive & !off, route.adaptive_vcs)
                && !drains(route.deterministic & !off, route.deterministic_vcs)
        })
    }

    /// Packets in channels that don't drain, each of which waits for the channel of the next.
    fn circle(&self, reached: &Reached, waiting: &[Vec<(u32, u32)>], drain: &[u64], pending: &[u32]) -> Vec<Step> {
        let per_switch = self.ports * self.vcs;
        let mut way: Vec<(usize, Step)> = Vec::new();
        let mut channel = pending.iter().position(|&packets| packets > 0).expect("some channel does not drain");
        loop {
            if let Some(begin) = way.iter().position(|&(before, _)| before == channel) {
                return way[begin..].iter().map(|&(_, step)| step).collect();
            }
            let stuck_here = |&&(at, packet): &&(u32, u32)| {
                (!self.conditions.sees_input() || at as usize == channel) && reached.is(channel, packet as usize)
            };
            let (_, packet) = waiting[channel / per_switch].iter().find(stuck_here).expect("a packet does not move on");
            let packet = *packet as usize;
            let (route, off) = self.held_up(channel, packet, drain).expect("it is held up");
            let (output, vc) = ways(route).find(|&(port, _)| off >> port & 1 == 0).expect("it may go somewhere");
            let End::Switch { switch, port } = self.end(channel / per_switch, output) else {
                unreachable!("what goes to a node drains, and no packet goes to an open port")
            };
            way.push((channel, Step { off, ..self.step(channel, packet) }));
            channel = self.channel(switch as usize, port.into(), vc);
        }
    }
}
