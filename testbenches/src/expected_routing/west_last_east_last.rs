//! Meshes whose links may be off but for one-way streets, over two virtual networks that look ahead: here by a search along the streets.

use super::{ExpectedRouting, Head, Route, Rules, links};
use powar_config::topology::connectivity::{ALTERNATING, DIRECTIONS, Grid};
use powar_config::{Config, Topology};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Ports to other switches, east and west the first of them.
const SWITCHES: usize = 4;
const EAST: usize = 0;
const WEST: usize = 1;

#[derive(Debug)]
struct Networks {
    grid: Grid,
    /// Several nodes a switch, told apart by the lowest digit.
    several: bool,
}

pub(super) fn of(config: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    let grid = Grid::of(topology).ok().filter(|grid| !grid.wraps)?;
    Some(Arc::new(Networks { grid, several: config.ports > SWITCHES + 1 }))
}

/// The direction from which a packet comes in at a port, as that in which it goes.
fn opposite(port: usize) -> usize {
    port ^ 1
}

/// The direction that a virtual channel's network keeps for the end of the way.
fn last(vc: usize) -> usize {
    if vc.is_multiple_of(2) { WEST } else { EAST }
}

fn may_turn(heading: Option<usize>, next: usize, last: usize) -> bool {
    heading.is_none_or(|heading| next != opposite(heading) && (heading != last || next == last))
}

impl Networks {
    /// The switch of a place in the network, by its digits.
    fn switch(&self, digits: &[usize]) -> usize {
        let digits = &digits[usize::from(self.several)..];
        digits[0] + self.grid.columns * digits[1]
    }

    fn beside(&self, switch: usize, port: usize) -> Option<usize> {
        self.grid.neighbour(switch, DIRECTIONS[port])
    }

    /// Whether a packet that sets out for a switch in this direction gets on from the next one over what is never off.
    fn ahead(&self, from: usize, port: usize, to: usize, last: usize) -> bool {
        let Some(next) = self.beside(from, port) else { return false };
        let [(x, y), (tx, ty)] = [from, to].map(|switch| self.grid.coordinates(switch));
        // It would have to leave its row to come back to it.
        let nears = if port == EAST { tx > x } else { tx < x };
        if port == opposite(last) && y == ty && !nears {
            return false;
        }
        let (mut seen, mut front) = (BTreeSet::new(), vec![(next, port)]);
        while let Some((switch, heading)) = front.pop() {
            if switch == to {
                return true;
            }
            if !seen.insert((switch, heading)) {
                continue;
            }
            let ever_on = ALTERNATING.ever_on(&self.grid, switch);
            let ways = (0..SWITCHES).filter(|way| ever_on >> way & 1 == 1 && may_turn(Some(heading), *way, last));
            front.extend(ways.filter_map(|way| Some((self.beside(switch, way)?, way))));
        }
        false
    }
}

impl Rules for Networks {
    /// What serves is not known here: every way that it might leave is allowed.
    fn route(&self, at: &ExpectedRouting, to: &[usize], head: &Head) -> Route {
        let [here, there] = [&at.position[..], to].map(|digits| self.switch(digits));
        if here == there {
            let own = links(SWITCHES + if self.several { to[0] } else { 0 }, 1);
            return Route { deterministic: own, deterministic_vcs: links(0, at.vcs), ..Route::default() };
        }
        let heading = (head.input < SWITCHES).then(|| opposite(head.input));
        let [(x, _), (tx, ty)] = [here, there].map(|switch| self.grid.coordinates(switch));
        let odd = match heading {
            Some(_) => head.vc % 2 == 1,
            None if tx == x => ty.is_multiple_of(2),
            None => tx < x,
        };
        let last = last(usize::from(odd));
        let may_go = |port: &usize| may_turn(heading, *port, last) && self.ahead(here, *port, there, last);
        Route {
            adaptive: (0..SWITCHES).filter(may_go).fold(0, |ports, port| ports | 1 << port),
            adaptive_vcs: (0..at.vcs).filter(|vc| (vc % 2 == 1) == odd).fold(0, |vcs, vc| vcs | 1 << vc),
            ..Route::default()
        }
    }

    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        (0..2).any(|vc| self.comes_on(at, input, to, vc))
    }

    /// A switch sends a packet where it gets on, over what is never off, in its virtual channel's network.
    fn comes_on(&self, at: &ExpectedRouting, input: usize, to: &[usize], vc: usize) -> bool {
        let [here, there] = [&at.position[..], to].map(|digits| self.switch(digits));
        if input >= SWITCHES {
            // A node sends nothing to itself.
            return here != there || self.several && to[0] != input - SWITCHES;
        }
        let before = self.beside(here, input);
        before.is_some_and(|before| before != there && self.ahead(before, opposite(input), there, last(vc)))
    }

    fn input_vcs(&self, at: &ExpectedRouting, _vc: usize) -> (Range<usize>, Range<usize>) {
        (0..at.vcs, 0..at.vcs)
    }
}
