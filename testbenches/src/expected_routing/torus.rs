//! Tori with trunks: the shortest ways, and a way out over the dateline channels.

use super::{ExpectedRouting, Head, Route, Rules, links};
use powar_config::Topology;
use powar_config::topology::Torus;
use std::ops::Range;
use std::sync::Arc;

#[derive(Debug)]
struct TorusRules {
    trunk: usize,
}

pub(super) fn of(topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    topology.of::<Torus>().map(|torus| Arc::new(TorusRules { trunk: torus.trunk }) as _)
}

/// Hops left upwards and downwards along a dimension.
fn distances(at: &ExpectedRouting, to: &[usize], dimension: usize) -> (usize, usize) {
    let (size, from, to) = (at.bases[dimension], at.position[dimension], to[dimension]);
    ((to + size - from) % size, (from + size - to) % size)
}

impl Rules for TorusRules {
    fn route(&self, at: &ExpectedRouting, to: &[usize], _head: &Head) -> Route {
        let group = |number: usize| links(number * self.trunk, self.trunk);
        let mut route = Route::default();
        for (dimension, (&from, &digit)) in at.position.iter().zip(to).enumerate() {
            let (up, down) = distances(at, to, dimension);
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
            return Route { deterministic: group(2 * at.bases.len()), deterministic_vcs: vcs, ..Route::default() };
        }
        route.adaptive_vcs = links(0, at.vcs - 2);
        route
    }

    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        let group = input / self.trunk;
        let Some(&size) = at.bases.get(group / 2) else { return to != at.position };
        // It has just come one hop nearer along this dimension, from the plus neighbour downwards or from the minus one upwards.
        let (up, down) = distances(at, to, group / 2);
        let left = if group.is_multiple_of(2) { down } else { up };
        2 * (left + 1) <= size
    }

    fn input_vcs(&self, at: &ExpectedRouting, _vc: usize) -> (Range<usize>, Range<usize>) {
        if at.vcs > 2 { (0..at.vcs - 2, at.vcs - 2..at.vcs) } else { (0..at.vcs, 0..at.vcs) }
    }
}
