//! The switches in a window of cycles, on one core or several (`docs/windows.md`).

use super::arrivals::{Arrival, AtNode};
use super::region::{Departures, Links, Work};
use super::{Network, NodeModel, Observer, Received, SwitchModel};
use crate::fast::switch::Credits;
use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex};

/// Trains to nodes of which the flits are not counted at once: it is done for many of them.
const MOST_COMING: usize = 1 << 12;

/// Ports of all switches from which on what a window needs of a switch is no longer in the cache: so many take some ten megabytes.
const MANY_PORTS: usize = 4096;

/// Simulates all regions of a window.
type Advance<S> = fn(&ThreadPool, Work<S>, u64, &Links);

/// Work of the last window from which on the next one is worth waking other threads.
const WORTH_SHARING: u64 = 2_500;

/// The threads that simulate regions.
#[derive(Clone, Debug)]
pub(super) struct Workers<S> {
    /// Those beside the caller's own thread, and how they do it; none: the caller does it all.
    others: Option<(Arc<ThreadPool>, Advance<S>)>,
    /// Work of the window before ([`Departures::work`]), and the windows so far in which others took part.
    work: u64,
    shared_windows: u64,
}

impl<S> Default for Workers<S> {
    fn default() -> Self {
        Workers { others: None, work: 0, shared_windows: 0 }
    }
}

impl<S: SwitchModel> Workers<S> {
    fn advance(&mut self, work: Work<S>, end: u64, links: &Links) {
        match &self.others {
            Some((pool, advance)) if self.work >= WORTH_SHARING => {
                self.shared_windows += 1;
                advance(pool, work, end, links);
            }
            _ => advance_here(work, end, links),
        }
    }
}

/// One region after the other.
fn advance_here<S: SwitchModel>(work: Work<S>, end: u64, links: &Links) {
    for (region, switches) in work {
        if region.next() < end {
            region.advance(switches, end, links);
        }
    }
}

/// Every thread takes the next region that nobody has.
fn advance_together<S: SwitchModel + Send>(pool: &ThreadPool, work: Work<S>, end: u64, links: &Links) {
    let work = Mutex::new(work.filter(|(region, _)| region.next() < end));
    let next = || work.lock().ok()?.next();
    let take_turns = || {
        while let Some((region, switches)) = next() {
            region.advance(switches, end, links);
        }
    };
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            scope.spawn(|_| take_turns());
        }
        take_turns();
    });
}

impl<S: SwitchModel + Send, N: NodeModel> Network<S, N> {
    /// Simulates switches on up to so many threads, where that pays; what comes out is the same.
    ///
    /// # Errors
    /// Threads can't be started.
    pub fn on_threads(mut self, threads: usize) -> Result<Self> {
        self.workers.others = match threads.min(self.regions.len()) {
            0 | 1 => None,
            threads => {
                let pool = ThreadPoolBuilder::new().num_threads(threads - 1).build();
                Some((Arc::new(pool.context("can't start the threads")?), advance_together))
            }
        };
        Ok(self)
    }
}

impl<S: SwitchModel, N: NodeModel> Network<S, N> {
    /// Windows of cycles so far in which several threads simulated switches.
    pub fn shared_windows(&self) -> u64 {
        self.workers.shared_windows
    }

    /// The switches do all that they do in the window up to a cycle.
    pub(super) fn advance_switches(&mut self, end: u64, observer: &mut impl Observer) {
        self.advance_regions(end, observer.looks());
        let mut seen = Vec::new();
        self.workers.work = 0;
        for region in 0..self.regions.len() {
            if !self.regions.departures(region).is_empty() {
                let mut departures = std::mem::take(self.regions.departures(region));
                self.depart(&mut departures);
                seen.append(&mut departures.seen);
                *self.regions.departures(region) = departures;
            }
        }
        // Within a cycle by switch, as they come out of a cycle.
        seen.sort_by_key(|(cycle, switch, _)| (*cycle, *switch));
        seen.iter().for_each(|(cycle, switch, train)| observer.train(*cycle, *switch, train));
        if self.coming.len() > MOST_COMING {
            self.count_flits(end);
        }
    }

    fn advance_regions(&mut self, end: u64, observed: bool) {
        let Network { parameters, bundles, ends, regions, switches, workers, hints, has_ring, .. } = self;
        let links = Links {
            bundles: *bundles,
            ends,
            delay: 1 + parameters.link_delay,
            node_delay: 1 + parameters.node_link_delay,
            sees_neighbours: hints.is_some(),
            ring: has_ring.then_some(switches.len() as u32),
            is_large: switches.len() * bundles.ports() >= MANY_PORTS,
            observed,
        };
        workers.advance(regions.with(switches), end, &links);
    }

    /// What a region has put on links is on its way.
    fn depart(&mut self, departures: &mut Departures) {
        let Network {
            parameters, regions, nodes, senders, to_nodes, coming, credits_to_nodes, counts, workers, ..
        } = self;
        departures.trains.drain(..).for_each(|train| regions.of_mut(train.bundle).train(train));
        departures.credits.drain(..).for_each(|run| regions.of_mut(run.bundle).credits(run));
        departures.signals.drain(..).for_each(|signal| regions.of_mut(signal.bundle).signal(signal));
        departures.ring.drain(..).for_each(|word| regions.of_mut(word.bundle).ring_word(word));
        for (cycle, at) in departures.node_credits.drain(..) {
            credits_to_nodes.push(cycle, at);
        }
        for (cycle, from, at) in departures.node_trains.drain(..) {
            let AtNode { node, lane, vc, what: train } = at;
            let flits = u64::from(train.flits);
            coming.push((cycle, flits));
            let received = nodes[node as usize].coming(cycle, lane, &train);
            if received == Received::Later {
                senders.add(cycle, node);
                continue;
            }
            // A node that takes every flit at once has its place in the buffer free again in the same cycle.
            let what = Credits { port: train.port, vc, credits: train.flits };
            let back = Arrival { cycle: cycle + parameters.node_link_delay, bundle: from, what };
            regions.of_mut(from).credits(back);
            if received != Received::Flits {
                to_nodes.push(cycle + flits - 1, AtNode { node, lane, vc, what: (train.payload.packet, received) });
            }
        }
        counts.flit_hops += std::mem::take(&mut departures.flit_hops);
        counts.switch_steps += std::mem::take(&mut departures.steps);
        workers.work += std::mem::take(&mut departures.work);
        self.last_move = self.last_move.max(departures.last_move);
    }
}
