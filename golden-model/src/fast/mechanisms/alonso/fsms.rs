//! The FSMs of the links.
//!
//! A port's count register is not counted: it is the time since a cycle that is noted down, and the transition that it leads to is
//! planned for the cycle in which it is due. Links that are on or off cost nothing.

use crate::bits::{is_set, low_bits, ones};
use crate::fast::frame::Frame;
use crate::fast::power::Shown;
use powar_config::Phase;
use powar_config::mechanism::alonso::AlonsoValues;

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

/// The FSMs of all ports; vectors have one bit a port.
#[derive(Clone, Debug)]
pub(super) struct Fsms {
    ports: usize,
    pair: [Pair; 64],
    /// The ports in each pair: the same once more, turned round.
    within: [u64; 5],
    /// The cycle in which the count of a port that drains, goes off or comes on was 0, and that at whose end it leads to a transition.
    since: [u64; 64],
    due: [u64; 64],
    /// No transition is due before this cycle.
    next_due: u64,
    /// The phase registers, as the lock-step frame shows them.
    phases: [u64; 64],
}

impl Fsms {
    /// The state after reset.
    pub fn new(ports: usize) -> Self {
        Fsms {
            ports,
            pair: [Pair::On; 64],
            within: [low_bits(ports), 0, 0, 0, 0],
            since: [0; 64],
            due: [u64::MAX; 64],
            next_due: u64::MAX,
            phases: [Phase::On as u64; 64],
        }
    }

    #[inline]
    fn within(&self, pair: Pair) -> u64 {
        self.within[pair as usize]
    }

    /// Ports in phase `On`.
    #[inline]
    pub fn on(&self) -> u64 {
        self.within(Pair::On)
    }

    /// Ports that may send.
    #[inline]
    pub fn ready(&self) -> u64 {
        self.within(Pair::On) | self.within(Pair::Draining)
    }

    #[inline]
    fn timed(&self) -> u64 {
        self.within(Pair::GoingOff) | self.within(Pair::ComingOn)
    }

    /// No port changes its pair at the end of this cycle but for those whose time is up.
    #[inline]
    pub fn is_settled(&self, active: u64, in_use: u64) -> bool {
        let drained = self.within(Pair::Draining) & (active | !in_use);
        let comes_on = (self.within(Pair::GoingOff) | self.within(Pair::Off)) & active;
        (self.on() & !active) | drained | comes_on == 0
    }

    /// The first cycle at whose end the time of a port is up; `u64::MAX`: there is none.
    #[inline]
    pub fn next_due(&self) -> u64 {
        self.next_due
    }

    /// The clock edge that ends cycle `now`.
    pub fn clock(&mut self, now: u64, active: u64, in_use: u64, values: &AlonsoValues, shown: &mut Shown) {
        let (on, draining, off) = (self.on(), self.within(Pair::Draining), self.within(Pair::Off));
        let (going_off, coming_on) = (self.within(Pair::GoingOff), self.within(Pair::ComingOn));
        let is_due = |&port: &usize| self.due[port] <= now;
        let over = ones(self.timed()).filter(is_due).fold(0, |ports, port| ports | 1 << port);
        let drained = ones(draining).filter(|&port| self.since[port] < now).fold(0, |ports, port| ports | 1 << port);
        let moves = [
            (on & !active, Pair::Draining),
            (draining & active, Pair::On),
            (drained & !active & !in_use, Pair::GoingOff),
            ((going_off | off) & active, Pair::ComingOn),
            (going_off & !active & over, Pair::Off),
            (coming_on & over, Pair::On),
        ];
        for (ports, next) in moves {
            for port in ones(ports) {
                self.enter(port, next, now + 1, values, shown);
            }
        }
        self.plan();
    }

    /// A port is in a pair from a cycle on.
    fn enter(&mut self, port: usize, next: Pair, from: u64, values: &AlonsoValues, shown: &mut Shown) {
        shown.enter(port, next as usize, from);
        self.within[self.pair[port] as usize] &= !(1 << port);
        self.within[next as usize] |= 1 << port;
        (self.pair[port], self.phases[port]) = (next, next.phase() as u64);
        self.since[port] = from;
        self.due[port] = self.end_of_time(port, values);
    }

    /// The cycle at whose end the time of a port that goes off or comes on is up.
    fn end_of_time(&self, port: usize, values: &AlonsoValues) -> u64 {
        let time = match self.pair[port] {
            Pair::GoingOff => values.turn_off,
            Pair::ComingOn => values.turn_on,
            Pair::On | Pair::Draining | Pair::Off => return u64::MAX,
        };
        self.since[port] + u64::from(time.max(1)) - 1
    }

    fn plan(&mut self) {
        self.next_due = ones(self.timed()).map(|port| self.due[port]).min().unwrap_or(u64::MAX);
    }

    /// Durations have new values from cycle `now` on: a time that would have been up before is up then.
    pub fn plan_anew(&mut self, now: u64, values: &AlonsoValues) {
        for port in ones(self.timed()) {
            self.due[port] = self.end_of_time(port, values).max(now);
        }
        self.plan();
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        let (n, timed, draining) = (self.ports, self.timed(), self.within(Pair::Draining));
        frame.next(n).copy_from_slice(&self.phases[..n]);
        frame.fill(n, |port| match now - self.since[port] {
            passed if is_set(timed, port) => passed + 1,
            passed if is_set(draining, port) => passed.min(1) + 1,
            _ => 1,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::alonso::MECHANISM;

    #[test]
    fn pairs_are_in_the_order_of_the_residency() {
        let pairs = [Pair::On, Pair::Draining, Pair::GoingOff, Pair::Off, Pair::ComingOn];
        assert_eq!(pairs.len(), MECHANISM.residency.len());
        for pair in pairs {
            assert_eq!(MECHANISM.residency[pair as usize].phase, pair.phase());
        }
    }
}
