//! POWAR's model, which shows its phases to this one alone, and what is shown of its ports with their depths.

use super::port_depths::{Depth, PortDepths};
use crate::bits::{is_set, ones};
use crate::fast::frame::Frame;
use crate::fast::mechanisms::EventMechanism;
use crate::fast::mechanisms::powar::Powar;
use crate::fast::power::{Seen, Shown};
use crate::reference::power::mechanism::Write;
use powar_config::mechanism::powar::{self, PowarValues};
use powar_config::{Config, Phase};

/// POWAR on ports with two depths of sleep.
#[derive(Clone, Debug)]
pub(in crate::fast::mechanisms) struct TwoDepths {
    ports: usize,
    pub powar: Powar,
    /// What POWAR shows.
    of_powar: Shown,
    depths: PortDepths,
    /// The pair that is shown of each port.
    pair: [Pair; 64],
}

/// The pairs of the mechanism's residency, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Pair {
    On,
    GoingOff,
    Light,
    Refreshing,
    ComingOn,
    Deep,
}

impl Pair {
    /// Of a port that is in this phase by POWAR.
    fn of(phase: Phase, deep: bool) -> Pair {
        match phase {
            Phase::On if deep => Pair::ComingOn,
            Phase::On | Phase::Draining => Pair::On,
            Phase::GoingOff => Pair::GoingOff,
            Phase::Off if deep => Pair::Deep,
            Phase::Off => Pair::Light,
            Phase::Refreshing => Pair::Refreshing,
            Phase::ComingOn => Pair::ComingOn,
        }
    }
}

impl TwoDepths {
    /// Of the ports of a configuration, with these values of POWAR's control registers after reset.
    pub fn new(config: &Config, reset: PowarValues) -> TwoDepths {
        let ports = config.ports;
        TwoDepths {
            ports,
            powar: Powar::with(config, reset),
            of_powar: Shown::new(powar::MECHANISM.residency, ports, 0),
            depths: PortDepths::new(ports),
            pair: [Pair::On; 64],
        }
    }

    /// The state after a reset, in cycle `now`.
    pub fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.of_powar = Shown::new(powar::MECHANISM.residency, self.ports, now);
        self.powar.reset(now, &mut self.of_powar);
        self.depths = PortDepths::new(self.ports);
        self.pair = [Pair::On; 64];
        self.show(now, 0, shown);
    }

    /// Ports that are deep.
    #[inline]
    pub fn deep(&self) -> u64 {
        self.depths.deep()
    }

    /// Ports that sleep lightly, in the cycle under way.
    #[inline]
    pub fn light(&self) -> u64 {
        self.depths.light()
    }

    /// Ports that may send.
    #[inline]
    pub fn ready(&self) -> u64 {
        self.powar.awake() & !self.deep()
    }

    /// Ports that sleep by POWAR: `Off` and `Refreshing` have the codes 2 and 4, and no other has one of these two bits
    /// alone and is even.
    #[inline]
    fn asleep(&self) -> u64 {
        let [low, middle, high] = self.of_powar.sideband.phase.0;
        !low & (middle ^ high) & self.of_powar.every()
    }

    /// What follows from POWAR and the depths for ports that may be in another pair from cycle `next` on.
    fn show(&mut self, next: u64, moved: u64, shown: &mut Shown) {
        let deep = self.deep();
        for port in ones(moved) {
            let pair = Pair::of(self.of_powar.phase(port), is_set(deep, port));
            if pair != self.pair[port] {
                self.pair[port] = pair;
                shown.enter(port, pair as usize, next);
            }
        }
        (shown.grantable, shown.preferred) = (self.of_powar.grantable, self.of_powar.preferred);
        let ready = self.of_powar.ready & !deep;
        (shown.ready, shown.steady, shown.serves) = (ready, ready, ready);
    }

    /// The clock edge that ends cycle `now`, behind which this holds of depth. Returned is the first cycle that has to be
    /// clocked again, as [`EventMechanism::clock`] has it.
    pub fn clock(&mut self, now: u64, seen: &Seen, depth: &Depth, shown: &mut Shown) -> u64 {
        let phases = self.of_powar.sideband.phase;
        let next = self.powar.clock(now, seen, &mut self.of_powar);
        let changed = self.depths.clock(now, self.asleep(), depth);
        self.show(now + 1, changed | self.of_powar.sideband.phase.differences(&phases), shown);
        if changed != 0 { 0 } else { next.min(self.depths.next_event()) }
    }

    /// As [`EventMechanism::next_event`].
    pub fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        self.powar.next_event(now, seen).min(self.depths.next_event())
    }

    /// A word is written, at the edge before cycle `next`, from which on this holds of depth.
    pub fn write(&mut self, next: u64, write: Write, depth: &Depth, shown: &mut Shown) {
        self.powar.write(next, write, &mut self.of_powar);
        self.depths.plan_anew(next, depth);
        self.show(next, 0, shown);
    }

    /// As [`EventMechanism::longest_wait`]: a port that must wake as soon as it has gone to sleep is not deep.
    pub fn longest_wait(&self, t_wake_deep: u32) -> u64 {
        self.powar.longest_wait().max(t_wake_deep.into())
    }

    /// The registers of the depths in cycle `now`.
    pub fn observe_depths(&self, now: u64, frame: &mut Frame) {
        self.depths.observe(now, frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::depths::MECHANISM;

    #[test]
    fn pairs_are_in_the_order_of_the_residency() {
        let pairs = [
            (Pair::On, Phase::On),
            (Pair::GoingOff, Phase::GoingOff),
            (Pair::Light, Phase::Off),
            (Pair::Refreshing, Phase::Refreshing),
            (Pair::ComingOn, Phase::ComingOn),
            (Pair::Deep, Phase::Off),
        ];
        assert_eq!(pairs.len(), MECHANISM.residency.len());
        for (pair, phase) in pairs {
            let entry = MECHANISM.residency[pair as usize];
            assert_eq!((entry.phase, entry.level), (phase, u8::from(pair == Pair::Deep)));
        }
    }
}
