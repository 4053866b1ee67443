//! Grids some of whose links may be off: any way that is on, a hop round what is off, and a way out over what is never off.

use super::{ExpectedRouting, Head, Route, Rules, links};
use powar_config::Topology;
use powar_config::topology::{Mesh, Torus};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Columns and rows, here and there.
#[derive(Clone, Copy, Debug)]
struct Place {
    here: [usize; 2],
    there: [usize; 2],
    sizes: [usize; 2],
    wraps: bool,
}

/// A hop of the escape: port, and whether it is on the first of its two virtual channels.
type Escape = fn(place: &Place, on: Option<bool>) -> (usize, bool);

#[derive(Debug)]
struct GridRules {
    /// Several nodes a switch, told apart by the lowest digit.
    several: bool,
    wraps: bool,
    escape: Escape,
}

fn of(topology: &dyn Topology, escape: Escape) -> Option<Arc<dyn Rules>> {
    let (mesh, torus) = (topology.of::<Mesh>(), topology.of::<Torus>());
    let nodes = mesh.map(|mesh| mesh.nodes).or(torus.map(|torus| torus.nodes))?;
    Some(Arc::new(GridRules { several: nodes > 1, wraps: torus.is_some(), escape }))
}

pub(super) fn staircase(topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    of(topology, along_stairs)
}

pub(super) fn alternating(topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    of(topology, |place, _| if place.wraps { round_streets(place) } else { along_streets(place) })
}

/// Switches with x + y even have their ever-on outputs along x, the others along y.
fn along_stairs(place: &Place, on: Option<bool>) -> (usize, bool) {
    let Place { here: [x, y], there: [tx, ty], sizes, .. } = *place;
    let first = on.unwrap_or(tx + ty >= x + y);
    let axis = (x + y) % 2;
    let (from, to) = ([x, y][axis], [tx, ty][axis]);
    let up = match (from, to) {
        (from, to) if to > from => true,
        (from, to) if to < from => false,
        // Neither: to the side of this channel, unless it is the edge.
        (0, _) => true,
        (from, _) if from == sizes[axis] - 1 => false,
        _ => first,
    };
    (2 * axis + usize::from(!up), first)
}

/// The row, then the column, round in their only direction.
fn round_streets(place: &Place) -> (usize, bool) {
    let axis = usize::from(place.here[0] == place.there[0]);
    let down = place.here[1 - axis] % 2 == 1;
    let ahead = if down { place.there[axis] < place.here[axis] } else { place.there[axis] > place.here[axis] };
    (2 * axis + usize::from(down), !ahead)
}

/// Row and column if both lead there; else to the edge, and along it.
fn along_streets(place: &Place) -> (usize, bool) {
    let Place { here, there, sizes, .. } = *place;
    // Whether one may go along a street of this number from one coordinate to another.
    let leads = |axis: usize, street: usize| {
        let two_way = street == 0 || street + 1 == sizes[1 - axis];
        let (from, to) = (here[axis], there[axis]);
        from == to || two_way || (to > from) == street.is_multiple_of(2)
    };
    if leads(0, here[1]) && leads(1, there[0]) {
        let axis = usize::from(here[0] == there[0]);
        return (2 * axis + usize::from(there[axis] < here[axis]), false);
    }
    if here[0] == 0 || here[0] + 1 == sizes[0] {
        // An even column begins at row 0, an odd one at the last.
        return (if there[0].is_multiple_of(2) { 3 } else { 2 }, true);
    }
    (here[1] % 2, true)
}

impl GridRules {
    fn place(&self, at: &ExpectedRouting, to: &[usize]) -> Place {
        let [here, there, sizes] = [&at.position[..], to, &at.bases[..]].map(|digits| {
            let digits = &digits[usize::from(self.several)..];
            [digits[0], digits[1]]
        });
        Place { here, there, sizes, wraps: self.wraps }
    }
}

impl Place {
    /// The switch behind a port.
    fn beside(&self, port: usize) -> Option<[usize; 2]> {
        let (mut there, axis, size) = (self.here, port / 2, self.sizes[port / 2]);
        let next = there[axis] + if port.is_multiple_of(2) { 1 } else { size - 1 };
        let around = if port.is_multiple_of(2) { next == size } else { there[axis] == 0 };
        there[axis] = next % size;
        (self.wraps || !around).then_some(there)
    }

    /// Links from a switch to the destination.
    fn left(&self, from: [usize; 2]) -> usize {
        (0..2)
            .map(|axis| {
                let apart = from[axis].abs_diff(self.there[axis]);
                if self.wraps { apart.min(self.sizes[axis] - apart) } else { apart }
            })
            .sum()
    }
}

impl Rules for GridRules {
    /// What serves is not known here: every way that it might leave is allowed.
    fn route(&self, at: &ExpectedRouting, to: &[usize], head: &Head) -> Route {
        let place = self.place(at, to);
        if place.here == place.there {
            let own = links(4 + if self.several { to[0] } else { 0 }, 1);
            return Route { deterministic: own, deterministic_vcs: links(0, at.vcs), ..Route::default() };
        }
        let left = place.left(place.here);
        let from = if head.input < 4 { place.beside(head.input) } else { None };
        // A hop that has not brought it nearer is followed by one that does.
        let misrouted = from.is_some_and(|before| place.left(before) <= left);
        let may_go = |port: &usize| {
            *port != head.input && place.beside(*port).is_some_and(|next| !misrouted || place.left(next) < left)
        };
        let escaping = head.input < 4 && head.vc + 2 >= at.vcs;
        let on = escaping.then_some(head.vc + 2 == at.vcs);
        let (port, first) = (self.escape)(&place, on);
        let mut route = Route {
            deterministic: 1 << port,
            deterministic_vcs: links(at.vcs - if first { 2 } else { 1 }, 1),
            ..Route::default()
        };
        if !escaping {
            route.adaptive = (0..4).filter(may_go).fold(0, |ports, port| ports | 1 << port);
            route.adaptive_vcs = links(0, at.vcs - 2);
        }
        route
    }

    /// From another switch than the destination's: packets go round what is off.
    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        let place = self.place(at, to);
        match input {
            0..4 => place.beside(input).is_some_and(|before| before != place.there),
            // A node sends nothing to itself.
            _ => place.here != place.there || self.several && to[0] != input - 4,
        }
    }

    fn input_vcs(&self, at: &ExpectedRouting, _vc: usize) -> (Range<usize>, Range<usize>) {
        (0..at.vcs - 2, at.vcs - 2..at.vcs)
    }
}
