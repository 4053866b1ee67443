//! Ahead, event-driven: POWAR's model, and budgets that are not counted but worked out.

pub(super) mod budgets;

use super::powar::Powar;
use super::{Entry, EventMechanism};
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::ahead::BudgetRegisters;
use crate::reference::power::mechanism::Write;
use budgets::Budgets;
use powar_config::mechanism::ahead::AheadValues;
use powar_config::{Config, Mechanism, mechanism};

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("ahead", |config| Box::new(Ahead::new(config)));

/// The mechanism.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    pub powar: Powar,
    budgets: Budgets<1>,
}

impl Ahead {
    fn new(config: &Config) -> Ahead {
        Ahead::with(config, AheadValues::of(config))
    }

    /// Of the ports of a configuration, with these values of the control registers after reset.
    pub fn with(config: &Config, reset: AheadValues) -> Ahead {
        let reserves = [BudgetRegisters::new(reset).reserve];
        Ahead { powar: Powar::with(config, reset.powar), budgets: Budgets::new(config.ports, reset, reserves) }
    }

    /// Ports at which a packet waits for nothing but the port.
    #[inline]
    fn lost(&self, seen: &Seen) -> u64 {
        seen.held & !self.powar.awake()
    }
}

impl EventMechanism for Ahead {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::ahead::MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.powar.reset(now, shown);
        self.budgets.reset(now);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        let lost = self.lost(seen);
        let changed = self.budgets.note(now, lost);
        self.powar.kept_awake = self.budgets.kept_awake();
        let next = self.powar.clock(now, seen, shown);
        self.budgets.decide(now, changed, [self.budgets.registers().next_reserve()]);
        // What POWAR is to see in the next cycle is another than in this one; or a port may lose a cycle more or less though the ports in use stay the same: who
        // calls this looks at those that are held and those that see a flit depart together.
        if self.budgets.kept_awake() != self.powar.kept_awake || lost | (seen.departing & !self.powar.awake()) != 0 {
            return 0;
        }
        next.min(self.budgets.next_event(now + 1))
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        if self.lost(seen) != self.budgets.lost() || self.budgets.kept_awake() != self.powar.kept_awake {
            return now;
        }
        self.powar.next_event(now, seen).min(self.budgets.next_event(now))
    }

    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        self.budgets.write(next, write);
        self.powar.write(next, write, shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.powar.read(address) | self.budgets.registers().read(address)
    }

    fn longest_wait(&self) -> u64 {
        self.powar.longest_wait()
    }

    fn keeps_ready(&self) -> bool {
        self.powar.keeps_ready()
    }

    /// What is earned is earned by all ports of all switches at once.
    fn regards_ports_alone(&self) -> bool {
        self.powar.regards_ports_alone()
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        self.powar.observe(now, seen, frame);
        self.budgets.observe(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
