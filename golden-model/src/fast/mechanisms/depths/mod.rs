//! Depths, event-driven: POWAR's model, which shows its phases to this one alone, and depths that are not counted but
//! worked out.

mod port_depths;

use super::powar::Powar;
use super::{Entry, EventMechanism};
use crate::bits::{is_set, ones};
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::depths::DepthRegisters;
use crate::reference::power::mechanism::Write;
use port_depths::PortDepths;
use powar_config::mechanism::depths::{DepthsValues, MECHANISM};
use powar_config::mechanism::powar;
use powar_config::{Config, Mechanism, Phase};

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("depths", |config| Box::new(Depths::new(config)));

/// The mechanism.
#[derive(Clone, Debug)]
struct Depths {
    ports: usize,
    powar: Powar,
    /// What POWAR shows.
    of_powar: Shown,
    registers: DepthRegisters,
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

impl Depths {
    fn new(config: &Config) -> Depths {
        let (ports, reset) = (config.ports, DepthsValues::of(config));
        Depths {
            ports,
            powar: Powar::with(config, reset.powar),
            of_powar: Shown::new(powar::MECHANISM.residency, ports, 0),
            registers: DepthRegisters::new(reset),
            depths: PortDepths::new(ports),
            pair: [Pair::On; 64],
        }
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
        let deep = self.depths.deep();
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
}

impl EventMechanism for Depths {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.of_powar = Shown::new(powar::MECHANISM.residency, self.ports, now);
        self.powar.reset(now, &mut self.of_powar);
        self.registers.reset();
        self.depths = PortDepths::new(self.ports);
        self.pair = [Pair::On; 64];
        self.show(now, 0, shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        let phases = self.of_powar.sideband.phase;
        let next = self.powar.clock(now, seen, &mut self.of_powar);
        let changed = self.depths.clock(now, self.asleep(), &self.registers);
        // A port that is deep is in use to POWAR.
        self.powar.kept_awake = self.depths.deep();
        self.show(now + 1, changed | self.of_powar.sideband.phase.differences(&phases), shown);
        if changed != 0 { 0 } else { next.min(self.depths.next_event()) }
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        self.powar.next_event(now, seen).min(self.depths.next_event())
    }

    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        self.powar.write(next, write, &mut self.of_powar);
        self.registers.clock(Some(write));
        self.depths.plan_anew(next, &self.registers);
        self.show(next, 0, shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.powar.read(address) | self.registers.read(address)
    }

    /// A port that must wake as soon as it has gone to sleep is not deep.
    fn longest_wait(&self) -> u64 {
        self.powar.longest_wait().max(self.registers.values.t_wake_deep.into())
    }

    fn keeps_ready(&self) -> bool {
        self.powar.keeps_ready()
    }

    fn regards_ports_alone(&self) -> bool {
        self.powar.regards_ports_alone()
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        self.powar.observe(now, seen, frame);
        frame.put([self.registers.values.deep_after.into(), self.registers.values.t_wake_deep.into()]);
        self.depths.observe(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
