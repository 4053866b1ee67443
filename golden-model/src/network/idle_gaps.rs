//! For how long links between switches carry nothing, and what an oracle could make of it.
//!
//! An idle gap of a link is a run of cycles without a flit: it begins behind the last flit that departs and ends with the next one that
//! uses the same link (Soteriou and Peh, *Design-Space Exploration of Power-Aware On/Off Interconnection Networks*, 2004, section II-A).
//! Both directions of a cable are links of their own, and so is each link of a trunk.
//!
//! The oracle (section II-B) knows all gaps beforehand. It switches a link off where the gap is longer than twice the transition time, so
//! that it is off and on again when the next flit comes: for g - 2 t_trans of a gap of g > 2 t_trans cycles, since transitions take full power.
//!
//! Of a window of cycles only what is in it is known. A gap that reaches its first or its last cycle is an *edge gap*: it may be part of a
//! longer one. Its length is what of it is in the window. It is in no distribution; the oracle takes it for a whole gap of that length, both
//! transitions included, so that it promises too little rather than too much: of a link without a flit 2 t_trans are lost.

use super::{NetPacket, Observer};
use crate::fast::switch::Train;
use powar_config::topology::wiring::{End, Wiring};
use std::ops::Range;

/// Gaps of some kind: how many, and cycles in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    pub count: u64,
    pub cycles: u64,
}

impl Gaps {
    fn add(&mut self, cycles: u64) {
        self.count += 1;
        self.cycles += cycles;
    }
}

/// What came of all links in a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdleTime {
    /// Links between switches.
    pub links: u64,
    /// Cycles of the window.
    pub cycles: u64,
    /// Cycles with a flit, of all links.
    pub busy: u64,
    /// Whole gaps by their length: of 2^i to 2^(i+1) - 1 cycles at place i, up to the longest.
    pub whole: Vec<Gaps>,
    /// Cycles of the longest whole gap; 0 if there is none.
    pub longest: u64,
    /// Gaps that the window cuts, or that begin or end with it.
    pub edge: Gaps,
    /// By transition time, in the order asked for: gaps in which the oracle would switch a link off, and the cycles that it is off for.
    pub oracle: Vec<(u64, Gaps)>,
}

/// A link between switches.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Behind the last flit; the window's beginning if there was none in it.
    idle_since: u64,
    /// There was a flit in the window.
    used: bool,
}

/// Counts gaps, from the trains that it is told of.
#[derive(Clone, Debug)]
pub struct IdleGaps {
    window: Range<u64>,
    ports: usize,
    /// One row of `ports` a switch; none of those that lead to nodes or nowhere.
    links: Vec<Option<Link>>,
    time: IdleTime,
}

impl IdleGaps {
    /// Nothing has been seen of a window that begins here and ends there or before ([`finish`](IdleGaps::finish)); `t_trans` are cycles.
    pub fn new(wiring: &Wiring, window: Range<u64>, t_trans: &[u64]) -> IdleGaps {
        let link =
            |end: &End| matches!(end, End::Switch { .. }).then_some(Link { idle_since: window.start, used: false });
        let links: Vec<_> = wiring.ends.iter().flatten().map(link).collect();
        let time = IdleTime {
            links: links.iter().flatten().count() as u64,
            oracle: t_trans.iter().map(|&t_trans| (t_trans, Gaps::default())).collect(),
            ..IdleTime::default()
        };
        IdleGaps { window, ports: wiring.ends.first().map_or(0, Vec::len), links, time }
    }

    /// The window ends before the cycle `end`, up to which everything has been seen.
    pub fn finish(mut self, end: u64) -> IdleTime {
        let end = end.min(self.window.end).max(self.window.start);
        for link in self.links.iter().flatten().filter(|link| link.idle_since < end) {
            self.time.gap(end - link.idle_since, true);
        }
        self.time.cycles = end - self.window.start;
        self.time
    }
}

impl IdleTime {
    fn gap(&mut self, cycles: u64, is_edge: bool) {
        if is_edge {
            self.edge.add(cycles);
        } else {
            let place = cycles.ilog2() as usize;
            if self.whole.len() <= place {
                self.whole.resize(place + 1, Gaps::default());
            }
            self.whole[place].add(cycles);
            self.longest = self.longest.max(cycles);
        }
        for (t_trans, off) in &mut self.oracle {
            if cycles > 2 * *t_trans {
                off.add(cycles - 2 * *t_trans);
            }
        }
    }

