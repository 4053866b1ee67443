//! Which channels drain, from those whose packets all go to nodes on.

use super::{Channels, ways};
use crate::deadlock_freedom::finding::{Flaw, Step};
use crate::deadlock_freedom::reached::{BATCH, Reached, members};
use powar_config::topology::wiring::End;
use std::collections::VecDeque;

/// Packets that are not known to move on, of each switch, with a channel that each may stand in.
type Waiting = Vec<Vec<(u32, u32)>>;

impl Channels<'_> {
    /// The channels that don't drain, if there are any.
    pub(super) fn deadlock(&self, reached: &Reached) -> Option<Flaw> {
        let mut draining = Draining::new(self, reached);
        let waiting = match self.conditions.asks_once() && !self.conditions.sees_input() {
            true => draining.by_rows(),
            false => draining.by_asking(),
        };
        let stuck = draining.pending.iter().filter(|&&packets| packets > 0).count();
        (stuck > 0).then(|| Flaw::Deadlock { channels: stuck, circle: draining.circle(&waiting) })
    }
}

/// What is known to drain so far.
struct Draining<'a> {
    network: &'a Channels<'a>,
    reached: &'a Reached,
    /// Packets of each channel that are not known to move on.
    pending: Vec<u32>,
}

impl Draining<'_> {
    fn new<'a>(network: &'a Channels<'a>, reached: &'a Reached) -> Draining<'a> {
        let channels = network.wiring.ends.len() * network.ports * network.vcs;
        let pending = (0..channels).map(|channel| reached.channels.count(channel)).collect();
        Draining { network, reached, pending }
    }

    /// Of each switch and VC: output ports behind which that VC drains. What goes to a node does.
    fn drain(&self) -> Vec<u64> {
        let network = self.network;
        let mut drain = vec![0u64; network.wiring.ends.len() * network.vcs];
        for (switch, ends) in network.wiring.ends.iter().enumerate() {
            for (port, end) in ends.iter().enumerate() {
                for vc in 0..network.vcs {
                    let drains = match *end {
                        End::Switch { switch, port } => {
                            self.pending[network.channel(switch as usize, port.into(), vc)] == 0
                        }
                        End::Node { .. } => true,
                        End::Open => false,
                    };
                    drain[switch * network.vcs + vc] |= u64::from(drains) << port;
                }
            }
        }
        drain
    }

    /// Finds what drains where all of a packet's ways are known and may be relied on, wherever it came in: then the packets that a channel lets move on once it
    /// drains are those that may stand in it, so that nobody need be asked again. Returns what is left.
    fn by_rows(&mut self) -> Waiting {
        let per_switch = self.network.ports * self.network.vcs;
        let switches = self.network.wiring.ends.len();
        let mut waiting: Vec<Vec<u64>> = (0..switches)
            .map(|switch| {
                let mut all = vec![0; self.reached.leaving.row(switch).len()];
                for channel in switch * per_switch..(switch + 1) * per_switch {
                    all.iter_mut().zip(self.reached.channels.row(channel)).for_each(|(all, row)| *all |= row);
                }
                all
            })
            .collect();
        // Switches, and packets that move on from them.
        let mut moving: Vec<(usize, Vec<(usize, u64)>)> = vec![];
        let mut move_on = |moving: &mut Vec<_>, switch: usize, row: &[u64]| {
            let words = waiting[switch].iter_mut().zip(row).enumerate();
            let moved = words.filter_map(|(place, (waiting, row))| {
                let moved = *waiting & row;
                *waiting &= !row;
                (moved != 0).then_some((place, moved))
            });
            let moved: Vec<(usize, u64)> = moved.collect();
            if !moved.is_empty() {
                moving.push((switch, moved));
            }
        };
        for switch in 0..switches {
            move_on(&mut moving, switch, self.reached.leaving.row(switch));
        }
        while let Some((switch, moved)) = moving.pop() {
            for channel in switch * per_switch..(switch + 1) * per_switch {
                let row = self.reached.channels.row(channel);
                let here: u32 = moved.iter().map(|&(place, moved)| (row[place] & moved).count_ones()).sum();
                self.pending[channel] -= here;
                if here > 0
                    && self.pending[channel] == 0
                    && let Some(before) = self.before(channel)
                {
                    move_on(&mut moving, before, row);
                }
            }
        }
        let left = |(switch, row): (usize, &Vec<u64>)| {
            let packets =
                row.iter().enumerate().flat_map(|(place, &word)| members(word).map(move |bit| place * BATCH + bit));
            packets.filter_map(|packet| self.some_channel(switch, packet)).collect()
        };
        waiting.iter().enumerate().map(left).collect()
    }

    /// The switch from which packets come into a channel, unless it is a node.
    fn before(&self, channel: usize) -> Option<usize> {
        let input = channel / self.network.vcs;
        match self.network.end(input / self.network.ports, input % self.network.ports) {
            End::Switch { switch, .. } => Some(switch as usize),
            End::Node { .. } | End::Open => None,
        }
    }

    /// A channel of a switch in which a packet may stand, and the packet.
    fn some_channel(&self, switch: usize, packet: usize) -> Option<(u32, u32)> {
        let per_switch = self.network.ports * self.network.vcs;
        let mut channels = switch * per_switch..(switch + 1) * per_switch;
        let channel = channels.find(|&channel| self.reached.channels.is(channel, packet))?;
        Some((channel as u32, packet as u32))
    }

    /// Packets and the channels that they may stand in, one for each place that the routing unit tells apart.
    fn all_waiting(&self) -> Waiting {
        let (network, packets) = (self.network, self.network.packets.len());
        let per_switch = network.ports * network.vcs;
        let of_switch = |switch: usize| match network.conditions.sees_input() {
            true => (switch * per_switch..(switch + 1) * per_switch)
                .flat_map(|channel| (0..packets).map(move |packet| (channel, packet)))
                .filter(|&(channel, packet)| self.reached.channels.is(channel, packet))
                .map(|(channel, packet)| (channel as u32, packet as u32))
                .collect(),
            false => (0..packets).filter_map(|packet| self.some_channel(switch, packet)).collect(),
        };
        (0..network.wiring.ends.len()).map(of_switch).collect()
    }

    /// Finds what drains by asking the routing unit about every packet again whenever a channel that it may go to has begun to drain. Returns what is left.
    fn by_asking(&mut self) -> Waiting {
        let (network, mut waiting, mut drain) = (self.network, self.all_waiting(), self.drain());
        let per_switch = network.ports * network.vcs;
        // Switches behind which something has begun to drain.
        let mut changed: VecDeque<usize> = (0..network.wiring.ends.len()).collect();
        let mut is_changed = vec![true; network.wiring.ends.len()];
        while let Some(switch) = changed.pop_front() {
            is_changed[switch] = false;
            let mut drained = Vec::new();
            waiting[switch].retain(|&(channel, packet)| {
                let (channel, packet) = (channel as usize, packet as usize);
                if network.held_up(channel, packet, &drain).is_some() {
                    return true;
                }
                let here = if network.conditions.sees_input() {
                    channel..channel + 1
                } else {
                    switch * per_switch..(switch + 1) * per_switch
                };
                for channel in here.filter(|&channel| self.reached.channels.is(channel, packet)) {
                    self.pending[channel] -= 1;
                    if self.pending[channel] == 0 {
                        drained.push(channel);
                    }
                }
                false
            });
            for channel in drained {
                let (port, vc) = (channel / network.vcs % network.ports, channel % network.vcs);
                if let End::Switch { switch: before, port: output } = network.end(switch, port) {
                    let before = before as usize;
                    drain[before * network.vcs + vc] |= 1 << output;
                    if !std::mem::replace(&mut is_changed[before], true) {
                        changed.push_back(before);
                    }
                }
            }
        }
        waiting
    }

    /// Packets in channels that don't drain, each of which waits for the channel of the next.
    fn circle(&self, waiting: &Waiting) -> Vec<Step> {
        let (network, drain) = (self.network, self.drain());
        let per_switch = network.ports * network.vcs;
        let mut way: Vec<(usize, Step)> = Vec::new();
        let mut channel = self.pending.iter().position(|&packets| packets > 0).expect("some channel does not drain");
        loop {
            if let Some(begin) = way.iter().position(|&(before, _)| before == channel) {
                return way[begin..].iter().map(|&(_, step)| step).collect();
            }
            let stuck_here = |&&(at, packet): &&(u32, u32)| {
                (!network.conditions.sees_input() || at as usize == channel)
                    && self.reached.channels.is(channel, packet as usize)
            };
            let (_, packet) = waiting[channel / per_switch].iter().find(stuck_here).expect("a packet does not move on");
            let packet = *packet as usize;
            let (route, off) = network.held_up(channel, packet, &drain).expect("it is held up");
            let (output, vc) = ways(route).find(|&(port, _)| off >> port & 1 == 0).expect("it may go somewhere");
            let End::Switch { switch, port } = network.end(channel / per_switch, output) else {
                unreachable!("what goes to a node drains, and no packet goes to an open port")
            };
            way.push((channel, Step { off, ..network.step(channel, packet) }));
            channel = network.channel(switch as usize, port.into(), vc);
        }
    }
}
