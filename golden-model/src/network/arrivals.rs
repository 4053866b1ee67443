//! What is on its way over links.

use crate::bits::ones;

/// Most bundles of a region, and switches of one if bundles are that small: enough of them that what is in the window
/// comes in at many, few enough for many cores.
pub(super) const REGION: usize = 32;

/// Something that begins to come in at a bundle of switches in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<T> {
    pub cycle: u64,
    pub bundle: u32,
    pub what: T,
}

/// Arrivals at the bundles of a region.
#[derive(Clone, Debug)]
pub(super) struct Arrivals<T> {
    /// Number of the first bundle.
    first: u32,
    /// Those to come, in any order.
    pending: Vec<Arrival<T>>,
    /// Those of the window under way, by bundle and cycle; of a cycle in the order in which they were put in.
    due: Vec<Arrival<T>>,
    /// Of each bundle: the place of the next that has not been taken, and that behind its last one.
    places: [(u32, u32); REGION],
    /// By bundle and slot, where the next of it goes when those of a window are put in order.
    slots: Vec<u32>,
}

/// Slots of a bundle in a window in which much comes in: of a cycle each if the window has no more cycles.
const SLOTS: usize = 32;
/// With fewer arrivals a bundle it takes less time to compare them than to go through slots: then there is one of all cycles.
const FEW: usize = 8;

impl<T: Copy> Arrivals<T> {
    /// Nothing is on its way to the bundles from this number on.
    pub fn new(first: u32) -> Arrivals<T> {
        Arrivals { first, pending: Vec::new(), due: Vec::new(), places: [(0, 0); REGION], slots: Vec::new() }
    }

    #[inline]
    pub fn push(&mut self, arrival: Arrival<T>) {
        self.pending.push(arrival);
    }

    /// Those of a window can be taken from now on; the ones of the window before have been. The places of bundles at which something comes in, as a mask.
    pub fn open(&mut self, end: u64) -> u64 {
        let Arrivals { first, pending, due, places, slots } = self;
        debug_assert!(places.iter().all(|(next, end)| next == end), "what came in has been taken");
        let Some(&filler) = pending.first() else {
            return 0;
        };
        places.fill((0, 0));
        let place = |arrival: &Arrival<T>| (arrival.bundle - *first) as usize % REGION;
        let from = |(begin, last): (u64, usize), at: &Arrival<T>| (begin.min(at.cycle), last.max(place(at)));
        let (begin, last) = pending.iter().fold((end, 0), from);
        if begin == end {
            return 0;
        }
        let of_bundle = if pending.len() < FEW * (last + 1) { 1 } else { SLOTS };
        let cycles_of_slot = (end - begin).div_ceil(of_bundle as u64).next_power_of_two();
        let bits = cycles_of_slot.trailing_zeros();
        let slot = |at: &Arrival<T>| place(at) * of_bundle + ((at.cycle - begin) >> bits) as usize;
        slots.clear();
        slots.resize((last + 1) * of_bundle, 0);
        pending.iter().filter(|at| at.cycle < end).for_each(|at| slots[slot(at)] += 1);
        let (mut all, mut mask) = (0, 0);
        for (i, slots) in slots.chunks_exact_mut(of_bundle).enumerate() {
            let first = all;
            slots.iter_mut().for_each(|count| (*count, all) = (all, all + *count));
            (places[i], mask) = ((first, all), mask | u64::from(all != first) << i);
        }
        due.clear();
        due.resize(all as usize, filler);
        pending.retain(|at| {
            let comes = at.cycle < end;
            if comes {
                let behind = &mut slots[slot(at)];
                due[*behind as usize] = *at;
                *behind += 1;
            }
            !comes
        });
        if bits > 0 {
            for i in ones(mask) {
                let (begin, end) = places[i];
                due[begin as usize..end as usize].sort_by_key(|at| at.cycle);
            }
        }
        mask
    }

    /// How many of a bundle, given by its place, have not been taken.
    #[inline]
    pub fn left(&self, place: usize) -> usize {
        let (next, end) = self.places[place % REGION];
        (end - next) as usize
    }

