//! POWAR, event-driven: power FSMs whose transitions are planned, and port groups that are looked at when they are checked.

mod fsms;
mod groups;

use super::{Entry, EventMechanism};
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::powar::ControlRegisters;
use crate::reference::mechanisms::powar::port_power_fsm::Durations;
use crate::reference::power::mechanism::Write;
use fsms::{FsmInputs, Fsms};
use groups::Groups;
use powar_config::mechanism::powar::{Policy, PowarValues};
use powar_config::{Config, Mechanism, mechanism};

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("powar", |config| Box::new(Powar::new(config)));

/// The mechanism.
#[derive(Clone, Debug)]
pub(super) struct Powar {
    pub registers: ControlRegisters,
    /// The durations that hold for FSMs: those that the registers had in the cycle before.
    durations: Durations,
    /// It is not so yet: they have been written, or there was a reset.
    durations_late: bool,
    /// This is the first cycle behind a reset.
    restarted: bool,
    /// The policy in force, looked up when its register changes.
    policy: &'static Policy,
    groups: Groups,
    fsms: Fsms,
    /// Ports that are in use whatever is seen, by the word of a mechanism that has this one in it.
    pub kept_awake: u64,
    /// Ports that are to wake in the cycle that is clocked next, likewise.
    pub woken: u64,
}

impl Powar {
    fn new(config: &Config) -> Powar {
        Powar::with(config, PowarValues::of(config))
    }

    /// Of the ports of a configuration, with these values of the control registers after reset.
    pub fn with(config: &Config, reset: PowarValues) -> Powar {
        let registers = ControlRegisters::new(reset);
        Powar {
            policy: registers.policy(),
            groups: Groups::new(config.ports, &config.groups),
            fsms: Fsms::new(config.ports, 0),
            durations: at_first(registers.durations()),
            durations_late: true,
            restarted: true,
            registers,
            kept_awake: 0,
            woken: 0,
        }
    }

    /// Ports that are awake, and so ready.
    #[inline]
    pub fn awake(&self) -> u64 {
        self.fsms.active()
    }

    #[inline]
    fn in_use(&self, seen: &Seen) -> u64 {
        seen.held | seen.departing | self.kept_awake
    }

    #[inline]
    fn fsm_inputs(&self, seen: &Seen) -> FsmInputs {
        FsmInputs {
            sleep_enable: self.policy.sleeps,
            abort_sleep: self.registers.values.abort_sleep,
            in_use: self.in_use(seen),
            wake_request: seen.given | self.woken,
        }
    }

    /// The part of a clock edge that few cycles have.
    #[cold]
    #[inline(never)]
    fn change(&mut self, now: u64, seen: &Seen, shown: &mut Shown) {
        let inputs = self.fsm_inputs(seen);
        self.fsms.change(now, &inputs, &self.durations, shown);
        if self.groups.is_due(now) {
            self.groups.decide(now, &seen.flits, &self.registers.values);
        }
        if self.durations_late {
            self.durations = self.registers.durations();
            (self.durations_late, self.restarted) = (false, false);
            self.fsms.plan_anew(now + 1, &self.durations);
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

/// What holds for FSMs in the first cycle behind a reset, in which no duration is known to be short: ports are all active.
fn at_first(durations: Durations) -> Durations {
    Durations { pdt: durations.pdt.max(2), ..durations }
}

impl EventMechanism for Powar {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::powar::MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        self.policy = self.registers.policy();
        (self.kept_awake, self.woken) = (0, 0);
        self.fsms = Fsms::new(self.fsms.ports(), now);
        self.durations = at_first(self.registers.durations());
        (self.durations_late, self.restarted) = (true, true);
        self.groups.reset(now, self.registers.values.check_period);
        self.show(shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        let inputs = self.fsm_inputs(seen);
        if self.fsms.count_idle(now, &inputs, &self.durations) | self.groups.is_due(now) | self.durations_late {
            self.change(now, seen, shown);
            return 0;
        }
        // Ports that are idle count, and those that are not do not, until others are.
        self.fsms.next_event().min(self.groups.next_check())
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        let settled = self.fsms.is_settled(self.in_use(seen), self.policy.sleeps, self.registers.values.abort_sleep)
            && self.groups.is_settled()
            && !self.durations_late;
        if settled { self.fsms.next_event().min(self.groups.next_check()) } else { now }
    }

    /// The control registers' edge, and what their new values mean for events already planned.
    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        let before = self.registers.values;
        self.registers.clock(Some(write));
        let values = &self.registers.values;
        if *values == before {
            return;
        }
        self.policy = self.registers.policy();
        self.durations_late |= self.registers.durations() != self.durations;
        self.groups.plan_anew(next, values.check_period);
        self.show(shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    /// That of a port which must wake as soon as it has gone to sleep.
    fn longest_wait(&self) -> u64 {
        let of = |durations: Durations| u64::from(durations.t_sleep) + u64::from(durations.t_wake);
        of(self.durations).max(of(self.registers.durations()))
    }

    fn keeps_ready(&self) -> bool {
        true
    }

    fn regards_ports_alone(&self) -> bool {
        true
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        frame.put_words(&self.registers.values);
        let (refreshes, short) = (self.durations.refreshes(), self.durations.short());
        frame.put(if self.restarted { [0; 2] } else { [refreshes.into(), short.into()] });
        self.groups.observe(now, &seen.flits, frame);
        self.fsms.observe(now, &self.registers.durations(), frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
