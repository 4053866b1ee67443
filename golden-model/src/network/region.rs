//! Bundles of switches that are simulated together, for a window of cycles at a time.
//!
//! What a switch puts on a link comes in elsewhere a link's delay later. In a window that is no longer than that, nothing that happens at a switch is
//! of any meaning to another, so each bundle goes through all of the window alone (`docs/windows.md`): while it does, it is in the cache; and regions can be simulated at the same
//! time. Inside, switches are their [`Bundles`].

use super::SwitchModel;
use super::arrivals::{Arrival, Arrivals, AtNode, REGION};
use super::bundles::Bundles;
use super::net_packet::NetPacket;
use crate::bits::ones;
use crate::fast::power::{Sideband, Signal};
use crate::fast::switch::{Credits, Inputs, Train};
use powar_config::topology::wiring::End;
use std::slice::{ChunksMut, IterMut};

/// All regions of a network.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    regions: Vec<Region>,
    /// Bundles of each are two to the power of so much, but for the last, which may have fewer.
    bits: u32,
}

impl Regions {
    /// After reset.
    pub fn new(bundles: &Bundles) -> Regions {
        let (number, size) = (bundles.number(), REGION.div_ceil(bundles.size()).next_power_of_two());
        let region = |first: usize| Region::new(first as u32, size.min(number - first));
        Regions { regions: (0..number).step_by(size).map(region).collect(), bits: size.trailing_zeros() }
    }

    pub fn len(&self) -> usize {
        self.regions.len()
    }

    /// The first cycle in which a bundle has something to do; `u64::MAX` if there is none.
    pub fn next(&self) -> u64 {
        self.regions.iter().map(|region| region.next).min().unwrap_or(u64::MAX)
    }

    /// The region of a bundle.
    #[inline]
    pub fn of(&self, bundle: u32) -> &Region {
        &self.regions[bundle as usize >> self.bits]
    }

    /// The same, to give it something.
    #[inline]
    pub fn of_mut(&mut self, bundle: u32) -> &mut Region {
        &mut self.regions[bundle as usize >> self.bits]
    }

    /// What a region has put on links, by the region's number; the lists are to be given back.
    pub fn departures(&mut self, region: usize) -> &mut Departures {
        &mut self.regions[region].departures
    }

    /// Every region with its bundles.
    pub fn with<'a, S>(&'a mut self, bundles: &'a mut [S]) -> Work<'a, S> {
        self.regions.iter_mut().zip(bundles.chunks_mut(1 << self.bits))
    }
}

/// Regions, each with its bundles.
pub(super) type Work<'a, S> = std::iter::Zip<IterMut<'a, Region>, ChunksMut<'a, S>>;

/// What all bundles of a network have in common.
#[derive(Clone, Copy)]
pub(super) struct Links<'a> {
    pub bundles: Bundles,
    /// What is at the other end of every port, a row each bundle ([`Bundles::ends`]).
    pub ends: &'a [End],
    /// Cycles from the one in which a switch is stepped to that in which what it then shows comes in elsewhere: at a switch, at a node.
    pub delay: u64,
    pub node_delay: u64,
    /// There are mechanisms that see their neighbours.
    pub sees_neighbours: bool,
    /// Bundles of the control ring, if the mechanisms have one: all of them, of one switch each, in the order of their numbers.
    pub ring: Option<u32>,
    /// The switches are more than what a cache holds.
    pub is_large: bool,
    /// There is somebody who wants to know of every train.
    pub observed: bool,
}

/// What a train through a switch takes, about, beside a step in which nothing much happens.
const TRAIN_WORK: u64 = 4;

/// What a region has put on links in a window.
#[derive(Clone, Debug, Default)]
pub(super) struct Departures {
    pub trains: Vec<Arrival<Train<NetPacket>>>,
    pub credits: Vec<Arrival<Credits>>,
    pub signals: Vec<Arrival<Signal>>,
    /// Words of the control ring.
    pub ring: Vec<Arrival<u64>>,
    /// To nodes, with the cycle in which they begin to come in there, and the bundle that gets the credits.
    pub node_trains: Vec<(u64, u32, AtNode<Train<NetPacket>>)>,
    pub node_credits: Vec<(u64, AtNode<u16>)>,
    /// For the observer: the cycle in which a train is on the link, and whose it is.
    pub seen: Vec<(u64, u32, Train<NetPacket>)>,
    /// Flits of trains to nodes and switches, steps of bundles, and the last cycle in which a flit was put on a link.
    pub flit_hops: u64,
    pub steps: u64,
    pub last_move: u64,
    /// How long that took, about, as so many steps in which nothing much happens.
    pub work: u64,
}