    /// The cycle of the window in which the next comes in at a bundle; `u64::MAX`: none does.
    #[inline]
    pub fn next(&self, place: usize) -> u64 {
        let (next, end) = self.places[place % REGION];
        if next < end { self.due[next as usize].cycle } else { u64::MAX }
    }

    /// Takes those of a bundle and the cycle in which the next comes in, or none if that is later, in place of what is in a list.
    #[inline]
    pub fn take(&mut self, place: usize, cycle: u64, into: &mut Vec<T>) {
        into.clear();
        let (next, end) = &mut self.places[place % REGION];
        while *next < *end && self.due[*next as usize].cycle == cycle {
            into.push(self.due[*next as usize].what);
            *next += 1;
        }
    }

    /// The first cycle behind the window in which something comes in; `u64::MAX` if there is none.
    pub fn first(&self) -> u64 {
        self.pending.iter().map(|arrival| arrival.cycle).min().unwrap_or(u64::MAX)
    }

    /// Something that `is_it` comes in at a bundle behind the window.
    pub fn any(&self, bundle: u32, is_it: impl Fn(&T) -> bool) -> bool {
        self.pending.iter().any(|arrival| arrival.bundle == bundle && is_it(&arrival.what))
    }
}

/// What comes in at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AtNode<T> {
    pub node: u32,
    pub lane: u8,
    pub vc: u8,
    pub what: T,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::switch::Credits;

    /// Arrivals at bundles 64 to 95, put in in any order and for up to three windows ahead, against a list that is searched.
    #[test]
    fn everything_comes_in_once_and_in_its_cycle() {
        [1, 24, 32, 33, 700].into_iter().for_each(comes_in_in_windows_of);
    }

    fn comes_in_in_windows_of(cycles: u64) {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut arrivals, mut plain, mut taken) = (Arrivals::new(64), Vec::new(), Vec::new());
        for window in (1..=250).map(|window| window * cycles) {
            let end = window + cycles;
            for _ in 0..[0, 3, 200, 500][random.usize(0..4)] {
                let (cycle, bundle) = (window + random.u64(0..3 * cycles), random.u32(64..96));
                let what = Credits { port: random.u8(0..4), vc: 1, credits: random.u16(1..9) };
                let is_free =
                    |(at, other, run): &(u64, u32, Credits)| (*at, *other, run.port) != (cycle, bundle, what.port);
                if plain.iter().all(is_free) {
                    plain.push((cycle, bundle, what));
                    arrivals.push(Arrival { cycle, bundle, what });
                }
            }
            let (mut due, later): (Vec<_>, Vec<_>) = plain.into_iter().partition(|(cycle, ..)| *cycle < end);
            plain = later;
            due.sort_by_key(|(cycle, bundle, _)| (*bundle, *cycle));
            let mask = arrivals.open(end);
            assert_eq!(mask, due.iter().fold(0, |mask, (_, bundle, _)| mask | 1 << (bundle - 64)));
            let mut come = Vec::new();
            for place in 0..REGION {
                let all = due.iter().filter(|(_, bundle, _)| *bundle == 64 + place as u32).count();
                assert_eq!(arrivals.left(place), all);
                while arrivals.next(place) != u64::MAX {
                    let cycle = arrivals.next(place);
                    arrivals.take(place, cycle - 1, &mut taken);
                    assert!(taken.is_empty());
                    arrivals.take(place, cycle, &mut taken);
                    come.extend(taken.iter().map(|run| (cycle, 64 + place as u32, *run)));
                }
            }
            assert_eq!(come, due);
            assert_eq!(arrivals.first(), plain.iter().map(|(cycle, ..)| *cycle).min().unwrap_or(u64::MAX));
            let is_there = |port| arrivals.any(70, |run| run.port == port);
            let expected = |port| plain.iter().any(|(_, bundle, run)| (*bundle, run.port) == (70, port));
            assert!((0..4).all(|port| is_there(port) == expected(port)));
        }
    }
}