    /// All whole gaps.
    pub fn all_whole(&self) -> Gaps {
        let add = |all: Gaps, of: &Gaps| Gaps { count: all.count + of.count, cycles: all.cycles + of.cycles };
        self.whole.iter().fold(Gaps::default(), add)
    }
}

impl Observer for IdleGaps {
    fn train(&mut self, now: u64, switch: u32, train: &Train<NetPacket>) {
        let Some(link) = &mut self.links[switch as usize * self.ports + usize::from(train.port)] else { return };
        let begin = now.max(self.window.start);
        let end = (now + u64::from(train.flits)).min(self.window.end);
        if begin >= end {
            return;
        }
        let (gap, is_edge) = (begin - link.idle_since, !link.used);
        *link = Link { idle_since: end, used: true };
        self.time.busy += end - begin;
        if gap > 0 {
            self.time.gap(gap, is_edge);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{Config, Phase};

    fn train(port: u8, flits: u16) -> Train<NetPacket> {
        let payload = NetPacket { header: 0, packet: 0 };
        Train { port, vc: 0, head: true, phase: Phase::On, flits, payload }
    }

    /// A ring of four switches: ports 0 and 1 lead to the neighbours, port 2 to the node.
    fn ring(window: Range<u64>, t_trans: &[u64]) -> (IdleGaps, u8) {
        let wiring = Wiring::new(&Config::of_network("torus-4").unwrap()).unwrap();
        let port = wiring.ends[0].iter().position(|end| matches!(end, End::Switch { .. })).unwrap();
        (IdleGaps::new(&wiring, window, t_trans), port as u8)
    }

    #[test]
    fn gaps_are_between_flits_and_at_the_edges() {
        let (mut gaps, port) = ring(100..200, &[0, 1, 4, 10]);
        // Flits in 98..103, 103..105, 110, 111..113 and 190..; one to a node, and one behind the window.
        for (now, flits) in [(40, 3), (98, 5), (103, 2), (110, 1), (111, 2), (190, 5)] {
            gaps.train(now, 0, &train(port, flits));
        }
        let node = (0..3).find(|&other| gaps.links[other].is_none()).unwrap();
        gaps.train(120, 0, &train(node as u8, 9));
        gaps.train(199, 1, &train(port, 8));
        gaps.train(200, 2, &train(port, 8));
        let time = gaps.finish(200);
        assert_eq!((time.links, time.cycles, time.busy), (8, 100, 5 + 3 + 5 + 1));
        // 105..110, 113..190.
        let mut whole = vec![Gaps::default(); 7];
        (whole[2], whole[6]) = (Gaps { count: 1, cycles: 5 }, Gaps { count: 1, cycles: 77 });
        assert_eq!((time.whole.clone(), time.longest), (whole, 77));
        assert_eq!(time.all_whole(), Gaps { count: 2, cycles: 82 });
        // 195..200, 99 of switch 1's link, 100 of the six others.
        assert_eq!(time.edge, Gaps { count: 8, cycles: 5 + 99 + 600 });
        let off = |t: u64| 5_u64.saturating_sub(2 * t) * 2 + 77 - 2 * t + 99 - 2 * t + 6 * (100 - 2 * t);
        let oracle = |t, count| (t, Gaps { count, cycles: off(t) });
        assert_eq!(time.oracle, [oracle(0, 10), oracle(1, 10), oracle(4, 8), oracle(10, 8)]);
        assert_eq!(time.busy + time.all_whole().cycles + time.edge.cycles, time.links * time.cycles);
    }

    #[test]
    fn an_idle_network_is_off_but_for_two_transitions_a_link() {
        let (gaps, _) = ring(1_000..5_000, &[1, 1999, 2000, 3000]);
        let time = gaps.finish(u64::MAX);
        assert_eq!((time.links, time.cycles, time.busy, time.longest), (8, 4_000, 0, 0));
        let off = |t, count, cycles| (t, Gaps { count, cycles });
        assert_eq!(time.oracle, [off(1, 8, 8 * 3_998), off(1999, 8, 16), off(2000, 0, 0), off(3000, 0, 0)]);
    }

    #[test]
    fn a_window_may_end_before_it_was_to() {
        let (mut gaps, port) = ring(10..u64::MAX, &[1]);
        gaps.train(12, 0, &train(port, 4));
        let time = gaps.finish(20);
        assert_eq!((time.cycles, time.busy, time.edge), (10, 4, Gaps { count: 9, cycles: 2 + 4 + 70 }));
        assert_eq!(ring(10..20, &[]).0.finish(5).cycles, 0);
    }
}
