//! POWAR, event-driven: power FSMs whose transitions are planned, and port groups that are looked at when they are checked.

mod fsms;
mod groups;

use super::{Entry, EventMechanism};
use crate::fast::frame::Frame;
use crate::fast::power::{FlitTotals, Seen, Shown};
use crate::reference::mechanisms::powar::ControlRegisters;
use crate::reference::power::mechanism::Write;
use fsms::{FsmInputs, Fsms};
use groups::Groups;
use powar_config::{Config, Mechanism, Policy, mechanism};

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("powar", |config| Box::new(Powar::new(config)));

/// The mechanism.
#[derive(Clone, Debug)]
struct Powar {
    registers: ControlRegisters,
    /// The policy in force, looked up when its register changes.
    policy: &'static Policy,
    groups: Groups,
    fsms: Fsms,
}

impl Powar {
    fn new(config: &Config) -> Powar {
        let registers = ControlRegisters::new(config.powar_values());
        Powar {
            policy: registers.policy(),
            groups: Groups::new(config.ports, &config.groups),
            fsms: Fsms::new(config.ports, 0),
            registers,
        }
    }

    #[inline]
    fn fsm_inputs(&self, seen: &Seen) -> FsmInputs {
        FsmInputs {
            sleep_enable: self.policy.sleeps,
            abort_sleep: self.registers.values.abort_sleep,
            in_use: seen.held | seen.departing,
            wake_request: seen.given,
        }
    }

    /// The part of a clock edge that few cycles have.
    #[cold]
    #[inline(never)]
    fn change(&mut self, now: u64, seen: &Seen, shown: &mut Shown) {
        let (inputs, values) = (self.fsm_inputs(seen), &self.registers.values);
        self.fsms.change(now, &inputs, values, shown);
        if self.groups.is_due(now) {
            self.groups.decide(now, &seen.flits, values);
        }
        self.show(shown);
    }

    /// What follows from FSMs, groups and policy.
    fn show(&self, shown: &mut Shown) {
        let every = shown.every();
        let all_if = |condition: bool| if condition { every } else { 0 };
        let awake = self.fsms.active();
        shown.grantable = self.groups.selectable() | all_if(!self.policy.only_selectable);
        shown.preferred = awake | all_if(!self.policy.prefers_awake);
        (shown.ready, shown.steady, shown.serves) = (awake, awake, awake);
    }
}

impl EventMechanism for Powar {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::powar::MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        self.policy = self.registers.policy();
        self.fsms = Fsms::new(self.fsms.ports(), now);
        self.groups.reset(now, self.registers.values.check_period);
        self.show(shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        let inputs = self.fsm_inputs(seen);
        if self.fsms.count_idle(now, &inputs, &self.registers.values) | self.groups.is_due(now) {
            self.change(now, seen, shown);
            return 0;
        }
        // Ports that are idle count, and those that are not do not, until others are.
        self.fsms.next_event().min(self.groups.next_check())
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        let settled = self.fsms.is_settled(seen.held, self.policy.sleeps, self.registers.values.abort_sleep)
            && self.groups.is_settled();
        if settled { self.fsms.next_event().min(self.groups.next_check()) } else { now }
    }

    /// The control registers' edge, and what their new values mean for events already planned.
    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        let before = self.registers.values;
        let durations = self.registers.durations();
        self.registers.clock(Some(write));
        let values = &self.registers.values;
        if *values == before {
            return;
        }
        self.policy = self.registers.policy();
        if self.registers.durations() != durations {
            self.fsms.plan_anew(next, values);
        }
        self.groups.plan_anew(next, values.check_period);
        self.show(shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    /// That of a port which must wake as soon as it has gone to sleep.
    fn longest_wait(&self) -> u64 {
        let values = &self.registers.values;
        u64::from(values.t_sleep) + u64::from(values.t_wake)
    }

    fn observe(&self, now: u64, flits: &FlitTotals, frame: &mut Frame) {
        frame.put(self.registers.contents().map(u64::from));
        self.groups.observe(now, flits, frame);
        self.fsms.observe(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