impl Departures {
    /// Nothing was done.
    pub fn is_empty(&self) -> bool {
        self.steps == 0
    }
}

/// What comes in at a bundle in a cycle.
#[derive(Clone, Debug, Default)]
struct Now {
    trains: Vec<Train<NetPacket>>,
    credits: Vec<Credits>,
    signals: Vec<Signal>,
    ring: Vec<u64>,
}

/// What is known of a region's bundles beside themselves.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Number of the first of them.
    first: u32,
    /// The first cycle in which each has something to do even if nothing comes in.
    wake: Box<[u64]>,
    /// What the links of each showed last, if its neighbours see that.
    shown: Box<[Sideband]>,
    trains: Arrivals<Train<NetPacket>>,
    credits: Arrivals<Credits>,
    signals: Arrivals<Signal>,
    ring: Arrivals<u64>,
    /// The first cycle in which one has something to do.
    next: u64,
    now: Now,
    pub departures: Departures,
}

impl Region {
    /// After reset: all ports show that they are on, without a hint, and every bundle is to be stepped.
    fn new(first: u32, bundles: usize) -> Region {
        Region {
            first,
            wake: vec![0; bundles].into(),
            shown: vec![Sideband::default(); bundles].into(),
            trains: Arrivals::new(first),
            credits: Arrivals::new(first),
            signals: Arrivals::new(first),
            ring: Arrivals::new(first),
            next: 0,
            now: Now::default(),
            departures: Departures::default(),
        }
    }

    /// The first cycle in which one of its bundles has something to do; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// A train comes in at one of its bundles, at the port that it names.
    #[inline]
    pub fn train(&mut self, train: Arrival<Train<NetPacket>>) {
        self.next = self.next.min(train.cycle);
        self.trains.push(train);
    }

    /// Credits come in.
    #[inline]
    pub fn credits(&mut self, credits: Arrival<Credits>) {
        self.next = self.next.min(credits.cycle);
        self.credits.push(credits);
    }

    /// The other end of a link shows something else.
    #[inline]
    pub fn signal(&mut self, signal: Arrival<Signal>) {
        self.next = self.next.min(signal.cycle);
        self.signals.push(signal);
    }

    /// A word comes in on the control ring.
    #[inline]
    pub fn ring_word(&mut self, word: Arrival<u64>) {
        self.next = self.next.min(word.cycle);
        self.ring.push(word);
    }

    /// Of a train for this VC nothing has come in yet.
    pub fn has_train(&self, (bundle, port): (u32, u8), vc: u8) -> bool {
        self.trains.any(bundle, |train| (train.port, train.vc) == (port, vc))
    }

    /// Likewise of credits.
    pub fn has_credits(&self, (bundle, port): (u32, u8), vc: u8) -> bool {
        self.credits.any(bundle, |run| (run.port, run.vc) == (port, vc))
    }

    /// Its bundles do all that they do in the window up to a cycle.
    pub fn advance<S: SwitchModel>(&mut self, bundles: &mut [S], end: u64, links: &Links) {
        let come = self.trains.open(end) | self.credits.open(end) | self.signals.open(end) | self.ring.open(end);
        let due = (0..).zip(&self.wake).fold(come, |mask, (i, wake)| mask | u64::from(*wake < end) << i);
        for place in ones(due) {
            // As much as that needs most of what a switch has; less is quicker without.
            if links.is_large && self.trains.left(place) + self.credits.left(place) >= links.bundles.ports() {
                bundles[place].touch();
            }
            self.advance_one(&mut bundles[place], place, end, links);
        }
        let arrivals = self.trains.first().min(self.credits.first()).min(self.signals.first()).min(self.ring.first());
        self.next = self.wake.iter().copied().fold(arrivals, u64::min);
    }

