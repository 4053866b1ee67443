//! Which edges of a directed graph are one cable.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// How the edges of a graph lie between each two ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Directions {
    /// All of them one way: each edge is a cable of its own.
    OneWay,
    /// As many one way as the other everywhere: every cable is there from both ends.
    BothWays,
    /// Some this way and some that; the place of an edge that has none back.
    Mixed(usize),
}

/// How edges lie, each from an end to another and standing for so many. There is at least one pair of them in [`Directions::BothWays`].
pub(super) fn directions(edges: impl Iterator<Item = (usize, usize, usize)> + Clone) -> Directions {
    let mut counts: HashMap<(usize, usize), [usize; 2]> = HashMap::new();
    for (one, other, count) in edges.clone() {
        let counts = counts.entry((one.min(other), one.max(other))).or_default();
        let counts = &mut counts[usize::from(one > other)];
        *counts = counts.saturating_add(count);
    }
    let both = counts.values().filter(|[there, back]| *there > 0 && *back > 0).count();
    if both == 0 {
        return Directions::OneWay;
    }
    let unequal = |(one, other, _): (usize, usize, usize)| {
        let [there, back] = counts[&(one.min(other), one.max(other))];
        one != other && there != back
    };
    edges.clone().position(unequal).map_or(Directions::BothWays, Directions::Mixed)
}

/// Says of each edge whether it goes the way in which its two ends were met first.
pub(super) fn first_way() -> impl FnMut(usize, usize) -> bool {
    let mut first = HashMap::new();
    move |one, other| match first.entry((one.min(other), one.max(other))) {
        Entry::Vacant(entry) => *entry.insert(one) == one,
        Entry::Occupied(entry) => *entry.get() == one,
    }
}
