//! What is on its way over links.

use super::region::REGION;
use crate::bits::ones;
use crate::fast::power::Signal;
use crate::fast::switch::{Credits, Train};

/// What a link can carry.
pub(super) trait OnLink: Copy {
    /// The port at the link's end.
    fn port(&self) -> u8;
}

impl<P: Copy> OnLink for Train<P> {
    fn port(&self) -> u8 {
        self.port
    }
}

impl OnLink for Credits {
    fn port(&self) -> u8 {
        self.port
    }
}

impl OnLink for Signal {
    fn port(&self) -> u8 {
        self.port
    }
}

/// Something that begins to come in at a switch in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<T> {
    pub cycle: u64,
    pub switch: u32,
    pub what: T,
}

/// Arrivals at the switches of a region.
#[derive(Clone, Debug)]
pub(super) struct Arrivals<T> {
    /// Number of the first switch.
    first: u32,
    /// Those to come, in any order.
    pending: Vec<Arrival<T>>,
    /// Those of the window under way, by switch, cycle and port.
    due: Vec<Arrival<T>>,
    /// Of each switch: the place of the next that has not been taken, and that behind its last one.
    places: [(u32, u32); REGION],
}

impl<T: OnLink> Arrivals<T> {
    /// Nothing is on its way to the switches from this number on.
    pub fn new(first: u32) -> Arrivals<T> {
        Arrivals { first, pending: Vec::new(), due: Vec::new(), places: [(0, 0); REGION] }
    }

    #[inline]
    pub fn push(&mut self, arrival: Arrival<T>) {
        self.pending.push(arrival);
    }

    /// Those of a window can be taken from now on; the ones of the window before have been. The places of switches at which something comes in, as a mask.
    pub fn open(&mut self, end: u64) -> u64 {
        let Arrivals { first, pending, due, places } = self;
        debug_assert!(places.iter().all(|(next, end)| next == end), "what came in has been taken");
        let Some(&filler) = pending.first() else {
            return 0;
        };
        places.fill((0, 0));
        let place = |arrival: &Arrival<T>| (arrival.switch - *first) as usize % REGION;
        pending.iter().filter(|arrival| arrival.cycle < end).for_each(|arrival| places[place(arrival)].1 += 1);
        let (mut all, mut mask) = (0, 0);
        for (i, (begin, count)) in places.iter_mut().enumerate() {
            mask |= u64::from(*count != 0) << i;
            all += *count;
            (*begin, *count) = (all - *count, all - *count);
        }
        due.clear();
        due.resize(all as usize, filler);
        pending.retain(|arrival| {
            let comes = arrival.cycle < end;
            if comes {
                let (_, behind) = &mut places[place(arrival)];
                due[*behind as usize] = *arrival;
                *behind += 1;
            }
            !comes
        });
        for i in ones(mask) {
            let (begin, end) = places[i];
            // In no other order: a port has one link.
            due[begin as usize..end as usize].sort_unstable_by_key(|at| (at.cycle, at.what.port()));
        }
        mask
    }

    /// How many of a switch, given by its place, have not been taken.
    #[inline]
    pub fn left(&self, place: usize) -> usize {
        let (next, end) = self.places[place % REGION];
        (end - next) as usize
    }

    /// The cycle of the window in which the next comes in at a switch; `u64::MAX`: none does.
    #[inline]
    pub fn next(&self, place: usize) -> u64 {
        let (next, end) = self.places[place % REGION];
        if next < end { self.due[next as usize].cycle } else { u64::MAX }
    }

    /// Takes those of a switch and the cycle in which the next comes in, or none if that is later, in place of what is in a list.
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

    /// Something that `is_it` comes in at a switch behind the window.
    pub fn any(&self, switch: u32, is_it: impl Fn(&T) -> bool) -> bool {
        self.pending.iter().any(|arrival| arrival.switch == switch && is_it(&arrival.what))
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