    fn advance_one(&mut self, bundle: &mut impl SwitchModel, place: usize, end: u64, links: &Links) {
        let Region { first, wake, shown, trains, credits, signals, ring, now: come, departures, .. } = self;
        let (number, wake) = (*first + place as u32, &mut wake[place]);
        let ends = &links.ends[number as usize * links.bundles.ports()..][..links.bundles.ports()];
        loop {
            let arrivals = trains.next(place).min(credits.next(place)).min(signals.next(place)).min(ring.next(place));
            let now = arrivals.min(*wake);
            if now >= end {
                break;
            }
            trains.take(place, now, &mut come.trains);
            credits.take(place, now, &mut come.credits);
            signals.take(place, now, &mut come.signals);
            ring.take(place, now, &mut come.ring);
            if *wake > now
                && come.trains.is_empty()
                && come.signals.is_empty()
                && come.ring.is_empty()
                && bundle.credits_come(now, &come.credits)
            {
                *wake = bundle.next_event();
                continue;
            }
            (departures.steps, departures.work) = (departures.steps + 1, departures.work + 1);
            let Now { trains, credits, signals, ring } = &*come;
            let ring = ring.first().copied().unwrap_or(0);
            let inputs = Inputs { rst: false, trains, credits, neighbours: signals, ring, bus: None };
            let outputs = bundle.step(now, &inputs);
            let outbound = Outbound { number, now, ends, links };
            if links.sees_neighbours {
                outbound.sideband(&outputs.sideband, &mut shown[place], departures);
            }
            if let Some(bundles) = links.ring.filter(|_| outputs.ring != 0) {
                let cycle = now + links.delay;
                departures.ring.push(Arrival { cycle, bundle: (number + 1) % bundles, what: outputs.ring });
            }
            outbound.trains(&outputs.trains, departures);
            outbound.credits(&outputs.credits, departures);
            *wake = bundle.next_event();
        }
    }
}

/// What a bundle puts on its links in a cycle, and where it goes.
struct Outbound<'a> {
    number: u32,
    now: u64,
    /// The other ends of its ports.
    ends: &'a [End],
    links: &'a Links<'a>,
}

impl Outbound<'_> {
    /// What ports show of themselves, where it is new.
    fn sideband(&self, outputs: &Sideband, shown: &mut Sideband, departures: &mut Departures) {
        for port in ones(outputs.differences(shown)) {
            if let End::Switch { switch: bundle, port: there } = self.ends[port] {
                let what = Signal { port: there, ..outputs.of(port) };
                departures.signals.push(Arrival { cycle: self.now + self.links.delay, bundle, what });
            }
        }
        *shown = *outputs;
    }

    #[inline]
    fn trains(&self, trains: &[Train<NetPacket>], departures: &mut Departures) {
        let &Outbound { number, now, ends, links } = self;
        for train in trains {
            departures.flit_hops += u64::from(train.flits);
            departures.work += TRAIN_WORK;
            departures.last_move = departures.last_move.max(now + u64::from(train.flits) - 1);
            if links.observed {
                let (switch, port) = links.bundles.outside((number, train.port));
                departures.seen.push((now + 1, switch, Train { port, ..*train }));
            }
            match ends[usize::from(train.port)] {
                End::Switch { switch: bundle, port } => {
                    let what = Train { port, ..*train };
                    departures.trains.push(Arrival { cycle: now + links.delay, bundle, what });
                }
                End::Node { node, link: lane } => {
                    let what = AtNode { node, lane, vc: train.vc, what: *train };
                    departures.node_trains.push((now + links.node_delay, number, what));
                }
                End::Open => unreachable!("routing uses no port without a cable"),
            }
        }
    }

    #[inline]
    fn credits(&self, credits: &[Credits], departures: &mut Departures) {
        let &Outbound { now, ends, links, .. } = self;
        for &Credits { port, vc, credits } in credits {
            match ends[usize::from(port)] {
                End::Switch { switch: bundle, port } => {
                    let what = Credits { port, vc, credits };
                    departures.credits.push(Arrival { cycle: now + links.delay, bundle, what });
                }
                End::Node { node, link: lane } => {
                    let what = AtNode { node, lane, vc, what: credits };
                    departures.node_credits.push((now + links.node_delay, what));
                }
                End::Open => unreachable!("flits come in over cables only"),
            }
        }
    }
}
