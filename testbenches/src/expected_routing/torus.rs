//! Tori with trunks: the shortest ways, and a way out over the dateline channels.

use super::{ExpectedRouting, Head, Route, Rules, links};
use powar_config::topology::Torus;
use powar_config::{Config, Topology};
use std::ops::Range;
use std::sync::Arc;

#[derive(Debug)]
struct TorusRules {
    trunk: usize,
    /// Several nodes a switch, told apart by the lowest digit.
    several: bool,
    directions: usize,
}

impl TorusRules {
    /// The place of a dimension's digit.
    fn place(&self, dimension: usize) -> usize {
        dimension + usize::from(self.several)
    }
}

pub(super) fn of(_: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    let torus = topology.of::<Torus>()?;
    let (several, directions) = (torus.nodes > 1, 2 * torus.dimensions.len());
    Some(Arc::new(TorusRules { trunk: torus.trunk, several, directions }))
}

/// Hops left upwards and downwards along the dimension of a digit.
fn distances(at: &ExpectedRouting, to: &[usize], place: usize) -> (usize, usize) {
    let (size, from, to) = (at.bases[place], at.position[place], to[place]);
    ((to + size - from) % size, (from + size - to) % size)
}

impl Rules for TorusRules {
    fn route(&self, at: &ExpectedRouting, to: &[usize], _head: &Head) -> Route {
        let group = |number: usize| links(number * self.trunk, self.trunk);
        let mut route = Route::default();
        for dimension in 0..self.directions / 2 {
            let (from, digit) = (at.position[self.place(dimension)], to[self.place(dimension)]);
            let (up, down) = distances(at, to, self.place(dimension));
            if up == 0 {
                continue;
            }
            let plus = up <= down;
            if plus {
                route.adaptive |= group(2 * dimension);
            }
            if down <= up {
                route.adaptive |= group(2 * dimension + 1);
            }
            if route.deterministic == 0 {
                route.deterministic = group(2 * dimension + usize::from(!plus));
                let crosses = if plus { digit < from } else { digit > from };
                route.deterministic_vcs = 1 << (at.vcs - 2 + usize::from(!crosses));
            }
        }
        if route.deterministic == 0 {
            let vcs = links(0, at.vcs);
            let own =
                if self.several { links(self.directions * self.trunk + to[0], 1) } else { group(self.directions) };
            return Route { deterministic: own, deterministic_vcs: vcs, ..Route::default() };
        }
        route.adaptive_vcs = links(0, at.vcs - 2);
        route
    }

    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        let group = input / self.trunk;
        if group >= self.directions {
            // A node sends nothing to itself.
            let same_switch = to[self.place(0)..] == at.position[self.place(0)..];
            return !same_switch || self.several && to[0] != input - self.directions * self.trunk;
        }
        // It has just come one hop nearer along this dimension, from the plus neighbour downwards or from the minus one upwards.
        let place = self.place(group / 2);
        let (size, (up, down)) = (at.bases[place], distances(at, to, place));
        let left = if group.is_multiple_of(2) { down } else { up };
        2 * (left + 1) <= size
    }

    fn input_vcs(&self, at: &ExpectedRouting, _vc: usize) -> (Range<usize>, Range<usize>) {
        if at.vcs > 2 { (0..at.vcs - 2, at.vcs - 2..at.vcs) } else { (0..at.vcs, 0..at.vcs) }
    }
}
