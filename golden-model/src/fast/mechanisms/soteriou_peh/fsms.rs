//! The FSMs of the links.
//!
//! A count register is not counted: it is the time since a cycle that is noted down. Links that are off, or in use, cost nothing.

use crate::bits::{low_bits, ones};
use crate::fast::frame::Frame;
use crate::fast::power::Shown;
use powar_config::Phase;

/// The pairs of the mechanism's residency, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Pair {
    On,
    Draining,
    GoingOff,
    Off,
    ComingOn,
}

impl Pair {
    fn phase(self) -> Phase {
        match self {
            Pair::On => Phase::On,
            Pair::Draining => Phase::Draining,
            Pair::GoingOff => Phase::GoingOff,
            Pair::Off => Phase::Off,
            Pair::ComingOn => Phase::ComingOn,
        }
    }
}

/// What the FSMs of all links see in a cycle; vectors have one bit a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub active: u64,
    pub dozes: u64,
    pub in_use: u64,
    pub wanted: u64,
    pub idle_limit: u32,
    pub t_trans: u32,
}

impl Sight {
    /// Links that are idle, if they are on.
    fn idle(&self) -> u64 {
        self.active & self.dozes & !self.in_use & !self.wanted
    }
}

/// The FSMs; vectors have one bit a link.
#[derive(Clone, Debug)]
pub(super) struct Fsms {
    links: usize,
    /// The links in each pair.
    within: [u64; 5],
    pair: [Pair; 64],
    /// The cycle in which the count of a link was 1, of those whose count goes on.
    since: [u64; 64],
}

impl Fsms {
    /// The state after reset, in cycle `now`.
    pub fn new(links: usize, now: u64) -> Self {
        Fsms { links, within: [low_bits(links), 0, 0, 0, 0], pair: [Pair::On; 64], since: [now; 64] }
    }

    #[inline]
    fn within(&self, pair: Pair) -> u64 {
        self.within[pair as usize]
    }

    #[inline]
    pub fn on(&self) -> u64 {
        self.within(Pair::On)
    }

    #[inline]
    fn off(&self) -> u64 {
        self.within(Pair::Off)
    }

    /// Links that are off or come on.
    #[inline]
    pub fn not_yet_on(&self) -> u64 {
        self.off() | self.within(Pair::ComingOn)
    }

    /// Links that may send.
    #[inline]
    pub fn sends(&self) -> u64 {
        self.within(Pair::On) | self.within(Pair::Draining)
    }

    /// Until cycle `now`, the next one, links have seen this for a cycle or more: those that are on and not idle begin to count in it.
    #[inline]
    pub fn pass(&mut self, now: u64, sight: &Sight) {
        for link in ones(self.on() & !sight.idle()) {
            self.since[link] = now;
        }
    }

    /// The last cycle of a time that began with the count of a link at 1.
    fn end(&self, link: usize, time: u32) -> u64 {
        self.since[link] + u64::from(time.max(1)) - 1
    }

    /// The links of which a time is over in cycle `now`.
    fn over(&self, links: u64, now: u64, time: u32) -> u64 {
        ones(links).filter(|&link| self.end(link, time) <= now).fold(0, |over, link| over | 1 << link)
    }

    /// Links that change their pair at the end of a cycle in which they see this, whatever time it is.
    fn unsettled(&self, sight: &Sight) -> u64 {
        let drained = self.within(Pair::Draining) & (sight.active | !sight.in_use);
        self.on() & !sight.active | drained | self.off() & wakes(sight)
    }

    /// The first cycle from `now` on at whose end a link changes its pair, or its count but for one more; `u64::MAX`: there is none.
    pub fn next_event(&self, now: u64, sight: &Sight) -> u64 {
        if self.unsettled(sight) | self.within(Pair::Draining) & !self.drains_on(now) != 0 {
            return now;
        }
        let ends = |links: u64, time: u32| ones(links).map(move |link| self.end(link, time));
        let timed = self.within(Pair::GoingOff) | self.within(Pair::ComingOn);
        let dues = ends(timed, sight.t_trans).chain(ends(self.on() & sight.idle(), sight.idle_limit));
        dues.min().map_or(u64::MAX, |due| due.max(now))
    }

    /// Links that have drained for a cycle or more before cycle `now`.
    fn drains_on(&self, now: u64) -> u64 {
        ones(self.within(Pair::Draining))
            .filter(|&link| self.since[link] < now)
            .fold(0, |links, link| links | 1 << link)
    }

    /// The clock edge that ends cycle `now`. Whether a link has changed its pair.
    #[inline]
    pub fn clock(&mut self, now: u64, sight: &Sight, shown: &mut Shown) -> bool {
        let (on, draining, idle) = (self.on(), self.within(Pair::Draining), sight.idle());
        let (going_off, coming_on) = (self.within(Pair::GoingOff), self.within(Pair::ComingOn));
        let moves = [
            (on & !sight.active, Pair::Draining),
            (self.over(on & idle, now, sight.idle_limit), Pair::GoingOff),
            (draining & sight.active, Pair::On),
            (self.drains_on(now) & !sight.active & !sight.in_use, Pair::GoingOff),
            (self.over(going_off, now, sight.t_trans), Pair::Off),
            (self.off() & wakes(sight), Pair::ComingOn),
            (self.over(coming_on, now, sight.t_trans), Pair::On),
        ];
        self.pass(now + 1, sight);
        let mut moved = 0;
        for (links, next) in moves {
            for link in ones(links) {
                shown.enter(link, next as usize, now + 1);
                self.within[self.pair[link] as usize] &= !(1 << link);
                self.within[next as usize] |= 1 << link;
                (self.pair[link], self.since[link]) = (next, now + 1);
            }
            moved |= links;
        }
        moved != 0
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        frame.fill(self.links, |link| self.pair[link].phase() as u64);
        frame.fill(self.links, |link| {
            let counted = now - self.since[link] + 1;
            match self.pair[link] {
                Pair::Off => 1,
                Pair::Draining => counted.min(2),
                Pair::On | Pair::GoingOff | Pair::ComingOn => counted,
            }
        });
    }

    /// All links that there are.
    pub fn every(&self) -> u64 {
        low_bits(self.links)
    }
}

/// Links that come on if they are off.
fn wakes(sight: &Sight) -> u64 {
    sight.in_use | sight.wanted | sight.active & !sight.dozes
}
