//! What is on its way over links.

use crate::fast::power::Signal;
use crate::fast::switch::{Credits, Train};
use std::ops::Range;

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

/// Arrivals at the switches of a group.
#[derive(Clone, Debug)]
pub(super) struct Arrivals<T> {
    /// Those to come, in any order.
    pending: Vec<Arrival<T>>,
    /// Those of the window under way, by switch, cycle and port; how many of them have been taken.
    due: Vec<Arrival<T>>,
    taken: usize,
}

impl<T> Default for Arrivals<T> {
    fn default() -> Self {
        Arrivals { pending: Vec::new(), due: Vec::new(), taken: 0 }
    }
}

impl<T: OnLink> Arrivals<T> {
    #[inline]
    pub fn push(&mut self, arrival: Arrival<T>) {
        self.pending.push(arrival);
    }

    /// Those of a window can be taken from now on; the ones of the window before have been.
    pub fn open(&mut self, window: &Range<u64>) {
        debug_assert_eq!(self.taken, self.due.len(), "what came in has been taken");
        self.taken = 0;
        self.due.clear();
        let Arrivals { pending, due, .. } = self;
        pending.retain(|arrival| {
            let comes = arrival.cycle < window.end;
            if comes {
                due.push(*arrival);
            }
            !comes
        });
        // Unique: a port has one link.
        due.sort_unstable_by_key(|at| {
            u64::from(at.switch) << 32 | (at.cycle - window.start) << 8 | u64::from(at.what.port())
        });
    }

    /// Switches at which something comes in in the window, each as often as that.
    pub fn switches(&self) -> impl Iterator<Item = u32> {
        self.due.iter().map(|arrival| arrival.switch)
    }

    /// The cycle of the window in which the next comes in at a switch, which is the lowest with any left; `u64::MAX`: none does.
    #[inline]
    pub fn next(&self, switch: u32) -> u64 {
        self.due.get(self.taken).map_or(u64::MAX, |next| if next.switch == switch { next.cycle } else { u64::MAX })
    }

    /// Takes those of a switch and a cycle, which must be the next ones, into an empty list.
    #[inline]
    pub fn take(&mut self, switch: u32, cycle: u64, into: &mut Vec<T>) {
        into.clear();
        while let Some(next) = self.due.get(self.taken)
            && (next.switch, next.cycle) == (switch, cycle)
        {
            into.push(next.what);
            self.taken += 1;
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
